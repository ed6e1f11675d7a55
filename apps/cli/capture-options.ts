import {
  chooseScenario,
  fillScenario,
  loadScenarios,
  readScenarioFile,
  ScenarioRefused,
  type Preparation,
} from '../../modules/capture/server/index.ts'
import type { Messages } from '../../platform/messages/messages.ts'

/** What the command line says about the page before it is photographed. */
export type AskedOptions = {
  readonly closeCookies: boolean
  /** Id of a scenario of the product or of PROBANT_SCENARIOS. */
  readonly scenario: string | undefined
  /** A recipe that is in neither. */
  readonly scenarioFile: string | undefined
  /** `name=value`, each. */
  readonly scenarioInput: readonly string[]
}

export const optionFlags = {
  'close-cookies': { type: 'boolean', default: false },
  scenario: { type: 'string' },
  'scenario-file': { type: 'string' },
  'scenario-input': { type: 'string', multiple: true, default: [] as string[] },
} as const

/** @returns what is to be done first, undefined when nothing is; or a sentence that says what is wrong with the options */
export async function readPreparation(
  asked: AskedOptions,
  scenariosFolder: string | undefined,
  messages: Messages,
): Promise<{ readonly preparation: Preparation | undefined } | { readonly fault: string }> {
  const { closeCookies, scenario, scenarioFile } = asked
  const none = scenario === undefined && scenarioFile === undefined
  if (scenario !== undefined && scenarioFile !== undefined) return { fault: messages.format('capture.command.one_scenario') }
  const input: Record<string, string> = {}
  for (const each of asked.scenarioInput) {
    const at = each.indexOf('=')
    if (at < 1 || none) return { fault: messages.format('capture.command.scenario_input', { field: each, reason: 'unknown' }) }
    input[each.slice(0, at)] = each.slice(at + 1)
  }
  if (none) return { preparation: closeCookies ? { closeCookies, scenario: null } : undefined }
  try {
    const choice =
      scenarioFile === undefined
        ? chooseScenario(await loadScenarios(scenariosFolder ?? null), scenario ?? '', input)
        : fillScenario(await readScenarioFile(scenarioFile), input)
    if (choice.ok) return { preparation: { closeCookies, scenario: choice.scenario } }
    const [field = '', reason = ''] = Object.entries(choice.faults)[0] ?? []
    return {
      fault:
        field === 'scenario'
          ? messages.format('capture.command.no_scenario', { id: scenario ?? '' })
          : messages.format('capture.command.scenario_input', { field: field.replace(/^scenario_input\./, ''), reason }),
    }
  } catch (error) {
    if (error instanceof ScenarioRefused)
      return { fault: messages.format('capture.command.scenario_refused', { reason: error.message }) }
    throw error
  }
}
