/** To anybody but administrators these calls do not exist (H-20). */
import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'
import { payout, payoutParts, readPaper } from './payouts.ts'

const administering = { access: ['administrator'] } as const
const byId = z.object({ id: z.uuid() })

export const adminPayout = payout.extend({
  user_id: z.uuid(),
  name: z.string().describe('Empty: the account is no more.'),
  by_hand: z.boolean().describe('To be paid by the operator’s own bank.'),
})

/** Of everybody, the newest first. */
export const listAllPayouts = endpoint({
  method: 'GET',
  path: '/admin/payouts/',
  summary: 'List the payouts of all accounts',
  ...administering,
  query: pageQuery
    .pick({ page: true, page_size: true })
    .extend({ status: z.enum(['pending', 'success', 'failed', 'returned']).optional() }),
  response: pageOf(adminPayout),
})

export const adminPayoutWhole = adminPayout.extend({
  ...payoutParts,
  returned_on: z.iso.date().nullable().describe('When the bank sent it back.'),
})
export type AdminPayoutWhole = z.infer<typeof adminPayoutWhole>

/** @throws `payout.unknown` */
export const readAnyPayout = endpoint({
  method: 'GET',
  path: '/admin/payouts/:id/',
  summary: 'Read one payout: what it is made of, where it stands, its documents',
  ...administering,
  params: byId,
  response: adminPayoutWhole,
})

/** @throws `payout.unknown`, `payout.no_document`, `payout.document_being_made`, `payout.document_faulty` */
export const readAnyPaper = endpoint({
  method: 'GET',
  path: '/admin/payouts/:id/pdf/',
  summary: 'Download the statement of a payout, or the invoice that is made out for its payee',
  ...administering,
  params: byId,
  query: readPaper.query,
  response: 'stream',
})

/** Who saw an account is in the record of acts. @throws `payout.unknown`, `payout.account_gone` */
export const readPayTo = endpoint({
  method: 'GET',
  path: '/admin/payouts/:id/pay_to/',
  summary: 'Read where a payout is to be paid by hand',
  ...administering,
  params: byId,
  response: z.object({
    owner_name: z.string(),
    iban: z.string(),
    bic: z.string().nullable(),
    amount_cents: z.int().positive(),
    reference: z.string(),
  }),
})

const cents = z.int()
const change = <T extends z.ZodType>(value: T) => z.object({ before: value, after: value })

/** All that it changes, by the very rules that carry it out. */
export const payoutConsequence = z.object({
  status: change(z.string()),
  owed_cents: change(cents).describe('Matured, and neither paid nor on its way.'),
  reserved_cents: change(cents),
  paid_cents: change(cents),
  invoice: z
    .enum(['self_billed', 'self_billed_credit'])
    .nullable()
    .describe('What will be made out in the name of the payee; null: nothing.'),
  entries: z.array(
    z.object({
      journal: z.string(),
      postings: z.array(z.object({ account: z.string(), debit_cents: cents, credit_cents: cents })),
    }),
  ),
})
export type PayoutConsequence = z.infer<typeof payoutConsequence>

/**
 * As the statement of the operator’s bank says. Without `accepted` nothing is done, and what it would bring is told.
 * @throws `payout.unknown`, `payout.not_by_hand`, `payout.illegal_transition`, `payout.consequence_changed`
 */
export const settlePayout = endpoint({
  method: 'POST',
  path: '/admin/payouts/:id/settle/',
  summary: 'Say what became of a payout that is made by hand',
  ...administering,
  params: byId,
  body: z.object({
    outcome: z.enum(['success', 'failed', 'returned']),
    reason: z
      .string()
      .trim()
      .min(1, { error: 'required' })
      .max(500, { error: 'too_long' })
      .describe('Kept in the record of acts.'),
    accepted: z
      .string()
      .regex(/^[0-9a-f]{64}$/, { error: 'invalid' })
      .optional()
      .describe('`shown` of the answer that told what it would bring: exactly that is done, or nothing.'),
  }),
  response: z.object({
    done: z.boolean(),
    shown: z.string().describe('Names the consequence.'),
    consequence: payoutConsequence,
  }),
})
