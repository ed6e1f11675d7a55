import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { doOrShow, nameOfShown, Shown } from '../../../billing/server/index.ts'
import type { PayoutConsequence } from '../../contract/administration.ts'
import { byHand, type PayoutDeps } from '../keep/deps.ts'
import { listEntriesOfNow } from '../keep/entry-store.ts'
import { holdPayee, sumEarnings } from '../keep/earning-store.ts'
import { findPayout, type Payout } from '../keep/payout-store.ts'
import { fail, succeed, takeBack } from './note-outcome.ts'

type Told = {
  readonly outcome: 'success' | 'failed' | 'returned'
  readonly reason: string
  /** Names what was shown of it; without it nothing is done, and it is shown. */
  readonly accepted?: string | undefined
}
export type Settled = { readonly done: boolean; readonly shown: string; readonly consequence: PayoutConsequence }

const billed = { success: 'self_billed', returned: 'self_billed_credit', failed: null } as const

/**
 * What the operator's own bank says became of a payout: done and rolled back to show what it would bring, then done as it was shown, or not at all
 * (0384). Said again, it is refused: a statement has each line once.
 * @throws DomainError `payout.unknown`, `payout.not_by_hand`, `payout.illegal_transition`, `payout.consequence_changed`
 */
export async function settleByHand(
  deps: Pick<PayoutDeps, 'db' | 'clock'>,
  actor: Actor,
  id: string,
  { outcome, reason, accepted }: Told,
): Promise<Settled> {
  return await doOrShow(deps, async (tx) => {
    const before = await findPayout(tx, id)
    if (before === null) throw new DomainError('not_found', 'payout.unknown')
    if (before.realm !== byHand) throw new DomainError('conflict', 'payout.not_by_hand')
    await holdPayee(tx, before.userId)
    const payout = (await findPayout(tx, id)) ?? before
    const had = await sumEarnings(tx, payout.userId)
    if (outcome === 'success') await succeed(tx, deps, payout, {})
    else if (outcome === 'failed') await fail(tx, deps, payout, 'account_refused', null)
    else await takeBack(tx, deps, payout)
    const consequence = await consequenceOf(tx, payout, outcome, had)
    const shown = nameOfShown({ id, outcome, reason, consequence })
    if (accepted === undefined) throw new Shown<Settled>({ done: false, shown, consequence })
    if (accepted !== shown) throw new DomainError('conflict', 'payout.consequence_changed')
    const subject = { type: 'payout', id }
    const data = { outcome, reason, cents: payout.grossCents }
    await recordAct(tx, deps.clock.now(), { action: 'payout.settled', actor, subject, data })
    return { done: true, shown, consequence }
  })
}

async function consequenceOf(
  tx: Tx,
  payout: Payout,
  outcome: Told['outcome'],
  had: Awaited<ReturnType<typeof sumEarnings>>,
): Promise<PayoutConsequence> {
  const has = await sumEarnings(tx, payout.userId)
  return {
    status: { before: payout.status, after: outcome },
    owed_cents: { before: had.owed, after: has.owed },
    reserved_cents: { before: had.reserved, after: has.reserved },
    paid_cents: { before: had.paid, after: has.paid },
    invoice: payout.vatTreatment === 'none' || payout.payee === null ? null : billed[outcome],
    entries: [...(await listEntriesOfNow(tx))],
  }
}
