import { cancel } from '../../domain/subscription/machine.ts'
import { findCustomer, lockCustomer } from '../customer/customer-store.ts'
import { issueExtras } from '../extras/issue-extras.ts'
import { endMeansOf } from '../payment/means/end-means.ts'
import { dropPurchases } from '../purchase/drop-purchase.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { dropOpen } from '../subscription/drop-open.ts'
import { findCurrent, saveSubscription } from '../subscription/subscription-store.ts'
import { forgetUser } from './ending-store.ts'

type EndingDeps = Pick<BillingDeps, 'db' | 'clock'> & {
  /** undefined: nothing is paid for any more, and nothing invoiced. */
  readonly billing: BillingDeps | undefined
}

/**
 * The end of an account: what it had beyond its plan is invoiced, its subscription ends, what was to come is dropped, by nothing is it charged
 * any more, and what was issued stays for ten years under a number that leads to nobody (H-38). A second time it does nothing.
 */
export async function endCustomer(deps: EndingDeps, accountId: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const customer = await findCustomer(tx, accountId)
    if (customer === null) return
    await lockCustomer(tx, customer.id)
    const now = deps.clock.now()
    await dropPurchases(tx, deps, customer.id)
    if (deps.billing !== undefined) await issueExtras(tx, deps.billing, customer.id, null)
    const held = await findCurrent(tx, customer.id)
    if (held !== null) {
      await dropOpen(tx, held.id, now)
      await saveSubscription(tx, held.id, cancel(held.state), 'cancelled', now)
    }
    await endMeansOf(tx, customer.id)
    await forgetUser(tx, customer.id)
  })
}
