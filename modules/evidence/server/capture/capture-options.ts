import { reviveScenario, type Preparation } from '../../../capture/server/index.ts'
import type { CaptureOptions } from '../../domain/capture-options.ts'

/** What the witness does to the page first. Absent when nothing was asked for. @throws ScenarioRefused */
export function preparationOf({ options }: { readonly options: CaptureOptions }): Preparation | undefined {
  const { closeCookies, scenario } = options
  if (!closeCookies && scenario === null) return undefined
  return { closeCookies, scenario: scenario === null ? null : reviveScenario(scenario.text, scenario.input) }
}
