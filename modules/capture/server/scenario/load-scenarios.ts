import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  checkScenarioInput,
  maxRecipeBytes,
  parseScenario,
  type ScenarioInput,
  type ScenarioRecipe,
} from '../../domain/scenario/scenario.ts'
import type { ChosenScenario } from './prepare-page.ts'

export type LoadedScenario = { readonly recipe: ScenarioRecipe; readonly text: string }

/** A recipe that cannot be used, by the name of its file; the operator is told, and nothing starts with it. */
export class ScenarioRefused extends Error {
  override readonly name = 'ScenarioRefused'
}

const builtInFolder = fileURLToPath(new URL('../../scenarios/', import.meta.url))
const maxFiles = 500

/**
 * The product's own scenarios, then the operator's (PROBANT_SCENARIOS), each one file `*.json`. @throws ScenarioRefused by name
 * when a file is wrong or two have one id: a scenario that silently is not there would be worse.
 */
export async function loadScenarios(operatorFolder: string | null): Promise<readonly LoadedScenario[]> {
  const found: LoadedScenario[] = []
  const files = new Map<string, string>()
  for (const folder of operatorFolder === null ? [builtInFolder] : [builtInFolder, operatorFolder]) {
    const names = await readdir(folder).catch((error: unknown) => {
      throw new ScenarioRefused(
        `the folder of scenarios ${folder} cannot be read: ${(error as NodeJS.ErrnoException).code ?? ''}`,
      )
    })
    const recipes = names.filter((name) => name.endsWith('.json')).toSorted()
    if (recipes.length > maxFiles) throw new ScenarioRefused(`${folder} holds more than ${maxFiles} scenarios`)
    for (const name of recipes) {
      const file = join(folder, name)
      const loaded = await readScenarioFile(file)
      const other = files.get(loaded.recipe.id)
      if (other !== undefined) throw new ScenarioRefused(`${file}: the id ${loaded.recipe.id} is that of ${other}`)
      files.set(loaded.recipe.id, file)
      found.push(loaded)
    }
  }
  // The one that touches nothing comes first, then the product's, then the partners', by their English names.
  const rank = ({ recipe }: LoadedScenario) => (recipe.id === normalId ? 0 : recipe.kind === 'normal' ? 1 : 2)
  return found.toSorted((a, b) => rank(a) - rank(b) || a.recipe.name.en.localeCompare(b.recipe.name.en, 'en'))
}

/** The scenario that touches nothing. */
export const normalId = 'normal'

/** @throws ScenarioRefused that names the file and what is wrong in it */
export async function readScenarioFile(file: string): Promise<LoadedScenario> {
  let text: string
  try {
    const { size } = await stat(file)
    if (size > maxRecipeBytes) throw new ScenarioRefused(`${file}: longer than ${maxRecipeBytes} bytes`)
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file))
  } catch (error) {
    if (error instanceof ScenarioRefused) throw error
    throw new ScenarioRefused(
      `${file}: ${error instanceof TypeError ? 'no UTF-8' : ((error as NodeJS.ErrnoException).code ?? 'unreadable')}`,
    )
  }
  const parsed = parseScenario(text)
  if (!parsed.ok) throw new ScenarioRefused(`${file}: ${parsed.reason}`)
  return { recipe: parsed.recipe, text }
}

export type ScenarioChoice =
  | { readonly ok: true; readonly scenario: ChosenScenario }
  /** A code for each wrong field: `scenario`: `unknown`; `scenario_input.<name>`: `required`, `too_long`, `unknown`. */
  | { readonly ok: false; readonly faults: Readonly<Record<string, string>> }

/** The scenario of an id with its fields filled in. One that is not active is as if it were not there. */
export function chooseScenario(scenarios: readonly LoadedScenario[], id: string, given: ScenarioInput): ScenarioChoice {
  const found = scenarios.find(({ recipe }) => recipe.id === id && recipe.active)
  return found === undefined ? { ok: false, faults: { scenario: 'unknown' } } : fillScenario(found, given)
}

export function fillScenario({ recipe, text }: LoadedScenario, given: ScenarioInput): ScenarioChoice {
  const checked = checkScenarioInput(recipe, given)
  if (checked.ok) return { ok: true, scenario: { recipe, text, input: checked.input } }
  const faults = Object.entries(checked.faults).map(([name, code]) => [`scenario_input.${name}`, code])
  return { ok: false, faults: Object.fromEntries(faults) as Record<string, string> }
}

/** A scenario as it was kept with the evidence when it was chosen. @throws ScenarioRefused when it is no longer readable */
export function reviveScenario(text: string, input: ScenarioInput): ChosenScenario {
  const parsed = parseScenario(text)
  if (!parsed.ok) throw new ScenarioRefused(parsed.reason)
  return { recipe: parsed.recipe, text, input }
}
