/** What anybody with its address may know of an offer, before he buys. */
import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { saleToken } from '../../../kernel/license-request.ts'
import { mostReports } from '../domain/price.ts'

const open = { access: ['open'], delegable: 'read' } as const
const ofReport = z.object({
  sale_token: saleToken,
  number: z.coerce.number().int().min(1).max(mostReports).describe('Which of its reports, from 1.'),
})

/** What proves that a report is sealed, and shows nothing of it: `docs/package-format.md`, *Root*. */
export const sealedReport = z.object({
  root: z.string().describe('Of the Merkle tree of all that was recorded: SHA-256, in hexadecimal.'),
  signed_at: z.iso.datetime(),
  signer: z.string(),
  timestamps: z.array(z.object({ authority: z.string(), gen_time: z.iso.datetime(), embedded: z.boolean() })),
  log: z
    .object({ origin: z.string(), index: z.int().nonnegative(), logged_at: z.iso.datetime() })
    .nullable()
    .describe('Where the root stands in the public log; null: in none.'),
})

export const sale = z.object({
  status: z
    .enum(['open', 'sold_out', 'stopped'])
    .describe('Of one that is stopped nothing else is said; who has a licence keeps it.'),
  seller_name: z.string(),
  description: z.string(),
  price: z
    .object({
      net_cents: z.int().nonnegative(),
      vat_cents: z.int().nonnegative(),
      gross_cents: z.int().nonnegative(),
      vat_basis_points: z.int().nonnegative(),
    })
    .nullable()
    .describe('With the VAT of France; the invoice says which applies to the buyer.'),
  remaining: z.int().nonnegative().nullable().describe('null: their number is not limited.'),
  terms: z.string().describe('Version of the licence’s text.'),
  reports: z.array(
    z.object({
      number: z.int().positive(),
      page_url: z.string(),
      captured_at: z.iso.datetime(),
      picture: z.boolean().describe('Whether there is a blurred picture of it.'),
      seal: sealedReport,
    }),
  ),
  own: z.boolean().describe('Whether it is the caller who sells it.'),
  license: z.uuid().nullable().describe('The newest licence of it that the caller has asked for.'),
})
export type Sale = z.infer<typeof sale>

/** @throws `licensing.sale_unknown` */
export const readSale = endpoint({
  method: 'GET',
  path: '/sales/:sale_token/',
  summary: 'Read what is for sale at an address',
  // Whoever is signed in is told what he has of it.
  access: ['open', 'user'],
  delegable: 'read',
  params: z.object({ sale_token: saleToken }),
  response: sale,
})

/** So few pixels that nothing is read in it. @throws `licensing.sale_unknown` */
export const salePicture = endpoint({
  method: 'GET',
  path: '/sales/:sale_token/pictures/:number/',
  summary: 'Blurred picture of a report that is for sale',
  ...open,
  params: ofReport,
  response: 'stream',
})

/**
 * The subject of the report (address, instants) with its path to the sealed root, and what is over the root: signature, time stamps, place in
 * the public log. What was recorded stays withheld. @throws `licensing.sale_unknown`
 */
export const saleProof = endpoint({
  method: 'GET',
  path: '/sales/:sale_token/proofs/:number/',
  summary: 'Proof that a report that is for sale is sealed',
  ...open,
  params: ofReport,
  response: sealedReport.extend({
    subject: z.string().describe('Leaf 0 of the tree, as it was sealed: canonical JSON (RFC 8785).'),
    leaves: z.int().positive().describe('Of the tree.'),
    path: z.array(z.string()).describe('From leaf 0 to the root (RFC 9162 §2.1.3), nearest first, in hexadecimal.'),
    files: z.array(z.object({ path: z.string(), base64: z.string() })).describe('Of the seal, as the package has them.'),
  }),
})
