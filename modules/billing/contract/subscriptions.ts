import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'
import { publicStatuses } from '../domain/invoice/status.ts'
import { cycles, plans } from '../domain/plan/plan.ts'
import { subscriptionStatuses } from '../domain/subscription/machine.ts'

const byId = z.object({ id: z.uuid().describe('Id of the subscription.') })
const reading = { access: ['user'], delegable: 'read' } as const
/** What is spent is spent in the owner's name: a delegate must manage his account. */
const spending = { access: ['user'], delegable: 'manage' } as const

const amounts = { net_cents: z.int().nonnegative(), vat_cents: z.int().nonnegative(), gross_cents: z.int().nonnegative() }
const counted = z.object({
  used: z.int().nonnegative(),
  included: z.int().nonnegative().nullable().describe('null: any number.'),
})

const formula = {
  plan: z.enum(plans),
  cycle: z.enum(cycles).nullable().describe('null: of Unit there is none.'),
  instalments: z
    .union([z.literal(1), z.literal(4)])
    .nullable()
    .describe('Payments of a year; null: of Unit there are none.'),
}

/** H-36. */
const extras = z
  .object({ on: z.iso.date().describe('Day of the invoice.'), count: z.int().positive(), ...amounts })
  .nullable()
  .describe('What was had beyond the plan so far and is on the next invoice of a month; null: nothing.')

export const subscription = z.object({
  id: z.uuid(),
  status: z.enum(subscriptionStatuses),
  ...formula,
  period_from: z.iso.date().nullable().describe('First day of the present period.'),
  period_to: z.iso.date().nullable().describe('Day on which the next one begins.'),
  /** S-12, S-13. */
  pending: z
    .object({
      ...formula,
      kind: z.enum(['payment', 'term']).describe('Whether it waits for its payment, or for the end of the period.'),
      on: z.iso.date().describe('Day from which it is in force.'),
      until: z.iso.datetime().nullable().describe('Instant until which it waits for its payment.'),
    })
    .nullable(),
  /** E-48. */
  suspended: z.boolean().describe('Whether it waits for an unpaid invoice: one may read, export and pay.'),
  upgrade_required: z.boolean().describe('Whether the reports of this month are used up.'),
  quota: z
    .object({
      from: z.iso.date().describe('First day of the month that is counted.'),
      to: z.iso.date().describe('Day on which the next one begins.'),
      evidences: counted.describe('Reports.'),
      documents: counted.describe('Time stamps.'),
    })
    .nullable()
    .describe('What is included in the present month; null: nothing is.'),
  next_invoice: z
    .object({ on: z.iso.date(), ...amounts, to_pay_cents: z.int().nonnegative().describe('Credit taken off.') })
    .nullable()
    .describe(
      'What is invoiced next, at the prices that are known today; null: nothing is to come, or its VAT cannot be told yet.',
    ),
  extras,
  to_pay: z
    .array(
      z.object({
        invoice_id: z.uuid(),
        to_pay_cents: z.int().nonnegative(),
        due_on: z.iso.date().nullable(),
        status: z.enum(publicStatuses),
        of_change: z.boolean().describe('Whether a change waits for it.'),
      }),
    )
    .describe('What is to be paid of it today, the earliest first.'),
  created_at: z.iso.datetime(),
})
export type SubscriptionOnTheWire = z.infer<typeof subscription>

/** C-60. The newest first; whoever has none is on Unit. */
export const listSubscriptions = endpoint({
  method: 'GET',
  path: '/subscriptions/',
  summary: 'List the subscriptions of the account',
  ...reading,
  query: pageQuery.pick({ page: true, page_size: true }),
  response: pageOf(subscription),
})

const wished = {
  plan: z.enum(plans).describe('Plan that is wished for.'),
  cycle: z.enum(cycles).default('month').describe('How often it is renewed.'),
  instalments: z
    .union([z.literal(1), z.literal(4)])
    .default(1)
    .describe('In how many payments a year is paid: 1 or 4.'),
}
const accepted_cents = z
  .int()
  .nonnegative()
  .optional()
  .describe('What one was shown as to be paid now, VAT included: if it is another by now, nothing is changed.')

/** Of a month there is one payment. */
const oneOfAMonth = (body: { cycle: string; instalments: number }) => body.cycle === 'year' || body.instalments === 1

/**
 * C-61. More takes effect once its first invoice is paid, within a day; less at the end of the period (S-12).
 * @throws `billing.profile_incomplete` (V-45), `billing.payment_processing`, `billing.invoice_unpaid`,
 * `billing.change_pending`, `billing.same_plan`, `billing.custom_by_quote`, `billing.amount_changed`, `billing.vat_unchecked`
 */
export const createSubscription = endpoint({
  method: 'POST',
  path: '/subscriptions/',
  summary: 'Subscribe to a plan',
  ...spending,
  body: z.object({ ...wished, accepted_cents }).refine(oneOfAMonth, { error: 'invalid', path: ['instalments'] }),
  response: subscription,
  status: 201,
})

/** C-62. */
export const readSubscription = endpoint({
  method: 'GET',
  path: '/subscriptions/:id/',
  summary: 'Read a subscription',
  ...reading,
  params: byId,
  response: subscription,
})

/** C-63: another plan, as `createSubscription` asks for one; or, S-13, none. @throws as there, and `billing.nothing_pending` */
export const changeSubscription = endpoint({
  method: 'PATCH',
  path: '/subscriptions/:id/',
  summary: 'Change a subscription, or cancel the change that is pending',
  ...spending,
  params: byId,
  body: z
    .object({
      plan: wished.plan.optional(),
      cycle: wished.cycle,
      instalments: wished.instalments,
      cancel_pending: z.literal(true).optional().describe('Cancels the change that is pending; instead of a plan.'),
      accepted_cents,
    })
    .refine((body) => (body.plan === undefined) !== (body.cancel_pending === undefined), { error: 'invalid', path: ['plan'] })
    .refine(oneOfAMonth, { error: 'invalid', path: ['instalments'] }),
  response: subscription,
})

export const quote = z.object({
  when: z.enum(['once_paid', 'at_term']).describe('Whether it takes effect once it is paid, or at the end of the period.'),
  on: z.iso.date().describe('Day from which it is in force.'),
  due_now_cents: z.int().nonnegative().describe('To be paid before it takes effect, VAT included.'),
  credit_left_cents: z.int().nonnegative().describe('Kept for later invoices.'),
  credits: z.array(z.object({ invoice_id: z.uuid(), covers_from: z.iso.date(), covers_to: z.iso.date(), ...amounts })),
  invoices: z.array(
    z.object({
      part: z.int().positive(),
      parts: z.int().positive(),
      issued_on: z.iso.date(),
      due_on: z.iso.date(),
      covers_from: z.iso.date(),
      covers_to: z.iso.date(),
      ...amounts,
      to_pay_cents: z.int().nonnegative().describe('What is to be paid of it, credit taken off.'),
    }),
  ),
  renewal: z
    .object({ on: z.iso.date(), ...amounts })
    .nullable()
    .describe('First invoice after these, at the prices that are known today.'),
  extras,
})
export type QuoteOnTheWire = z.infer<typeof quote>

/** Exactly what would be invoiced and when; nothing is changed. @throws as `createSubscription` does */
export const previewSubscription = endpoint({
  method: 'POST',
  path: '/subscriptions/preview/',
  summary: 'See what a change of plan would cost, and when',
  ...spending,
  body: z.object(wished).refine(oneOfAMonth, { error: 'invalid', path: ['instalments'] }),
  response: quote,
})
