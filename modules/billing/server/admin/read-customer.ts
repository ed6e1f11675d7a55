import { DomainError } from '../../../../kernel/errors.ts'
import type { CustomerEntry, CustomerOnTheWire } from '../../contract/administration.ts'
import { outlookOf } from '../calls/outlook-of.ts'
import { presentSubscription } from '../calls/present-subscription.ts'
import { listCustomTerms } from '../plan/plan-store.ts'
import { printedReference } from '../provider/transfer/reference.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { listRefundable } from '../settlement/refund-store.ts'
import { listSubscriptions } from '../subscription/subscription-store.ts'
import {
  findCustomerRow,
  listAttempts,
  listEntries,
  listRefunds,
  type AttemptRow,
  type CustomerRow,
  type EntryRow,
  type RefundRow,
} from './customer-admin-store.ts'
import { listInterventions } from './intervention-store.ts'
import { pageOfAll } from './invoice-admin-store.ts'
import { presentAdminInvoice } from './present-admin-invoice.ts'
import { presentTerms } from './present-terms.ts'

/** What is shown of one customer at once; the rest of his invoices are in the list of invoices. */
const newest = 50

export const presentCustomer = (row: CustomerRow): CustomerEntry => ({
  id: row.id,
  user_id: row.userId,
  name: row.name,
  company: row.company,
  email: row.email,
  created_at: row.createdAt.toISOString(),
  plan: row.plan,
  status: row.status,
  past_due_since: row.pastDueSince,
  credit_cents: row.credit,
  owed_cents: row.owed,
})

const presentEntry = ({ year, number, ...entry }: EntryRow) => ({ ...entry, number: `${year}-${number}` })

const presentAttempt = ({ invoiceId, amount, createdAt, ...attempt }: AttemptRow) => ({
  ...attempt,
  invoice_id: invoiceId,
  amount_cents: amount,
  created_at: createdAt.toISOString(),
})

const presentRefund = ({ amount, createdAt, creditNote, reference, transfer, ...refund }: RefundRow) => ({
  ...refund,
  credit_note: creditNote,
  reference: transfer === null ? reference : printedReference(transfer),
  amount_cents: amount,
  created_at: createdAt.toISOString(),
})

/** One customer, whole. @throws DomainError `billing.customer_unknown` */
export async function readCustomer(deps: BillingDeps, id: string): Promise<CustomerOnTheWire> {
  const { db } = deps
  const row = await findCustomerRow(db, id)
  if (row === null) throw new DomainError('not_found', 'billing.customer_unknown')
  const held = await listSubscriptions(db, id)
  const { rows: invoices } = await pageOfAll(
    db,
    { category: null, status: null, customerId: id, search: null, limit: newest, offset: 0 },
    newest,
  )
  const refundable = await listRefundable(
    db,
    invoices.map((each) => each.id),
  )
  const custom = await listCustomTerms(db, id)
  const done = await listInterventions(db, id, newest)
  return {
    ...presentCustomer(row),
    country: row.country,
    vat_number: row.vatNumber,
    vat_check: row.vatCheck,
    balance_cents: row.balance,
    subscriptions: await Promise.all(held.map(async (each) => presentSubscription(each, await outlookOf(deps, each)))),
    invoices: invoices.map((each) => presentAdminInvoice(each, refundable)),
    entries: (await listEntries(db, id, newest)).map(presentEntry),
    attempts: (await listAttempts(db, id, newest)).map(presentAttempt),
    refunds: (await listRefunds(db, id, newest)).map(presentRefund),
    interventions: done.map(({ amount, at, ...each }) => ({ ...each, amount_cents: amount, at: at.toISOString() })),
    custom_plans: custom.map(({ addedAt, ...each }) => ({ ...presentTerms(each), added_at: addedAt.toISOString() })),
  }
}
