/** C-56, C-57, E-42…E-44. */
import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'

const managing = { access: ['user'], delegable: 'manage' } as const
const cents = z.int().nonnegative()

export const referee = z.object({
  id: z.uuid(),
  email: z.string().nullable().describe('Masked in part; null: the account is no more.'),
  registered_at: z.iso.datetime(),
  evidences: cents.describe('Reports that were bought one by one.'),
  documents: cents.describe('Deposits that were bought one by one.'),
  subscribed_on: z.iso.date().nullable().describe('First subscription.'),
  plan: z.enum(['essential', 'comfort', 'custom']).nullable().describe('Of that subscription.'),
  earned_cents: cents.describe('What stands of what was earned by it.'),
  earns_until: z.iso
    .date()
    .nullable()
    .describe('Last day of the months in which it brings something; null: nothing was paid yet.'),
  refused: z.enum(['same_person']).nullable().describe('Why nothing is earned by it.'),
})
export type RefereeOnTheWire = z.infer<typeof referee>

const rule = z.object({
  rate: z.int().nonnegative().describe('Hundredths of a percent of what they pay, without VAT.'),
  months: z.int().positive().describe('From their first invoice.'),
})

/** C-56. */
export const listReferees = endpoint({
  method: 'GET',
  path: '/referees/',
  summary: 'List those whom one referred',
  ...managing,
  query: pageQuery.pick({ page: true, page_size: true }),
  response: pageOf(referee).extend({ rule, earned_cents: cents }),
})

/** C-57. @throws `referral.unknown` */
export const readReferee = endpoint({
  method: 'GET',
  path: '/referees/:id/',
  summary: 'Read somebody whom one referred',
  ...managing,
  params: z.object({ id: z.uuid().describe('Id of the referee.') }),
  response: referee.extend({ rule }),
})
