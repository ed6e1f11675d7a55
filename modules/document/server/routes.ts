import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Locale } from '../../../kernel/locale.ts'
import { toHex } from '../../../kernel/bytes.ts'
import { sendEvents } from '../../../platform/http/answer/events.ts'
import { route, signedIn, type Route } from '../../../platform/http/route.ts'
import { sendGrowing, sendStream } from '../../../platform/http/answer/stream.ts'
import * as contract from '../contract/endpoints.ts'
import { archiveProofs } from './proofs/archive-proofs.ts'
import { changeDocument, changeDocuments } from './change/change-document.ts'
import { createDocuments } from './change/create-documents.ts'
import type { CopyDeps } from './copy/copy-deps.ts'
import { copyRoutes } from './copy/copy-routes.ts'
import { createPlaces } from '../../../platform/http/request/places.ts'
import { downloadCopy } from './copy/read-copy.ts'
import type { DocumentWebDeps } from './deposit/deps.ts'
import type { DocumentChanges } from './deposit/document-changes.ts'
import type { ProofDownload } from './proofs/proof-download.ts'
import {
  downloadAnchor,
  downloadCertificate,
  downloadEvidenceRecord,
  downloadProofs,
  downloadToken,
} from './proofs/download-proofs.ts'
import { followDocument } from './present/follow-document.ts'
import { assessDeposit } from './health/assess-deposit.ts'
import { hangOnLink, type ProofFile } from './links/link-to.ts'
import { listDocuments } from './lists/list-documents.ts'
import { listMakers } from './lists/list-makers.ts'
import { earlierThan, presentDocument } from './present/present-document.ts'
import { findEarliest, findReachable } from './deposit/reach-store.ts'
import { readStats } from './lists/read-stats.ts'
import { shareDocument, unshareDocument } from './change/share-document.ts'
import { readSharedDocument } from './present/present-shared-document.ts'

async function send(reply: FastifyReply, request: FastifyRequest, file: ProofDownload): Promise<FastifyReply> {
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

async function proofOf(deps: DocumentWebDeps & CopyDeps, id: string, file: ProofFile, locale: Locale): Promise<ProofDownload> {
  if (file === 'tsr') return await downloadToken(deps, id)
  if (file === 'ers') return await downloadEvidenceRecord(deps, id)
  if (file === 'ots' || file === 'chainpoint') return await downloadAnchor(deps, id, file)
  if (file === 'proofs') return await downloadProofs(deps, id)
  if (file === 'certificate') return await downloadCertificate(deps, id, locale)
  return await downloadCopy(deps, id)
}

export function documentRoutes(deps: DocumentWebDeps & CopyDeps, changes: DocumentChanges): Route[] {
  const archives = createPlaces({ most: 16, ofOne: 2, busy: 'document.too_many_archives' })
  return [
    ...copyRoutes(deps),
    route(contract.createDocument, async ({ body: { agree, ...asked }, actor }) => {
      const caller = signedIn(actor)
      const [record] = await createDocuments(deps, caller, { documents: [asked], agree })
      if (record === undefined) throw new Error('a deposit was made of nothing')
      return await presentDocument(deps, caller, record)
    }),
    route(contract.createDocuments, async ({ body, actor }) => {
      const caller = signedIn(actor)
      const records = await createDocuments(deps, caller, { ...body, many: true })
      const earliest = await findEarliest(
        deps.db,
        caller,
        records.map(({ sha256 }) => toHex(sha256)),
      )
      return {
        documents: records.map((record) => {
          const sha256 = toHex(record.sha256)
          return { id: record.id, sha256, status: record.status, duplicate_of: earlierThan(record, earliest.get(sha256)) }
        }),
      }
    }),
    route(contract.listDocuments, async ({ query, actor }) => await listDocuments(deps, signedIn(actor), query)),
    route(contract.listDocumentMakers, async ({ actor }) => ({ makers: await listMakers(deps, signedIn(actor)) })),
    route(contract.readDocumentStats, async ({ actor }) => await readStats(deps, signedIn(actor))),
    route(contract.readDocument, async ({ params, actor }) => {
      const caller = signedIn(actor)
      return await presentDocument(deps, caller, await findReachable(deps.db, caller, params.id))
    }),
    route(contract.changeDocument, async ({ params, body, actor }) => {
      const caller = signedIn(actor)
      await changeDocument(deps, caller, params.id, body)
      return await presentDocument(deps, caller, await findReachable(deps.db, caller, params.id))
    }),
    route(contract.changeDocuments, async ({ body, actor }) => ({ results: await changeDocuments(deps, signedIn(actor), body) })),
    route(contract.downloadManyProofs, async ({ body, reply, actor }) => {
      const archive = await archiveProofs(deps, archives, signedIn(actor), body)
      return await sendGrowing(reply, archive, { mediaType: 'application/zip', fileName: 'proofs.zip' })
    }),
    route(contract.followDocument, async ({ params, reply, actor, admission }) => {
      const caller = signedIn(actor)
      const reach = async () => await findReachable(deps.db, caller, params.id)
      await reach()
      admission.hangOn({ ids: [params.id], ask: async () => (await reach()) && null })
      return await sendEvents(reply, admission, (signal) => followDocument(deps, changes, caller, params.id, { signal }))
    }),
    route(contract.shareDocument, async ({ params, actor }) => {
      const caller = signedIn(actor)
      await shareDocument(deps, caller, params.id)
      return await presentDocument(deps, caller, await findReachable(deps.db, caller, params.id))
    }),
    route(contract.unshareDocument, async ({ params, actor }) => {
      const caller = signedIn(actor)
      await unshareDocument(deps, caller, params.id)
      return await presentDocument(deps, caller, await findReachable(deps.db, caller, params.id))
    }),
    route(contract.readSharedDocument, async ({ params }) => await readSharedDocument(deps, params.token)),
    route(contract.readDocumentHealth, async ({ params, actor }) => await assessDeposit(deps, signedIn(actor), params.id)),
    route(contract.readCertificate, async ({ params: { id }, query, request, reply, actor }) => {
      await findReachable(deps.db, signedIn(actor), id)
      return await send(reply, request, await downloadCertificate(deps, id, query.language))
    }),
    route(contract.downloadProof, async ({ params: { id, file }, query, request, reply, admission }) => {
      await hangOnLink(deps, admission, { id, file, holder: query })
      return await send(reply, request, await proofOf(deps, id, file, query.language ?? 'en'))
    }),
  ]
}
