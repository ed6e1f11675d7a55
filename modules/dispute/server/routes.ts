import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sendStream } from '../../../platform/http/answer/stream.ts'
import { route, signedIn, type Route } from '../../../platform/http/route.ts'
import { changeDisputePack, printDisputePack, readDisputePack } from '../contract/packs.ts'
import { changePack } from './keep/change-pack.ts'
import type { DisputeDeps } from './keep/deps.ts'
import { presentPack } from './present/present-pack.ts'
import { printPack } from './print/print-pack.ts'
import { createPlaces } from './print/take-places.ts'

/** Each takes a program of its own for a second. */
const printedAtOnce = 2

export function disputeRoutes(deps: DisputeDeps): Route[] {
  const places = createPlaces(printedAtOnce)
  return [
    route(
      readDisputePack,
      async ({ params, query, actor }) => await presentPack(deps, signedIn(actor), params.id, query.language),
    ),
    route(changeDisputePack, async ({ params, query, body, actor }) => {
      const caller = signedIn(actor)
      await changePack(deps, caller, params.id, query.language, body)
      return await presentPack(deps, caller, params.id, query.language)
    }),
    route(printDisputePack, async ({ params, query, request, reply, actor }) => {
      const { bytes, fileName } = await printPack(deps, places, signedIn(actor), params.id, query.language)
      return await sendStream(reply, request, {
        totalBytes: bytes.length,
        mediaType: 'application/pdf',
        fileName,
        disposition: 'attachment',
        captured: true,
        etag: createHash('sha256').update(bytes).digest('hex'),
        open: async ({ start, end }) => await Promise.resolve(Readable.from([bytes.subarray(start, end + 1)])),
      })
    }),
  ]
}
