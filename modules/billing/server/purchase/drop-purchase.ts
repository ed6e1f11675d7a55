import type { Tx } from '../../../../platform/db/database.ts'
import { changeStatus, findInstalment, untieInvoice, type Instalment } from '../invoice/instalment-store.ts'
import { deleteDraft } from '../invoice/invoice-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { changePurchase, findPurchase, listOpenOf, type Bought, type Purchase } from './purchase-store.ts'

/**
 * What nobody paid for is bought no more: its draft goes, and took no number. While a payment is under way nothing is dropped: what is paid is
 * never lost (H-50). The caller holds the customer (`holdPayer`).
 * @returns what became of it; `none`: there is none
 */
export async function dropPurchase(
  tx: Tx,
  deps: Pick<BillingDeps, 'clock'>,
  bought: Bought,
): Promise<'dropped' | 'processing' | 'paid' | 'none'> {
  const purchase = await findPurchase(tx, bought)
  if (purchase === null) return 'none'
  if (purchase.status !== 'open') return 'paid'
  const instalment = await findInstalment(tx, purchase.instalmentId)
  if (instalment === null || !['due', 'failed'].includes(instalment.status)) return 'processing'
  await drop(tx, deps, purchase, instalment)
  return 'dropped'
}

async function drop(tx: Tx, deps: Pick<BillingDeps, 'clock'>, purchase: Purchase, instalment: Instalment): Promise<void> {
  const now = deps.clock.now()
  await changeStatus(tx, instalment, 'dropped', now)
  await untieInvoice(tx, instalment.id)
  await changePurchase(tx, purchase, 'dropped', now)
  await deleteDraft(tx, purchase.invoiceId)
}

/** All that a customer has not paid, whether or not a payment is under way: what comes of that is given back. The caller holds him. */
export async function dropPurchases(tx: Tx, deps: Pick<BillingDeps, 'clock'>, customerId: string): Promise<void> {
  for (const purchase of await listOpenOf(tx, customerId)) {
    const instalment = await findInstalment(tx, purchase.instalmentId)
    if (instalment !== null) await drop(tx, deps, purchase, instalment)
  }
}
