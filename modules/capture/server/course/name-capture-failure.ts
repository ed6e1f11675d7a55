import { BrowserGone, CdpError, CdpTimeout } from '../../../../platform/browser/cdp-connection.ts'
import { IsolationUnavailable, LaunchFailed } from '../../../../platform/browser/launch-browser.ts'
import type { Log } from '../../../../platform/log/log.ts'
import { CaptureFailure } from '../../domain/outcome/failures.ts'
import type { CaptureLimits } from '../../domain/outcome/limits.ts'
import type { SessionState } from '../session/prepare-session.ts'

/** Whatever ended a session, as the failure that its owner reads. What nobody foresaw is logged and called ours. */
export function nameCaptureFailure(
  error: unknown,
  circumstances: {
    readonly cancelled: boolean
    readonly timeUp: boolean
    readonly limits: CaptureLimits
    readonly session: SessionState
    readonly log: Log
  },
): CaptureFailure {
  const { limits, session, log } = circumstances
  const seconds = Math.round(limits.totalMs / 1000)
  if (circumstances.cancelled) return new CaptureFailure('cancelled', {}, error)
  // A record that cannot be kept makes the site seem slow or silent: whatever it ended in, a time limit too, the site is not to blame.
  const late =
    circumstances.timeUp || error instanceof CdpTimeout || (error instanceof CaptureFailure && error.code === 'timeout')
  if (late && session.recordFailed?.() === true)
    return new CaptureFailure('internal', { message: 'the record could not be written' }, error)
  if (error instanceof CaptureFailure) return error
  if (circumstances.timeUp) return new CaptureFailure('timeout', { seconds, step: 'total' }, error)
  if (error instanceof IsolationUnavailable)
    return new CaptureFailure('isolation_unavailable', { reason: error.message.slice(0, 200) }, error)
  if (session.tooLarge) return new CaptureFailure('too_large', { bytes: limits.documentBytes }, error)
  const crash = session.page?.crash ?? null
  if (session.browser?.endReason() === 'out_of_memory' || crash === 'oom' || crash === 'killed')
    return new CaptureFailure('out_of_memory', { megabytes: Math.round((session.browser?.peakBytes() ?? 0) / 1e6) }, error)
  if (error instanceof CdpTimeout) return new CaptureFailure('timeout', { seconds, step: 'page' }, error)
  if (error instanceof BrowserGone || error instanceof LaunchFailed)
    return new CaptureFailure('browser_crashed', { status: crash ?? '' }, error)
  log.error({ err: error }, 'a capture failed unexpectedly')
  return new CaptureFailure('internal', error instanceof CdpError ? { message: error.message.slice(0, 200) } : {}, error)
}
