import type { Tx } from '../../../../platform/db/database.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import { beginOfUnused, cancel } from '../../domain/subscription/machine.ts'
import { creditsFor } from '../../domain/subscription/quote.ts'
import { findCustomer, lockCustomer } from '../customer/customer-store.ts'
import { issueExtras } from '../extras/issue-extras.ts'
import { listInvoiced } from '../invoice/invoice-store.ts'
import { endMeansOf } from '../payment/means/end-means.ts'
import { dropPurchases } from '../purchase/drop-purchase.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { issueCredit } from '../subscription/draft-parts.ts'
import { dropOpen } from '../subscription/drop-open.ts'
import { findCurrent, saveSubscription, type Held } from '../subscription/subscription-store.ts'
import { forgetUser } from './ending-store.ts'
import { giveBack } from './give-back.ts'

type EndingDeps = Pick<BillingDeps, 'db' | 'clock'> & {
  /** undefined: nothing is paid for any more, and nothing invoiced. */
  readonly billing: BillingDeps | undefined
}

/** What was paid for months that have not begun; the one that is running may have been used up. */
async function creditUnused(tx: Tx, deps: BillingDeps, held: Held, now: Date): Promise<void> {
  const on = beginOfUnused(held.state, dayOf(now))
  if (on === null) return
  for (const credit of creditsFor(await listInvoiced(tx, held.id, on), on)) await issueCredit(tx, deps, credit, now)
}

/**
 * All of what a customer has that ends with his account: what he had beyond his plan is invoiced, what he paid for months to come is credited, what
 * is then to his credit pays what he owes, and the rest goes back to him (decision 0438). The caller holds him.
 */
export async function settleEnd(
  tx: Tx,
  deps: Pick<BillingDeps, 'db' | 'clock'>,
  billing: BillingDeps | undefined,
  customerId: string,
): Promise<void> {
  const now = deps.clock.now()
  await dropPurchases(tx, deps, customerId)
  if (billing !== undefined) await issueExtras(tx, billing, customerId, null)
  const held = await findCurrent(tx, customerId)
  if (held !== null) {
    if (billing !== undefined) await creditUnused(tx, billing, held, now)
    await dropOpen(tx, held.id, now)
    await saveSubscription(tx, held.id, cancel(held.state), 'cancelled', now)
  }
  if (billing !== undefined) await giveBack(tx, billing, customerId)
}

/**
 * The end of an account: what was still to be settled is, by nothing is it charged any more, and what was issued stays for ten years under a
 * number that leads to nobody (H-38). A second time it does nothing.
 */
export async function endCustomer(deps: EndingDeps, accountId: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const customer = await findCustomer(tx, accountId)
    if (customer === null) return
    await lockCustomer(tx, customer.id)
    await settleEnd(tx, deps, deps.billing, customer.id)
    await endMeansOf(tx, customer.id)
    await forgetUser(tx, customer.id)
  })
}
