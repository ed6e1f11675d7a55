/** What becomes of money as an account ends (decision 0438). */
import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { plans } from '../domain/plan/plan.ts'

const cents = z.int().nonnegative()
const amounts = { net_cents: cents, vat_cents: cents, gross_cents: cents }

export const ending = z.object({
  on: z.iso.date().describe('Day for which it is reckoned: that on which the account would be erased if it were closed now.'),
  plan: z.enum(plans).describe('Plan that ends.'),
  credit_cents: cents.describe('To one’s credit before.'),
  invoices: z
    .array(z.object({ kind: z.enum(['invoice', 'credit_note']), credits: z.string().nullable(), ...amounts }))
    .describe(
      'What would be issued: what was had beyond the plan, and credit notes for months that were paid for and have not begun.',
    ),
  set_off_cents: cents.describe('What would be taken off what is owed.'),
  refunds: z
    .array(
      z.object({
        invoice: z.string().nullable().describe('Number of the invoice that was paid.'),
        by: z.enum(['provider', 'bank']).describe('`bank`: transferred by the operator.'),
        amount_cents: cents,
      }),
    )
    .describe('What would begin its way back.'),
  waiting_cents: cents.describe('To one’s credit after that: given back once a payment that is under way is over.'),
  owed_cents: cents.describe('What would still be owed.'),
})
export type EndingOnTheWire = z.infer<typeof ending>

/** By the account itself, as closing it is. */
export const foreseeEnding = endpoint({
  method: 'GET',
  path: '/subscriptions/ending/',
  summary: 'See what becomes of what was paid and is owed if the account is closed',
  access: ['user'],
  response: ending,
})
