import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { byHand, type PayoutDeps } from '../keep/deps.ts'
import { holdPayee } from '../keep/earning-store.ts'
import { findPayout } from '../keep/payout-store.ts'
import { fail, succeed, takeBack } from './note-outcome.ts'

/**
 * What the operator's own bank says became of a payout. Said again, it is refused: a statement has each line once.
 * @throws DomainError `payout.unknown`, `payout.not_by_hand`, `payout.illegal_transition`
 */
export async function settleByHand(
  deps: Pick<PayoutDeps, 'db' | 'clock'>,
  actor: Actor,
  id: string,
  { outcome, reason }: { readonly outcome: 'success' | 'failed' | 'returned'; readonly reason: string },
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const before = await findPayout(tx, id)
    if (before === null) throw new DomainError('not_found', 'payout.unknown')
    if (before.realm !== byHand) throw new DomainError('conflict', 'payout.not_by_hand')
    await holdPayee(tx, before.userId)
    const payout = (await findPayout(tx, id)) ?? before
    if (outcome === 'success') await succeed(tx, deps, payout, {})
    else if (outcome === 'failed') await fail(tx, deps, payout, 'account_refused', null)
    else await takeBack(tx, deps, payout)
    const subject = { type: 'payout', id }
    const data = { outcome, reason, cents: payout.grossCents }
    await recordAct(tx, deps.clock.now(), { action: 'payout.settled', actor, subject, data })
  })
}
