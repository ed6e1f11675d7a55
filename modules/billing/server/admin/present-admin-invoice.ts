import type { AdminInvoice } from '../../contract/administration.ts'
import { presentInvoice } from '../calls/present-invoice.ts'
import type { Refundable } from '../settlement/refund-store.ts'
import type { AdminInvoiceRow } from './invoice-admin-store.ts'

export const presentAdminInvoice = (row: AdminInvoiceRow, refundable: readonly Refundable[]): AdminInvoice => ({
  ...presentInvoice(row),
  customer_id: row.customerId,
  customer: row.customer,
  settlement: row.settlement,
  instalment: row.instalment,
  left_cents: row.left,
  creditable_net_cents: row.kind === 'invoice' && row.status === 'issued' ? row.amount.net - row.creditedNet : 0,
  refundable_cents: refundable.find(({ invoiceId, busy }) => invoiceId === row.id && !busy)?.cents ?? 0,
})
