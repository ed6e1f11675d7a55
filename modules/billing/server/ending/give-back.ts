import type { Tx } from '../../../../platform/db/database.ts'
import { creditLeft, lockCustomer } from '../customer/customer-store.ts'
import { findInstalment } from '../invoice/instalment-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { listRefundable } from '../settlement/refund-store.ts'
import { beginRefund } from '../settlement/start-refund.ts'
import { takeOff } from '../settlement/take-off.ts'
import { findRefused, listGivingBack, listIssued, listPayable } from './ending-store.ts'

/** So long it is not asked again whether a dispute is over. */
const patienceMs = 7 * 86_400_000

/**
 * What is to the credit of a customer whose account ends first pays what he owes (C. civ., art. 1347), the earliest first; the rest begins its way
 * back by the payments that it came by. What is being paid at this moment waits until that is over, and is looked at again every day. The caller
 * holds him. A second time it does nothing.
 */
export async function giveBack(tx: Tx, deps: BillingDeps, customerId: string): Promise<void> {
  for (const id of await listPayable(tx, customerId)) {
    const credit = await creditLeft(tx, customerId)
    const due = credit === 0 ? null : await findInstalment(tx, id)
    if (due !== null) await takeOff(tx, deps, due, credit)
  }
  for (const invoiceId of await listIssued(tx, customerId)) {
    const [refundable] = await listRefundable(tx, [invoiceId])
    if (refundable === undefined || refundable.busy) continue
    const { cents: amount, busy: _, ...of } = refundable
    const refused = await findRefused(tx, refundable.attemptId)
    const mayHaveGone = refused !== null && ['disputed', 'already_refunded'].includes(refused.failure ?? '')
    // What his bank or the provider gives him is not given to him beside that: where it stands is asked again.
    if (mayHaveGone && deps.clock.now().getTime() - refused.at.getTime() < patienceMs) continue
    // A card that is no more, say: somebody transfers it.
    const by = refused === null || mayHaveGone ? {} : ({ channel: 'bank', realm: null } as const)
    await beginRefund(tx, deps, { ...of, ...by, amount })
  }
}

/** Accounts that have ended, and something is still to their credit: a payment was under way then, or a refund failed. @returns how many */
export async function giveBackLeft(deps: BillingDeps, signal?: AbortSignal): Promise<number> {
  let looked = 0
  for (const id of await listGivingBack(deps.db)) {
    if (signal?.aborted === true) break
    await deps.db.transaction().execute(async (tx) => {
      const { userId } = await lockCustomer(tx, id)
      if (userId === null) await giveBack(tx, deps, id)
    })
    looked += 1
  }
  return looked
}
