import { findAttempt, isLive, listToAsk, type Attempt } from '../../settlement/attempt-store.ts'
import type { PaymentDeps } from '../means/deps.ts'
import { askProvider } from './ask-provider.ts'
import { noteOutcome } from './note-outcome.ts'

/** Asks after one, and takes into the books what is heard. */
export async function askAfter(deps: PaymentDeps, attempt: Attempt): Promise<string> {
  const heard = await askProvider(deps, attempt)
  await noteOutcome(deps, attempt.id, heard)
  return heard.state
}

const atATime = 100
/** Where one does not hear anything of so many in a row, the provider is down: the rest is left for later. */
const patience = 5

/**
 * Whatever nobody has heard the end of, the longest waiting first: processes that were killed, answers that were lost, customers who did not
 * come back, banks that take days.
 * @returns how many were asked after
 */
export async function askAfterAll(deps: PaymentDeps, signal?: AbortSignal): Promise<number> {
  const { provider, db, clock } = deps
  if (provider === null) return 0
  let [asked, silent] = [0, 0]
  for (const id of await listToAsk(db, provider.realm, clock.now(), atATime)) {
    if (signal?.aborted === true || silent >= patience) break
    const attempt = await findAttempt(db, id)
    if (attempt === null || !isLive(attempt)) continue
    const heard = await askAfter(deps, attempt)
    silent = heard === 'unsent' || heard === 'unknown' ? silent + 1 : 0
    asked += 1
  }
  return asked
}
