import type { ScenarioStepOutcome } from '../outcome/outcome.ts'

/**
 * Whether a step failed. A page with nothing folded away, or without a cookie banner, leaves nothing to do: that is said, and is no
 * fault of the capture.
 */
export function isStepFault({ kind, result }: Pick<ScenarioStepOutcome, 'kind' | 'result'>): boolean {
  if (result === 'done') return false
  return !(result === 'not_found' && (kind === 'expand' || kind === 'dismiss_cookie_banner'))
}
