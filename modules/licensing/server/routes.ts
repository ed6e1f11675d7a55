import { toPageObject } from '../../../kernel/page.ts'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { route, signedIn, type Route } from '../../../platform/http/route.ts'
import { sendStream } from '../../../platform/http/answer/stream.ts'
import { hangOnHolding, findLinkHolder, holderQuery, linkExpiry } from '../../../platform/reach/held-link.ts'
import { signLink } from '../../../platform/http/answer/signed-link.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { Download } from '../../evidence/server/index.ts'
import * as licenses from '../contract/licenses.ts'
import * as offers from '../contract/offers.ts'
import * as sales from '../contract/sales.ts'
import type { LicensingWebDeps } from './keep/deps.ts'
import { findLicense, pageLicenses } from './keep/license-store.ts'
import { documentOf, packageOf } from './paper/download-license.ts'
import { presentLicense, presentStats, presentVerified } from './present/present-license.ts'
import { askLicense } from './purchase/ask-license.ts'
import { checkOut } from './purchase/check-out.ts'
import { amendLicense, lapseThoseOf } from './purchase/lapse-licenses.ts'
import { boughtBy, seenBy } from './purchase/own-license.ts'
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

async function sendFile(reply: FastifyReply, request: FastifyRequest, file: Download): Promise<FastifyReply> {
  return await sendStream(reply, request, {
    totalBytes: file.bytes,
    mediaType: file.mediaType,
    fileName: file.fileName,
    etag: file.etag,
    disposition: 'attachment',
    captured: true,
    open: async ({ start, end }) => await file.open(start, end + 1),
  })
}

const missing = () => new DomainError('not_found', 'licensing.license_unknown')

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
    route(offers.changeOffer, async ({ params, body, actor }) => {
      const offer = await amendOffer(deps, signedIn(actor), params.id, body)
      // After it was stopped, so that nobody takes a place meanwhile.
      if (offer.status === 'stopped') await lapseThoseOf(deps, offer.id)
      return await presentOffer(deps, offer)
    }),
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
    route(licenses.listLicenses, async ({ query, actor }) => {
      const { accountId } = signedIn(actor)
      const search = query.search?.trim() ?? ''
      const page = await pageLicenses(deps.db, {
        accountId,
        side: query.side,
        status: query.status ?? null,
        search: search === '' ? null : search,
        descending: query.ordering.startsWith('-'),
        limit: query.page_size,
        offset: (query.page - 1) * query.page_size,
      })
      const results = []
      for (const each of page.rows) results.push(await presentLicense(deps, each, accountId))
      return toPageObject(licenses.listLicenses.path, query, page, results)
    }),
    route(licenses.readLicenseStats, async ({ actor }) => await presentStats(deps, signedIn(actor).accountId)),
    route(licenses.verifyLicense, async ({ params }) => await presentVerified(deps, params.code)),
    route(licenses.readLicense, async ({ params, actor }) => {
      const { accountId } = signedIn(actor)
      return await presentLicense(deps, seenBy(await findLicense(deps.db, params.id), accountId), accountId)
    }),
    route(licenses.createLicense, async ({ body, actor }) => {
      const caller = signedIn(actor)
      return await presentLicense(deps, await askLicense(deps, caller, body), caller.accountId)
    }),
    route(licenses.changeLicense, async ({ params, body, actor }) => {
      const caller = signedIn(actor)
      return await presentLicense(deps, await amendLicense(deps, caller, params.id, body), caller.accountId)
    }),
    route(licenses.checkOut, async ({ params, actor }) => {
      const caller = signedIn(actor)
      const { invoiceId, license } = await checkOut(deps, caller, params.id)
      return { invoice: invoiceId, license: await presentLicense(deps, license, caller.accountId) }
    }),
    route(licenses.downloadLicense, async ({ params, query, request, reply, actor }) => {
      const license = seenBy(await findLicense(deps.db, params.id), signedIn(actor).accountId)
      return await sendFile(reply, request, await documentOf(deps, license, query.language))
    }),
    route(licenses.licensePackage, async ({ params, actor }) => {
      const caller = signedIn(actor)
      const file = await packageOf(deps, boughtBy(await findLicense(deps.db, params.id), caller.accountId))
      const path = `/files/licenses/${params.id}/package/?${holderQuery(caller)}`
      return { zip_archive: signLink(deps.secret, path, linkExpiry(deps.clock)), file_name: file.fileName, bytes: file.bytes }
    }),
    route(licenses.downloadLicensePackage, async ({ params, query, request, reply, admission }) => {
      // Asked again as long as it is sent: whose licence is revoked meanwhile gets no more of it.
      const holds = async () => {
        const held = await findLinkHolder(deps, query)
        const license = held === null ? null : await findLicense(deps.db, params.id)
        if (held === null || license?.buyerId !== held.reacher.accountId) throw missing()
        return { ids: held.ids, until: held.until, deleted: license.status !== 'active' }
      }
      await hangOnHolding(admission, params.id, holds, missing)
      const license = await findLicense(deps.db, params.id)
      if (license === null) throw missing()
      return await sendFile(reply, request, await packageOf(deps, license))
    }),
  ]
}
