import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'
import { attemptStatuses, instalmentStatuses, publicStatuses, refundStatuses } from '../domain/invoice/status.ts'
import { plans } from '../domain/plan/plan.ts'
import { subscriptionStatuses } from '../domain/subscription/machine.ts'
import { invoice, readDocument } from './invoices.ts'
import { planTerms } from './plans.ts'
import { subscription } from './subscriptions.ts'

/** To anybody else these calls do not exist (H-20). */
const administering = { access: ['administrator'] } as const
const byId = z.object({ id: z.uuid() })
const cents = z.int().nonnegative()

/** Lists of thousands of pages are looked through by nobody: what is beyond is found by narrowing. */
export const mostCounted = 1000
const cappedPageOf = <T extends z.ZodType>(item: T) =>
  pageOf(item).extend({ count_capped: z.boolean().describe('Whether there are more than are counted.') })

const person = z.object({ name: z.string(), company: z.string().nullable(), email: z.string().nullable() })

export const customerEntry = person.extend({
  id: z.uuid(),
  user_id: z.uuid().nullable().describe('null: his account is no more.'),
  created_at: z.iso.datetime(),
  plan: z.enum(plans),
  status: z.enum(subscriptionStatuses),
  past_due_since: z.iso.date().nullable(),
  credit_cents: cents.describe('To his credit, VAT included.'),
  owed_cents: cents.describe('Of invoices that were issued and are not paid.'),
})
export type CustomerEntry = z.infer<typeof customerEntry>

/** `search`: words of a name or a company, the beginning of an address, a VAT number, the number of an invoice, an id. */
export const listCustomers = endpoint({
  method: 'GET',
  path: '/admin/billing/customers/',
  summary: 'List who is invoiced',
  ...administering,
  query: pageQuery.omit({ ordering: true }).extend({
    standing: z
      .enum(['past_due', 'suspended', 'credit_left'])
      .optional()
      .describe('`credit_left`: of accounts that have ended, something is still to be given back.'),
  }),
  response: cappedPageOf(customerEntry),
})

const posting = z.object({ account: z.string(), debit_cents: cents, credit_cents: cents })
export const journalEntry = z.object({
  number: z.string(),
  on: z.iso.date(),
  journal: z.enum(['VE', 'BQ', 'HA']),
  kind: z.string(),
  invoice: z.string().nullable().describe('Number of the invoice.'),
  postings: z.array(posting),
})

export const paymentAttempt = z.object({
  id: z.uuid(),
  invoice_id: z.uuid().nullable(),
  invoice: z.string().nullable(),
  status: z.enum(attemptStatuses),
  amount_cents: cents,
  channel: z.enum(['provider', 'bank']),
  reference: z.string().nullable(),
  failure: z.string().nullable(),
  created_at: z.iso.datetime(),
})

export const refundLine = z.object({
  id: z.uuid(),
  invoice: z.string().nullable(),
  credit_note: z.string().nullable().describe('By which it was to the customer’s credit.'),
  status: z.enum(refundStatuses),
  by: z.enum(['provider', 'bank']).describe('`bank`: somebody transfers it by hand, from the seller’s own account.'),
  amount_cents: cents,
  reference: z.string().nullable().describe('As the provider names it; of a transfer by hand, the reference that it is to bear.'),
  failure: z.string().nullable(),
  created_at: z.iso.datetime(),
})

export const interventionKinds = [
  'credit_note',
  'settlement',
  'refund',
  'refund_paid',
  'refund_dropped',
  'retry',
  'custom_plan',
] as const
export const intervention = z.object({
  kind: z.enum(interventionKinds),
  invoice: z.string().nullable(),
  amount_cents: cents.nullable(),
  reference: z.string().nullable(),
  reason: z.string(),
  by: z.string().describe('Name of the administrator.'),
  at: z.iso.datetime(),
})

export const adminInvoice = invoice.extend({
  customer_id: z.uuid(),
  customer: z.string(),
  settlement: z.enum(['pending', 'processing', 'success', 'failed', 'reversed']),
  instalment: z.enum(instalmentStatuses).nullable().describe('null: nothing is to be paid of it, as of a credit note.'),
  left_cents: cents.describe('Still to be paid.'),
  creditable_net_cents: cents.describe('What no credit note has taken from it yet, without VAT.'),
  refundable_cents: cents.describe('What was paid of it, was credited, and may be given back.'),
})
export type AdminInvoice = z.infer<typeof adminInvoice>

export const customPlanLine = planTerms.extend({ added_at: z.iso.datetime() })

export const customer = customerEntry.extend({
  country: z.string().nullable(),
  vat_number: z.string().nullable(),
  vat_check: z.enum(['valid', 'invalid', 'unreachable']).nullable(),
  balance_cents: z.int().describe('By his account in the journal: positive, he owes it.'),
  subscriptions: z.array(subscription),
  invoices: z.array(adminInvoice).describe('The newest.'),
  entries: z.array(journalEntry).describe('The newest.'),
  attempts: z.array(paymentAttempt).describe('The newest.'),
  refunds: z.array(refundLine),
  interventions: z.array(intervention),
  custom_plans: z.array(customPlanLine).describe('Prices that were agreed with him, those that count first.'),
})
export type CustomerOnTheWire = z.infer<typeof customer>

