import { setTimeout as sleep } from 'node:timers/promises'
import { CaptureFailure } from '../../../capture/server/index.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { failVantage, findVantage, leave, readyFirst, readySecond } from './vantage-store.ts'

/** How long either waits before the blank page for the other. */
export const defaultMeetMs = 20_000
/** The two set out at most this much apart, and what a look takes. */
const lookMs = 50

/**
 * The first stands before the blank page. Resolves when the second does too, or when there will be none: the capture that was
 * asked for is made in any case, and its facts say what became of the second.
 */
export async function meetAsFirst(db: Db, evidenceId: string, signal: AbortSignal, waitMs = defaultMeetMs): Promise<void> {
  await readyFirst(db, evidenceId)
  const until = performance.now() + waitMs
  for (;;) {
    const vantage = await findVantage(db, evidenceId)
    if (vantage === null || vantage.status === 'failed') break
    if (vantage.secondReadyAt !== null && !vantage.lost) break
    // Decided in one statement: either the second was ready by then, or it finds itself shut out.
    if (performance.now() >= until) await failVantage(db, evidenceId, 'not_met', 'not_ready')
    if (vantage.lost) await failVantage(db, evidenceId, 'lost', 'not_ended')
    await sleep(lookMs, undefined, { signal })
  }
  await leave(db, evidenceId, 'first')
}

/**
 * The second stands ready. Resolves when the first does too. @throws CaptureFailure `cancelled` when there is nothing to meet
 * any more, or the first does not come.
 */
export async function meetAsSecond(
  db: Db,
  { evidenceId, fence }: { readonly evidenceId: string; readonly fence: number },
  signal: AbortSignal,
  waitMs = defaultMeetMs,
): Promise<void> {
  if (!(await readySecond(db, evidenceId, fence))) throw new CaptureFailure('cancelled')
  const until = performance.now() + waitMs
  for (;;) {
    const vantage = await findVantage(db, evidenceId)
    if (vantage?.status !== 'capturing') throw new CaptureFailure('cancelled')
    if (vantage.firstReadyAt !== null) break
    if (performance.now() >= until) {
      await failVantage(db, evidenceId, 'not_met', { fence })
      throw new CaptureFailure('cancelled')
    }
    await sleep(lookMs, undefined, { signal })
  }
  await leave(db, evidenceId, 'second')
}
