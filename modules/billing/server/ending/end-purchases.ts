import { findCustomer, lockCustomer } from '../customer/customer-store.ts'
import { dropPurchases } from '../purchase/drop-purchase.ts'
import type { BillingDeps } from '../seller/deps.ts'

/**
 * Whoever closes his account buys nothing any more, so that nothing waits for a payment that may take weeks: what was not paid is dropped. What
 * still comes in for it is given back. A second time it does nothing.
 */
export async function endPurchases(deps: Pick<BillingDeps, 'db' | 'clock'>, accountId: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const customer = await findCustomer(tx, accountId)
    if (customer === null) return
    await lockCustomer(tx, customer.id)
    await dropPurchases(tx, deps, customer.id)
  })
}