export const readCustomer = endpoint({
  method: 'GET',
  path: '/admin/billing/customers/:id/',
  summary: 'Read what one customer has, owes, paid and was given',
  ...administering,
  params: byId,
  response: customer,
})

/** @throws `billing.invoice_unknown`, `billing.not_issued`, `billing.document_being_made`, `billing.document_faulty` */
export const readAnyDocument = endpoint({
  method: 'GET',
  path: '/admin/billing/invoices/:id/pdf/',
  summary: 'Download an invoice or a credit note of a customer',
  ...administering,
  params: byId,
  query: readDocument.query,
  response: 'stream',
})

/** `search`: the number of an invoice, or of a series; else as of customers. */
export const listAllInvoices = endpoint({
  method: 'GET',
  path: '/admin/billing/invoices/',
  summary: 'List the invoices and credit notes of all customers',
  ...administering,
  query: pageQuery.omit({ ordering: true }).extend({
    category: z.enum(['subscription', 'evidence', 'document', 'license']).optional(),
    status: z.enum(publicStatuses).optional(),
    customer: z.uuid().optional(),
  }),
  response: cappedPageOf(adminInvoice),
})

export const failedPayment = z.object({
  invoice: adminInvoice,
  since: z.iso.datetime(),
  failures: z.int().nonnegative(),
  next_attempt_on: z.iso.date().nullable().describe('Day on which it is tried again by itself; null: it is not.'),
  failure: z.string().nullable().describe('Why the last attempt failed, as the provider says it.'),
})

export type FailedPayment = z.infer<typeof failedPayment>

/** `unknown`: nobody knows what became of it; `action_required`: its payer has to do something at his bank’s. */
export const listFailedPayments = endpoint({
  method: 'GET',
  path: '/admin/billing/failed_payments/',
  summary: 'List payments that failed or hang',
  ...administering,
  query: pageQuery
    .pick({ page: true, page_size: true })
    .extend({ status: z.enum(['failed', 'unknown', 'action_required']).default('failed') }),
  response: cappedPageOf(failedPayment),
})

const typed = (longest: number) =>
  z
    .string()
    .trim()
    .min(1, { error: 'required' })
    .max(longest, { error: 'too_long' })
    .refine((text) => !text.includes('\0'), { error: 'characters' })
const reason = typed(500).describe('Why; kept with what was done, and shown to administrators alone.')
const accepted = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .optional()
  .describe('`shown` of the answer that told what it would bring. Without it nothing is done, and it is told.')

const change = <T extends z.ZodType>(value: T) => z.object({ before: value, after: value })

/** All that an act changes of what one customer has, by the very rules that carry it out. */
export const consequence = z.object({
  credit: change(cents).describe('To his credit, before and after.'),
  balance: change(z.int()).describe('What he owes by the journal; negative: what is his.'),
  documents: z
    .array(
      z.object({
        kind: z.enum(['invoice', 'credit_note']),
        net_cents: cents,
        vat_cents: cents,
        gross_cents: cents,
        credits: z.string().nullable().describe('Number of the invoice that a credit note takes from.'),
      }),
    )
    .describe('Issued by it.'),
  invoices: z.array(
    z.object({
      id: z.uuid(),
      number: z.string().nullable(),
      status: change(z.string()),
      left_cents: change(cents),
      tried_on: change(z.iso.date().nullable()).describe('Day on which it is tried again to be paid.'),
    }),
  ),
  refunds: z.array(
    z.object({
      invoice: z.string().nullable().describe('Number of the invoice.'),
      amount_cents: cents,
      by: z.enum(['provider', 'bank']),
      status: z.object({ before: z.string().nullable().describe('null: it begins.'), after: z.string() }),
    }),
  ),
  subscription: z
    .object({ status: change(z.string()), plan: change(z.string()) })
    .nullable()
    .describe('null: it stays.'),
  entries: z.array(z.object({ journal: z.string(), kind: z.string(), postings: z.array(posting) })),
})
export type Consequence = z.infer<typeof consequence>

const answered = z.object({
  done: z.boolean(),
  shown: z.string().describe('Names the consequence; sent as `accepted`, exactly that is done, or nothing.'),
  consequence,
})
export type Answered = z.infer<typeof answered>

const onInvoice = <const B extends z.ZodType>(path: `/${string}/`, summary: string, body: B) =>
  endpoint({ method: 'POST', path, summary, ...administering, params: byId, body, response: answered })

/**
 * Whole, or as much of its net amount; what is not paid yet of the invoice is taken off first, the rest is to the customer’s credit.
 * @throws `billing.invoice_unknown`, `billing.not_creditable`, `billing.payment_processing`, `billing.consequence_changed`
 */
