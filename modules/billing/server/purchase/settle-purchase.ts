import type { Tx } from '../../../../platform/db/database.ts'
import type { Instalment } from '../invoice/instalment-store.ts'
import { changeStatus } from '../invoice/instalment-store.ts'
import { issueInvoice } from '../issue/issue-invoice.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { changePurchase, findPurchaseOf } from './purchase-store.ts'

/**
 * What was bought by itself is paid: its invoice is issued, and whoever keeps the thing is told, all in the transaction of the payment, or
 * nothing of it. The caller holds the customer.
 * @returns false: what was paid is no purchase
 */
export async function settlePurchase(tx: Tx, deps: BillingDeps, instalment: Instalment): Promise<boolean> {
  const purchase = instalment.invoiceId === null ? null : await findPurchaseOf(tx, instalment.invoiceId)
  if (purchase === null || purchase.status !== 'open') return false
  const now = deps.clock.now()
  const purchased = deps.purchases?.[purchase.category]
  if (purchased === undefined) throw new Error(`nobody answers for purchases of ${purchase.category}`)
  await issueInvoice(tx, deps, purchase.invoiceId)
  await changeStatus(tx, instalment, 'paid', now, { nextAttemptOn: null })
  await changePurchase(tx, purchase, 'paid', now)
  await purchased.paid(tx, purchase.subjectId)
  return true
}
