/** C-44…C-50. */
import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { beneficiary, licenseRequest } from '../../../kernel/license-request.ts'
import { locales } from '../../../kernel/locale.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'
import { licenseStatuses, revocationReasons } from '../domain/status.ts'

const byId = z.object({ id: z.uuid().describe('Id of the licence.') })
const reading = { access: ['user'], delegable: 'read' } as const
/** Whoever buys spends somebody’s money. */
const buying = { access: ['user'], delegable: 'manage' } as const

/** E-45, E-46. */
export const license = z.object({
  id: z.uuid(),
  number: z.string().nullable().describe('null: it is not paid.'),
  status: z
    .enum(licenseStatuses)
    .describe('`paid`: its document is being made; `lapsed`: it was not paid in time; `revoked`: what was paid went back.'),
  reason: z.enum(revocationReasons).nullable(),
  side: z.enum(['bought', 'sold']),
  beneficiary,
  date: z.iso.datetime().describe('When it was paid; until then, when it was asked for.'),
  price_cents: z.int().nonnegative().describe('Without VAT.'),
  fee_cents: z.int().nonnegative().nullable().describe('The platform’s share; told to the seller alone.'),
  invoice: z.uuid().nullable().describe('Id of its invoice; told to the buyer alone.'),
  reports: z.array(z.object({ page_url: z.string(), captured_at: z.iso.datetime(), root: z.string() })),
  code: z.string().nullable().describe('By which anybody verifies it; null: it is not paid.'),
  sale_token: z.string().nullable().describe('Of its offer.'),
})
export type License = z.infer<typeof license>

/** C-44. `search` looks in numbers, addresses and names of beneficiaries. */
export const listLicenses = endpoint({
  method: 'GET',
  path: '/licenses/',
  summary: 'List the licences that were bought or sold',
  ...reading,
  query: pageQuery.extend({
    ordering: z.enum(['created_at', '-created_at']).default('-created_at'),
    side: z.enum(['bought', 'sold']).default('bought').describe('Those that one has, or those of one’s own reports.'),
    status: z.enum(licenseStatuses).optional(),
  }),
  response: pageOf(license),
})

/** C-45. @throws `licensing.license_unknown` */
export const readLicense = endpoint({
  method: 'GET',
  path: '/licenses/:id/',
  summary: 'Read a licence that one bought or sold',
  ...reading,
  params: byId,
  response: license,
})

/**
 * C-46. It is granted once it is paid; asked for again before that, it is the same one with the new beneficiary.
 * @throws `licensing.sale_unknown`, `licensing.sale_stopped`, `licensing.sold_out`, `licensing.own_sale`
 */
export const createLicense = endpoint({
  method: 'POST',
  path: '/licenses/',
  summary: 'Ask for a licence of what is for sale',
  ...buying,
  body: z.object(licenseRequest),
  response: license,
  status: 201,
})

/** C-47. Who has paid for a licence in somebody’s name does not change whose it is. @throws `licensing.license_unknown`, `licensing.not_pending` */
export const changeLicense = endpoint({
  method: 'PATCH',
  path: '/licenses/:id/',
  summary: 'Correct the beneficiary of a licence that is not paid, or give it up',
  ...buying,
  params: byId,
  body: z
    .object({ beneficiary: beneficiary.optional(), status: z.literal('lapsed').optional() })
    .refine((body) => body.beneficiary === undefined || body.status === undefined, { error: 'invalid', path: ['status'] }),
  response: license,
})

/**
 * The invoice by which it is paid; from then on its place is kept for a day. Asked again, it is the same.
 * @throws `licensing.license_unknown`, `licensing.not_pending`, `licensing.sale_stopped`, `licensing.sold_out`, `billing.profile_incomplete`
 */
export const checkOut = endpoint({
  method: 'POST',
  path: '/licenses/:id/invoice/',
  summary: 'Have the invoice of a licence that is to be paid',
  ...buying,
  params: byId,
  response: z.object({ invoice: z.uuid(), license }),
})

/** C-48. @throws `licensing.license_unknown`, `licensing.not_active` */
export const downloadLicense = endpoint({
  method: 'GET',
  path: '/licenses/:id/pdf/',
  summary: 'Document of a licence',
  ...reading,
  params: byId,
  query: z.object({ language: z.enum(locales).default('en') }),
  response: 'stream',
})

/** The licence, in both languages, round the untouched packages of its reports. For the buyer alone. @throws as C-48 */
export const licensePackage = endpoint({
  method: 'GET',
  path: '/licenses/:id/package/',
  summary: 'Link to the package of a licence',
  ...reading,
  params: byId,
  response: z.object({ zip_archive: z.string(), file_name: z.string(), bytes: z.int().positive() }),
})

export const downloadLicensePackage = endpoint({
  method: 'GET',
  path: '/files/licenses/:id/package/',
  summary: 'Package of a licence',
  access: ['signed_link'],
  params: byId,
  query: z.object({ for: z.uuid(), delegation: z.uuid().optional(), key: z.uuid().optional() }),
  response: 'stream',
})

/** C-50. */
export const readLicenseStats = endpoint({
  method: 'GET',
  path: '/licenses/stats/',
  summary: 'How many licences were bought and sold, and for how much',
  ...reading,
  response: z.object({
    bought: z.int().nonnegative(),
    sold: z
      .object({ current: z.int().nonnegative(), previous: z.int().nonnegative(), total: z.int().nonnegative() })
      .describe('This month, the month before, and all.'),
    sold_net_cents: z.int().nonnegative().describe('Prices of those that hold, without VAT.'),
    fee_cents: z.int().nonnegative(),
    earned_cents: z.int().nonnegative().describe('What is left to the seller.'),
    open_offers: z.int().nonnegative(),
    fee_basis_points: z.int().nonnegative().describe('The platform’s share of prices from now on, in hundredths of a percent.'),
    vat_basis_points: z.int().nonnegative().describe('VAT of France, by which prices are shown.'),
  }),
})

/** What a document of a licence says, as it stands here. @throws `licensing.license_unknown` */
export const verifyLicense = endpoint({
  method: 'GET',
  path: '/license_codes/:code/',
  summary: 'Verify a licence by the code on its document',
  access: ['open'],
  delegable: 'read',
  params: z.object({
    code: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43}$/)
      .describe('Code that stands on the document of the licence.'),
  }),
  response: z.object({
    number: z.string(),
    status: z.enum(['active', 'revoked']),
    test: z.boolean().describe('Whether the payment moved no money: it gives no right then.'),
    granted_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
    beneficiary: z.object({ first_name: z.string(), last_name: z.string(), company: z.string() }),
    seller_name: z.string(),
    reports: license.shape.reports,
    documents: z
      .array(z.object({ language: z.enum(locales), sha256: z.string() }))
      .describe('Fingerprints of its document: whoever has another one has another document.'),
  }),
})
