import { Readable } from 'node:stream'
import { sendStream } from '../../../platform/http/answer/stream.ts'
import { route, signedIn, type Route } from '../../../platform/http/route.ts'
import { changeDisputePack, printDisputePack, readDisputePack } from '../contract/packs.ts'
import { changePack } from './keep/change-pack.ts'
import type { DisputeDeps } from './keep/deps.ts'
import { presentPack } from './present/present-pack.ts'
import { readLetterFile } from './print/print-letter.ts'

export function disputeRoutes(deps: DisputeDeps): Route[] {
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
      const { pdf, fileName, digest } = await readLetterFile(deps, signedIn(actor), params.id, query.language)
      return await sendStream(reply, request, {
        totalBytes: pdf.length,
        mediaType: 'application/pdf',
        fileName,
        disposition: 'attachment',
        captured: true,
        etag: digest,
        open: async ({ start, end }) => await Promise.resolve(Readable.from([pdf.subarray(start, end + 1)])),
      })
    }),
  ]
}
