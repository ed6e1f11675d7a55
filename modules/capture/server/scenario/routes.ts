import { createHash } from 'node:crypto'
import { toPageObject } from '../../../../kernel/page.ts'
import { route, type Route } from '../../../../platform/http/route.ts'
import { listScenarios, type Scenario } from '../../contract/scenarios.ts'
import type { LoadedScenario } from './load-scenarios.ts'

function present({ recipe, text }: LoadedScenario): Scenario {
  const { format: _format, ...shown } = recipe
  return {
    ...shown,
    steps: recipe.steps.map((step) => ({ ...step })),
    sha256: createHash('sha256').update(text, 'utf8').digest('hex'),
  }
}

/** C-58. The list is read when the process starts: a scenario is changed by a new version and a restart. */
export function scenarioRoutes(scenarios: readonly LoadedScenario[]): Route[] {
  const active = scenarios.filter(({ recipe }) => recipe.active).map(present)
  return [
    route(listScenarios, ({ query }) => {
      const wanted = query.search?.toLowerCase()
      const found = active.filter(
        (one) =>
          (query.kind === undefined || one.kind === query.kind) &&
          (wanted === undefined ||
            [one.name.en, one.name.fr, one.brand ?? ''].some((text) => text.toLowerCase().includes(wanted))),
      )
      const { ordering } = query
      if (ordering !== undefined) {
        const key = (one: Scenario) => (ordering.endsWith('id') ? one.id : one.name.en)
        found.sort((a, b) => (ordering.startsWith('-') ? -1 : 1) * key(a).localeCompare(key(b), 'en'))
      }
      const from = (query.page - 1) * query.page_size
      return Promise.resolve(
        toPageObject(listScenarios.path, query, { count: found.length, rows: [] }, found.slice(from, from + query.page_size)),
      )
    }),
  ]
}
