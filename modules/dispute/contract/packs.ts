/** Calls of the dispute pack of a report (H-25): none of the specification's, which only says that there are disputes. */
import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { locales } from '../../../kernel/locale.ts'
import { placeholders } from '../domain/letter.ts'

const byId = z.object({ id: z.uuid().describe('Id of the report.') })
const inLanguage = z.object({ language: z.enum(locales).default('en') })

/** Lines, and nothing that cannot be seen. */
const lines = (most: number) =>
  z
    .string()
    .trim()
    .max(most, 'too_long')
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]*(?:\n[^\p{C}\p{Zl}\p{Zp}]*)*$/u, 'characters')

export const recipientField = lines(600)
export const claimField = lines(4000)
export const letterField = lines(12_000)
export const delayField = z.int({ error: 'delay_range' }).min(1, 'delay_range').max(365, 'delay_range').nullable()
export const amountField = z.int({ error: 'amount_range' }).min(1, 'amount_range').max(100_000_000, 'amount_range').nullable()

/** What keeps the letter back, in the order in which it is best done. */
export const lacks = [
  'identity',
  'identity_expired',
  'identity_changed',
  'profile',
  'recipient',
  'claim',
  'delay',
  'amount',
  'offer',
  'unknown_words',
] as const
export type Lack = (typeof lacks)[number]

export const disputePack = z.object({
  id: z.uuid(),
  language: z.enum(locales),
  page_url: z.string(),
  captured_at: z.iso.datetime(),
  root: z.string().describe('Of the seal, SHA-256 in hexadecimal.'),
  sender: z.string().describe('Name and address of the account, in lines.'),
  signatory: z.string().describe('Who signs it: the person whose identity it is.'),
  recipient: z.string(),
  claim: z.string().describe('What the sender says is wrong, in that language.'),
  delay_days: z.int().nullable(),
  amount_cents: z.int().nullable(),
  letter: z.object({
    text: z.string().describe('With words in braces that stand for what is filled in.'),
    own: z.boolean().describe('Whether its sender has written it himself; else it is the template.'),
    unknown: z.array(z.string()).describe('Words in braces that stand for nothing.'),
  }),
  placeholders: z.array(
    z.object({
      id: z.enum(placeholders),
      name: z.string().describe('What stands in the braces, in that language.'),
      value: z.string().nullable(),
    }),
  ),
  exhibits: z
    .array(z.object({ path: z.string(), bytes: z.int().nonnegative(), sha256: z.string() }))
    .describe('The pieces of the sealed manifest, in its order.'),
  lacking: z.array(z.enum(lacks)).describe('What keeps the letter back from being printed.'),
  kept_at: z.iso.datetime().nullable(),
})
export type DisputePack = z.infer<typeof disputePack>

/** @throws `dispute.report_unknown`, `dispute.not_final` */
export const readDisputePack = endpoint({
  method: 'GET',
  path: '/dispute_packs/:id/',
  summary: 'Read the formal notice that is prepared on a final report of one’s own',
  access: ['user'],
  delegable: 'read',
  params: byId,
  query: inLanguage,
  response: disputePack,
})

/** What is not named stays. @throws `dispute.report_unknown`, `dispute.not_final` */
export const changeDisputePack = endpoint({
  method: 'PATCH',
  path: '/dispute_packs/:id/',
  summary: 'Change what a formal notice says',
  access: ['user'],
  delegable: 'manage',
  params: byId,
  query: inLanguage,
  body: z.object({
    recipient: recipientField.optional(),
    claim: claimField.optional(),
    delay_days: delayField.optional(),
    amount_cents: amountField.optional(),
    letter: letterField.nullable().optional().describe('null: that of the template again.'),
  }),
  response: disputePack,
})

/** @throws `dispute.report_unknown`, `dispute.not_final`, `dispute.not_ready` with what is lacking, `dispute.being_printed`: ask again in a moment, `dispute.faulty` */
export const printDisputePack = endpoint({
  method: 'GET',
  path: '/dispute_packs/:id/pdf/',
  summary: 'Print the formal notice with its list of exhibits',
  access: ['user'],
  delegable: 'manage',
  params: byId,
  query: inLanguage,
  response: 'stream',
})