export const creditInvoice = onInvoice(
  '/admin/billing/invoices/:id/credit/',
  'Credit an invoice, whole or in part',
  z.object({ net_cents: z.int().positive().optional().describe('Without it: all that is left of it.'), reason, accepted }),
)

/** Money that came another way, for all that is to be paid. @throws `billing.nothing_due`, `billing.payment_processing` */
export const settleInvoice = onInvoice(
  '/admin/billing/invoices/:id/settle/',
  'Say that an invoice is paid',
  z.object({ reference: typed(200).describe('Of the transfer or cheque.'), reason, accepted }),
)

/** By what the customer’s renewals are charged to, at the next run. @throws `billing.nothing_due`, `billing.payment_processing`, `billing.not_chargeable` */
export const retryPayment = onInvoice(
  '/admin/billing/invoices/:id/retry/',
  'Try again today to be paid',
  z.object({ reason, accepted }),
)

/**
 * What a credit note of it has put to the customer’s credit goes back the way that it came. Whoever took the payment is asked once this is done; of
 * what came to the seller’s own account it is told that somebody has to transfer it.
 * @throws `billing.invoice_unknown`, `billing.not_refundable`, `billing.refund_processing`, `billing.consequence_changed`
 */
export const refundInvoice = onInvoice(
  '/admin/billing/invoices/:id/refund/',
  'Refund what was paid of an invoice and credited',
  z.object({ cents: z.int().positive().optional().describe('Without it: as much as may be.'), reason, accepted }),
)

/** Of one that is made by hand. @throws `billing.refund_unknown`, `billing.refund_not_by_hand`, `billing.consequence_changed` */
export const settleRefund = onInvoice(
  '/admin/billing/refunds/:id/settle/',
  'Say that a refund was transferred',
  z.object({ reference: typed(200).describe('Of the transfer, as the bank names it.'), reason, accepted }),
)

/** It stays to the customer’s credit. @throws as to say that it was transferred */
export const dropRefund = onInvoice(
  '/admin/billing/refunds/:id/drop/',
  'Give up a refund that was to be transferred',
  z.object({ reason, accepted }),
)

const optionalCents = cents.max(2_000_000_000).nullable()
const optionalCount = z.int().min(0).max(1_000_000).nullable()
const terms = {
  month_cents: optionalCents,
  year_cents: optionalCents,
  report_cents: optionalCents,
  timestamp_cents: optionalCents,
  reports_per_month: optionalCount,
  timestamps_per_month: optionalCount,
  drafts: z.int().min(1).max(100_000),
  seats: z.int().min(1).max(100_000),
}

export const planChange = z.object({
  done: z.boolean(),
  shown: z.string(),
  before: planTerms.nullable(),
  after: planTerms,
  renewing: z.int().nonnegative().describe('Subscriptions that go on with these prices from their next period on.'),
  first_renewal: z.iso.date().nullable(),
})
export type PlanChangeOnTheWire = z.infer<typeof planChange>

export const listPlanLines = endpoint({
  method: 'GET',
  path: '/admin/billing/plans/',
  summary: 'List what plans cost, cost before and will cost',
  ...administering,
  response: z.object({
    today: z.iso.date(),
    lines: z.array(planTerms.extend({ in_force: z.boolean() })).describe('Of each plan those that count first.'),
  }),
})

/** New periods that begin from that day on have these prices. @throws `billing.plan_day_over`, `billing.consequence_changed` */
export const changePlan = endpoint({
  method: 'POST',
  path: '/admin/billing/plans/',
  summary: 'Change what a plan costs and holds, from a day on',
  ...administering,
  body: z.object({ plan: z.enum(['unit', 'essential', 'comfort']), from: z.iso.date(), ...terms, accepted }),
  response: planChange,
})

/** H-35: what was quoted to one customer. @throws `billing.plan_day_over`, `billing.consequence_changed` */
export const quoteCustomPlan = endpoint({
  method: 'POST',
  path: '/admin/billing/customers/:id/custom_plan/',
  summary: 'Set the prices of Custom for one customer, from a day on',
  ...administering,
  params: byId,
  body: z
    .object({ from: z.iso.date(), ...terms, reason, accepted })
    .refine((body) => body.month_cents !== null || body.year_cents !== null, { error: 'required', path: ['month_cents'] }),
  response: planChange,
})

export const invariantReading = z.object({
  name: z.string(),
  query: z.string().describe('What finds where it does not hold.'),
  broken: z.array(z.string()).describe('Where it does not; at most ten.'),
  milliseconds: z.int().nonnegative(),
})

export const readInvariants = endpoint({
  method: 'GET',
  path: '/admin/billing/invariants/',
  summary: 'Look now whether all that must hold of the books holds',
  ...administering,
  response: z.object({ at: z.iso.datetime(), invariants: z.array(invariantReading) }),
})
