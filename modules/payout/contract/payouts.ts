/** C-54, C-55, H-48. */
import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'
import { payoutFailures, payoutLacks, payoutStatuses } from '../domain/status.ts'

/** Whoever sees what somebody is paid manages his account. */
const managing = { access: ['user'], delegable: 'manage' } as const
const cents = z.int().nonnegative()
const byId = z.object({ id: z.uuid().describe('Id of the payout.') })
const listed = pageQuery.pick({ page: true, page_size: true })

export const earning = z.object({
  id: z.uuid(),
  source: z.enum(['referral', 'license']),
  date: z.iso.date().describe('When it was earned.'),
  matures_on: z.iso.date().describe('Until then what was paid may go back; from then on it can be paid out.'),
  status: z.enum(['accrued', 'matured', 'clawed_back']).describe('`clawed_back`: all that it was earned by went back.'),
  invoice: z.string().nullable().describe('Number of the invoice that was paid.'),
  line: z.int().positive().describe('Which line of it.'),
  item: z.enum(['plan', 'evidence', 'document', 'license']),
  base_cents: cents.describe('Price of the line, without VAT.'),
  rate: z.int().nonnegative().describe('Hundredths of a percent of that.'),
  amount_cents: cents,
  standing_cents: cents.describe('What is left of it since payments were taken back and credit notes made.'),
})
export type EarningOnTheWire = z.infer<typeof earning>

/** E-41, S-18…S-21. Amounts are whole cents of euros. */
export const payout = z.object({
  id: z.uuid(),
  month: z.iso.date(),
  date: z.iso.date().describe('When it was begun.'),
  status: z
    .enum(payoutStatuses)
    .describe('`pending`: on its way; `failed`: tried again next month; `returned`: the bank sent it back.'),
  net_cents: cents,
  vat_cents: cents,
  gross_cents: cents.describe('What reaches the bank.'),
  failure: z.enum(payoutFailures).nullable(),
  settled_on: z.iso.date().nullable(),
  reference: z.string().describe('What the bank’s statement says.'),
})
export type PayoutOnTheWire = z.infer<typeof payout>

/** A statement of each payout that reached a bank; an invoice of those whose payee invoices VAT. */
export const paperKinds = ['statement', 'self_billed', 'self_billed_credit'] as const

/** S-25…S-31, and the newer ones of H-42. */
export const payeeRefusals = [
  'unreadable',
  'not_accepted',
  'expired',
  'incomplete',
  'missing',
  'other_person',
  'other_account',
  'falsified',
  'underage',
  'specific',
] as const

export const payee = z.object({
  account: z
    .enum(['none', 'customer_needed', 'usable', 'ended', 'refused'])
    .describe('`customer_needed`: to be confirmed at `account_address`.'),
  account_address: z.string().nullable(),
  identity: z.enum(['none', 'customer_needed', 'submitted', 'verified', 'refused']),
  identity_address: z.string().nullable(),
  refusal: z.enum(payeeRefusals).nullable().describe('Why a document was refused.'),
})
export type PayeeOnTheWire = z.infer<typeof payee>

/** What is to be paid next. */
export const coming = z.object({
  on: z.iso.date().describe('The next first day of a month.'),
  status: z.literal('none'),
  amount_cents: z.int().describe('Without VAT; less than nothing where more went back than is owed.'),
  accrued_cents: cents.describe('Earned, and not matured yet.'),
  reserved_cents: cents.describe('On its way.'),
  paid_cents: cents,
  clawed_back_cents: cents,
  lacks: z.array(z.enum(payoutLacks)).describe('What keeps it back; empty: it is paid on that day.'),
  payee: payee.nullable().describe('What the provider says; null: the operator pays by his own bank.'),
  rules: z.object({
    minimum_cents: cents,
    delay_days: z.int().nonnegative(),
    referral_rate: z.int().nonnegative().describe('Hundredths of a percent.'),
    referral_months: z.int().positive(),
    license_fee_rate: z.int().nonnegative().describe('The platform’s share of licences, in hundredths of a percent.'),
  }),
  test: z.boolean().describe('No money moves.'),
})
export type ComingPayout = z.infer<typeof coming>

/** C-54. */
export const listPayouts = endpoint({
  method: 'GET',
  path: '/payouts/',
  summary: 'List the payouts',
  ...managing,
  query: listed,
  response: pageOf(payout).extend({ coming }),
})

/**
 * Makes the account known to whoever pays it: its bank account, and what proves whose it is. Asked again, it goes on where it stood.
 * @throws `payout.not_ready`, `payout.by_hand`, `payout.refused_by_provider`, `payout.provider_unavailable`
 */
export const preparePayee = endpoint({
  method: 'POST',
  path: '/payouts/payee/',
  summary: 'Prepare to be paid out',
  ...managing,
  body: z.object({
    return_to: z
      .string()
      .regex(/^\/(en|fr)\/[a-z0-9/-]{0,200}$/, { error: 'invalid' })
      .meta({ examples: ['/en/account/payout/'] })
      .describe('Page to which the provider’s own leads back.'),
  }),
  response: payee,
})

const payoutLine = z.object({
  cents: z.int().describe('Less than nothing: it was paid before, and went back since.'),
  earning,
})
export const payoutParts = {
  documents: z.array(z.object({ kind: z.enum(paperKinds), number: z.string().nullable() })).describe('What can be downloaded.'),
  lines: z.array(payoutLine),
}
export type PayoutLine = z.infer<typeof payoutLine>

/** C-55: with each earning that it is made of. @throws `payout.unknown` */
export const readPayout = endpoint({
  method: 'GET',
  path: '/payouts/:id/',
  summary: 'Read a payout, and each line of an invoice that it comes from',
  ...managing,
  params: byId,
  response: payout.extend(payoutParts),
})

/** @throws `payout.unknown`, `payout.no_document`, `payout.document_being_made`: ask again in a moment; `payout.document_faulty` */
export const readPaper = endpoint({
  method: 'GET',
  path: '/payouts/:id/pdf/',
  summary: 'Download the statement of a payout, or the invoice that is made out for its payee',
  ...managing,
  params: byId,
  query: z.object({
    document: z
      .enum(paperKinds)
      .default('statement')
      .describe('`self_billed`: an invoice with its XML (Factur-X); `self_billed_credit` takes it back.'),
    language: z.enum(['en', 'fr']).optional().describe('Otherwise that of the account.'),
  }),
  response: 'stream',
})

export const listEarnings = endpoint({
  method: 'GET',
  path: '/earnings/',
  summary: 'List what was earned by referral and by licences',
  ...managing,
  query: listed,
  response: pageOf(earning),
})
