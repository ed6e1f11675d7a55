import { reviveScenario, type Preparation } from '../../capture/server/index.ts'
import type { EvidenceRecord } from './store.ts'

/** What was asked for besides the address, as it is kept with the evidence; a retry asks the same. */
export type CaptureOptions = {
  readonly closeCookies: boolean
  /** The recipe's text as it stood when it was chosen, and the values of its fields; null: none was asked for. */
  readonly scenario: { readonly id: string; readonly text: string; readonly input: Readonly<Record<string, string>> } | null
}

/** What the witness does to the page first. Absent when nothing was asked for. @throws ScenarioRefused */
export function preparationOf({ options }: Pick<EvidenceRecord, 'options'>): Preparation | undefined {
  const { closeCookies, scenario } = options
  if (!closeCookies && scenario === null) return undefined
  return { closeCookies, scenario: scenario === null ? null : reviveScenario(scenario.text, scenario.input) }
}
