import { createPlaces } from '../../../../platform/http/request/places.ts'
import { route, sentFile, signedIn, type Route } from '../../../../platform/http/route.ts'
import * as contract from '../../contract/copy.ts'
import { findReachable } from '../deposit/reach-store.ts'
import type { CopyDeps } from './copy-deps.ts'
import { readCopy, readLimits } from './present-copy.ts'
import { beginCopy, completeCopy, deleteCopy, receivePart } from './upload-copy.ts'

export function copyRoutes(deps: CopyDeps): Route[] {
  // Pieces that are being received stand on disk and in no allowance.
  const places = createPlaces({ most: 64, ofOne: 6, busy: 'document.copy_busy' })
  return [
    route(contract.readCopyLimits, async ({ actor }) => await readLimits(deps, signedIn(actor).accountId)),
    route(contract.readDocumentCopy, async ({ params, actor }) => await readCopy(deps, signedIn(actor), params.id.toLowerCase())),
    route(contract.beginDocumentCopy, async ({ params, body, actor }) => {
      const [caller, id] = [signedIn(actor), params.id.toLowerCase()]
      await beginCopy(deps, caller, id, body.bytes)
      return await readCopy(deps, caller, id)
    }),
    route(contract.sendDocumentCopyPart, async ({ params: { id, part }, query, bytes, actor, admission }) => {
      const documentId = id.toLowerCase()
      const ask = async () => (await findReachable(deps.db, signedIn(actor), documentId)) && null
      admission.hangOn({ ids: [documentId], ask })
      const { signal } = admission
      const sent = { documentId, upload: query.upload.toLowerCase(), part, from: query.from ?? null, signal }
      await receivePart(deps, places, signedIn(actor), sent, sentFile(bytes))
      return { part }
    }),
    route(contract.completeDocumentCopy, async ({ params, body, actor }) => {
      const [caller, id] = [signedIn(actor), params.id.toLowerCase()]
      await completeCopy(deps, caller, id, body.upload.toLowerCase())
      return await readCopy(deps, caller, id)
    }),
    route(contract.deleteDocumentCopy, async ({ params, actor }) => {
      const [caller, id] = [signedIn(actor), params.id.toLowerCase()]
      await deleteCopy(deps, caller, id)
      return await readCopy(deps, caller, id)
    }),
  ]
}
