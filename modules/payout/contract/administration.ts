/** To anybody but administrators these calls do not exist (H-20). */
import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'
import { payout } from './payouts.ts'

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

/** As the statement of the operator’s bank says. @throws `payout.unknown`, `payout.not_by_hand`, `payout.illegal_transition` */
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
  }),
  response: adminPayout,
})
