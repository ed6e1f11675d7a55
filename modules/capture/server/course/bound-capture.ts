import type { CaptureLimits } from '../../domain/outcome/limits.ts'
import type { CaptureResult } from '../../domain/outcome/outcome.ts'
import type { CaptureDeps } from './capture-request.ts'
import { nameCaptureFailure } from './name-capture-failure.ts'
import type { SessionState } from '../session/prepare-session.ts'

class Deadline extends Error {}

/** Runs a capture of either kind for so long at most, in milliseconds. @throws CaptureFailure, and nothing else. */
export async function boundCapture<Deps extends Pick<CaptureDeps, 'signal' | 'log'>>(
  totalMs: number,
  limits: CaptureLimits,
  deps: Deps,
  run: (deps: Deps, state: SessionState) => Promise<CaptureResult>,
): Promise<CaptureResult> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new Deadline()), totalMs)
  const signal = AbortSignal.any([deps.signal, deadline.signal])
  const session: SessionState = { browser: null, page: null, tooLarge: false }
  try {
    return await run({ ...deps, signal }, session)
  } catch (error) {
    const [cancelled, timeUp] = [deps.signal.aborted, deadline.signal.aborted]
    throw nameCaptureFailure(error, { cancelled, timeUp, limits, session, log: deps.log })
  } finally {
    clearTimeout(timer)
  }
}
