import { isStepFault } from '../../domain/scenario/scenario-fault.ts'
import type { CaptureWarning } from '../../domain/outcome/warnings.ts'
import type { PreparedPage } from './prepare-page.ts'

/** What was asked for and not done: never silent. */
export function warningsOfPreparation({ scenario, cookieBanner }: PreparedPage): readonly CaptureWarning[] {
  const warnings: CaptureWarning[] = []
  if (cookieBanner?.result === 'still_there') warnings.push({ code: 'cookie_banner_kept', data: {} })
  const failed = scenario?.steps.filter(isStepFault) ?? []
  const [first] = failed
  if (scenario !== null && first !== undefined)
    warnings.push({
      code: 'scenario_incomplete',
      data: { failed: failed.length, total: scenario.steps.length, first: first.index + 1 },
    })
  return warnings
}
