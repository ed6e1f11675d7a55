import type { Tx } from '../../../../platform/db/database.ts'
import { changeStatus, findInstalment, untieInvoice } from '../invoice/instalment-store.ts'
import { deleteDraft } from '../invoice/invoice-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { changePurchase, findPurchase, type Bought } from './purchase-store.ts'

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
  const now = deps.clock.now()
  await changeStatus(tx, instalment, 'dropped', now)
  await untieInvoice(tx, instalment.id)
  await changePurchase(tx, purchase, 'dropped', now)
  await deleteDraft(tx, purchase.invoiceId)
  return 'dropped'
}
