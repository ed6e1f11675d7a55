import { toPageObject } from '../../../kernel/page.ts'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { route, signedIn, type Route } from '../../../platform/http/route.ts'
import { sendStream } from '../../../platform/http/answer/stream.ts'
import * as offers from '../contract/offers.ts'
import * as sales from '../contract/sales.ts'
import type { LicensingWebDeps } from './keep/deps.ts'
import { pageOffers } from './keep/offer-store.ts'
import { amendOffer, prepareOffer } from './offer/change-offer.ts'
import { findOwnOffer, presentOffer } from './present/present-offer.ts'
import { openSaleOf, pictureOf, presentSale, proofOf, saleOf } from './present/present-sale.ts'

async function sendPicture(reply: FastifyReply, request: FastifyRequest, picture: Buffer, etag: string): Promise<FastifyReply> {
  return await sendStream(reply, request, {
    totalBytes: picture.length,
    mediaType: 'image/png',
    disposition: 'inline',
    etag,
    captured: true,
    open: async ({ start, end }) => await Promise.resolve(Readable.from([picture.subarray(start, end + 1)])),
  })
}

/** The calls of an installation where reports are paid for; elsewhere there are none. */
export function licensingRoutes(deps: LicensingWebDeps): Route[] {
  return [
    route(offers.listOffers, async ({ query, actor }) => {
      const page = await pageOffers(deps.db, {
        sellerId: signedIn(actor).accountId,
        evidenceId: query.evidence ?? null,
        status: query.status ?? null,
        descending: query.ordering.startsWith('-'),
        limit: query.page_size,
        offset: (query.page - 1) * query.page_size,
      })
      const results = []
      for (const each of page.rows) results.push(await presentOffer(deps, each))
      return toPageObject(offers.listOffers.path, query, page, results)
    }),
    route(
      offers.createOffer,
      async ({ body, actor }) => await presentOffer(deps, await prepareOffer(deps, signedIn(actor), body)),
    ),
    route(
      offers.readOffer,
      async ({ params, actor }) => await presentOffer(deps, await findOwnOffer(deps, signedIn(actor), params.id)),
    ),
    route(
      offers.changeOffer,
      async ({ params, body, actor }) => await presentOffer(deps, await amendOffer(deps, signedIn(actor), params.id, body)),
    ),
    route(offers.previewOffer, async ({ params, actor }) => {
      const caller = signedIn(actor)
      return await presentSale(deps, await findOwnOffer(deps, caller, params.id), caller.accountId, true)
    }),
    route(offers.previewPicture, async ({ params, request, reply, actor }) => {
      const offer = await findOwnOffer(deps, signedIn(actor), params.id)
      return await sendPicture(reply, request, await pictureOf(deps, offer, params.number), `${offer.id}-${params.number}`)
    }),
    route(
      sales.readSale,
      async ({ params, actor }) =>
        await presentSale(deps, await saleOf(deps, params.sale_token), actor === null ? null : actor.accountId),
    ),
    route(sales.salePicture, async ({ params, request, reply }) => {
      const offer = await openSaleOf(deps, params.sale_token)
      return await sendPicture(reply, request, await pictureOf(deps, offer, params.number), `${offer.id}-${params.number}`)
    }),
    route(sales.saleProof, async ({ params }) => await proofOf(deps, await openSaleOf(deps, params.sale_token), params.number)),
  ]
}
