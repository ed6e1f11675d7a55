/** Calls of whoever sells: none of the specification's, whose sale page has no calls to make one. */
import { z } from 'zod'
import { endpoint } from '../../../kernel/endpoint.ts'
import { pageOf, pageQuery } from '../../../kernel/page.ts'
import { leastPrice, longestDescription, mostPrice, mostReports } from '../domain/price.ts'
import { lacks } from '../domain/readiness.ts'
import { offerStatuses } from '../domain/status.ts'
import { sale } from './sales.ts'

const byId = z.object({ id: z.uuid().describe('Id of the offer.') })
const reading = { access: ['user'], delegable: 'read' } as const
/** Whoever sets a price disposes of what somebody owns. */
const selling = { access: ['user'], delegable: 'manage' } as const

export const priceField = z.int({ error: 'price_required' }).min(leastPrice, 'price_low').max(mostPrice, 'price_high')
export const descriptionField = z
  .string()
  .trim()
  .max(longestDescription, 'too_long')
  .regex(/^[^\p{C}\p{Zl}\p{Zp}]*(?:\n[^\p{C}\p{Zl}\p{Zp}]*)*$/u, 'characters')
export const mostField = z.int().min(1, 'most_low').max(100_000, 'most_high').nullable()

export const offer = z.object({
  id: z.uuid(),
  status: z.enum(offerStatuses).describe('`draft`: nobody but its seller sees it; `stopped`: nobody buys any more.'),
  price_cents: z.int().nonnegative().describe('Without VAT.'),
  description: z.string(),
  most: z.int().nullable().describe('How many licences there are to be; null: any number.'),
  licenses: z.int().nonnegative().describe('Those that were sold and hold.'),
  places_kept: z.int().nonnegative().describe('Of buyers who are about to pay.'),
  fee_basis_points: z.int().nonnegative().describe('The platform’s share of the price, in hundredths of a percent.'),
  fee_cents: z.int().nonnegative().describe('The same of one licence.'),
  sale_token: z.string().describe('Stands in the address of its page; nobody guesses it.'),
  personal_data_reviewed: z.boolean(),
  reports: z.array(z.object({ id: z.uuid(), page_url: z.string(), title: z.string(), captured_at: z.iso.datetime() })),
  lacking: z.array(z.enum(lacks)).describe('What keeps it back from being opened, in the order in which it is best done.'),
  created_at: z.iso.datetime(),
  opened_at: z.iso.datetime().nullable(),
  stopped_at: z.iso.datetime().nullable(),
})
export type Offer = z.infer<typeof offer>

export const listOffers = endpoint({
  method: 'GET',
  path: '/offers/',
  summary: 'List the offers of one’s reports',
  ...reading,
  query: pageQuery.extend({
    ordering: z.enum(['created_at', '-created_at']).default('-created_at'),
    evidence: z.uuid().optional(),
    status: z.enum(offerStatuses).optional(),
  }),
  response: pageOf(offer),
})

/** A draft, which nobody else sees. @throws `licensing.report_unknown` */
export const createOffer = endpoint({
  method: 'POST',
  path: '/offers/',
  summary: 'Prepare an offer of one or several final reports',
  ...selling,
  body: z.object({
    evidences: z.array(z.uuid()).min(1, 'required').max(mostReports, 'too_long'),
    price_cents: priceField,
    description: descriptionField.default(''),
    most: mostField.default(null),
    personal_data_reviewed: z
      .boolean()
      .default(false)
      .describe('That the seller has looked for personal data of others in it, and may show them.'),
  }),
  response: offer,
  status: 201,
})

export const readOffer = endpoint({
  method: 'GET',
  path: '/offers/:id/',
  summary: 'Read an offer of one’s own',
  ...reading,
  params: byId,
  response: offer,
})

/**
 * Another price is that of licences that are asked for from then on. What is stopped stays so; licences that were sold stay too.
 * @throws `licensing.offer_not_ready` with what is lacking, `licensing.illegal_transition`, `licensing.most_sold`
 */
export const changeOffer = endpoint({
  method: 'PATCH',
  path: '/offers/:id/',
  summary: 'Change an offer, open it, or stop it',
  ...selling,
  params: byId,
  body: z.object({
    price_cents: priceField.optional(),
    description: descriptionField.optional(),
    most: mostField.optional(),
    personal_data_reviewed: z.boolean().optional(),
    status: z.enum(['open', 'stopped']).optional(),
  }),
  response: offer,
})

/** What its page will show. */
export const previewOffer = endpoint({
  method: 'GET',
  path: '/offers/:id/preview/',
  summary: 'See an offer as its buyers will',
  ...reading,
  params: byId,
  response: sale,
})

export const previewPicture = endpoint({
  method: 'GET',
  path: '/offers/:id/pictures/:number/',
  summary: 'Blurred picture of a report of one’s own offer',
  ...reading,
  params: z.object({
    id: byId.shape.id,
    number: z.coerce.number().int().min(1).max(mostReports).describe('Which of its reports, from 1.'),
  }),
  response: 'stream',
})
