import type { Tx } from '../../../../platform/db/database.ts'
import { changeStatus, listOpen, untieInvoice, type Instalment } from '../invoice/instalment-store.ts'
import { deleteDraft, lockInvoice } from '../invoice/invoice-store.ts'

/** What was to be paid and never was asked for: without invoice, or with a draft, which goes. What was issued stays owed. */
export async function dropOpen(
  tx: Tx,
  subscriptionId: string,
  now: Date,
  which: (instalment: Instalment) => boolean = () => true,
): Promise<void> {
  for (const instalment of await listOpen(tx, subscriptionId)) {
    const { invoiceId } = instalment
    if (!which(instalment)) continue
    if (invoiceId !== null && (await lockInvoice(tx, invoiceId)).status === 'issued') continue
    await changeStatus(tx, instalment, 'dropped', now)
    if (invoiceId === null) continue
    await untieInvoice(tx, instalment.id)
    await deleteDraft(tx, invoiceId)
  }
}
