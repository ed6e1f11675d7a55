import type { FastifyReply, FastifyRequest } from 'fastify'
import { toPageObject } from '../../../kernel/page.ts'
import { addressPrefix, isLoopback } from '../../../platform/http/request/address-prefix.ts'
import { sendEvents } from '../../../platform/http/answer/events.ts'
import { localeOf } from '../../../platform/http/request/locale-of.ts'
import { route, type Route } from '../../../platform/http/route.ts'
import { sendStream } from '../../../platform/http/answer/stream.ts'
import * as contract from '../contract/endpoints.ts'
import { createEvidence } from './ask/create-evidence.ts'
import { agreeEvidence, withdrawEvidence } from './draft/agree-evidence.ts'
import { rejectEvidence, retryEvidence } from './draft/decide-evidence.ts'
import type { EvidenceWebDeps } from './record/deps.ts'
import {
  downloadPackage,
  downloadPiece,
  downloadPreview,
  downloadPreviewDocument,
  downloadReport,
  previewName,
  type Download,
} from './download/download-files.ts'
import { downloadAnchor } from './download/download-anchor.ts'
import { createThumbnails } from './download/download-thumbnail.ts'
import type { EvidenceChanges } from './record/evidence-changes.ts'
import { followEvidence } from './present/follow-evidence.ts'
import { assessEvidence } from './health/assess-evidence.ts'
import { hangOnLink, linksFor } from './own/link-to.ts'
import { liveRoutes, presentState } from './live-calls/live-routes.ts'
import { noteDownloaded } from './keep/keep-files.ts'
import { presentEvidence, presentEvidences } from './present/present-evidence.ts'
import { foundUpTo } from '../../../platform/lists/page-depth.ts'
import { listReachable } from './list/list-evidence.ts'
import { askPreview } from './draft/ask-preview.ts'
import { recordEvidenceAct } from './own/own-evidence.ts'
import { findReachable } from './own/reach-store.ts'
import { accountRoutes } from './account-routes.ts'

async function send(
  reply: FastifyReply,
  request: FastifyRequest,
  file: Download,
  disposition: 'inline' | 'attachment',
): Promise<FastifyReply> {
  return await sendStream(reply, request, {
    totalBytes: file.bytes,
    mediaType: file.mediaType,
    fileName: file.fileName,
    etag: file.etag,
    disposition,
    captured: true,
    open: async ({ start, end }) => await file.open(start, end + 1),
  })
}

export function evidenceRoutes(deps: EvidenceWebDeps, changes: EvidenceChanges): Route[] {
  const thumbnailOf = createThumbnails(deps)
  /** The developer's own machine asks as often as it likes. */
  const counted = ({ ip }: FastifyRequest) => (deps.trustLoopback === true && isLoopback(ip) ? null : addressPrefix(ip))

  const noted = async (id: string): Promise<void> => {
    try {
      await noteDownloaded(deps, id)
    } catch (error) {
      deps.log.warn({ err: error, evidence: id }, 'a download could not be noted')
    }
  }

  return [
    ...liveRoutes(deps),
    ...accountRoutes(deps),
    route(contract.createEvidence, async ({ body, request, actor }) => {
      const { evidence, token } = await createEvidence(
        deps,
        { ...body, locale: body.locale ?? localeOf(request) },
        { addressPrefix: counted(request), actor },
      )
      return {
        evidence: await presentEvidence(deps, { actor }, evidence),
        evidence_token: evidence.ownerId === null ? token : null,
      }
    }),
    route(contract.listEvidences, async ({ query, ...caller }) => {
      const page = await listReachable(deps, caller, query)
      const results = await presentEvidences(deps, caller, page.rows)
      const links = toPageObject(contract.listEvidences.path, query, { ...page, count: foundUpTo(query, page) }, results)
      return { ...links, count: page.count, count_capped: page.capped, sortable: page.sortable }
    }),
    route(
      contract.readEvidence,
      async ({ params, ...caller }) => await presentEvidence(deps, caller, await findReachable(deps.db, caller, params.id)),
    ),
    route(contract.readEvidenceStatus, async ({ params, ...caller }) => {
      const evidence = await findReachable(deps.db, caller, params.id)
      return await presentState(deps, evidence)
    }),
    route(contract.readProofHealth, async ({ params, ...caller }) => {
      await findReachable(deps.db, caller, params.id)
      return await assessEvidence(deps, params.id)
    }),
    route(contract.followEvidence, async ({ params, request, reply, admission, ...caller }) => {
      const reach = async () => await findReachable(deps.db, caller, params.id)
      await reach()
      admission.hangOn({ ids: [params.id], ask: async () => (await reach()) && null })
      const last = Number(request.headers['last-event-id'])
      const seen = Number.isSafeInteger(last) ? { lastVersion: last } : {}
      return await sendEvents(reply, admission, (signal) => followEvidence(deps, changes, caller, params.id, { signal, ...seen }))
    }),
    route(
      contract.agreeEvidence,
      async ({ params, ...caller }) => await presentEvidence(deps, caller, await agreeEvidence(deps, caller, params.id)),
    ),
    route(
      contract.withdrawEvidence,
      async ({ params, ...caller }) => await presentEvidence(deps, caller, await withdrawEvidence(deps, caller, params.id)),
    ),
    route(
      contract.rejectEvidence,
      async ({ params, ...caller }) => await presentEvidence(deps, caller, await rejectEvidence(deps, caller, params.id)),
    ),
    route(
      contract.retryEvidence,
      async ({ params, query, body, request, ...caller }) =>
        await presentEvidence(
          deps,
          caller,
          await retryEvidence(deps, { ...caller, addressPrefix: counted(request) }, params.id, { ...query, work: body?.work }),
        ),
    ),
    route(contract.previewReport, async ({ params, query, ...caller }) => {
      const { language } = query
      const { status, since, bytes, document } = await askPreview(deps, caller, params.id, query)
      const linkTo = linksFor(deps, caller, await findReachable(deps.db, caller, params.id))
      return {
        status,
        since: since.toISOString(),
        pdf_preview: status === 'ready' ? linkTo(`/files/${params.id}/preview/?language=${language}`) : null,
        document: document ? linkTo(`/files/${params.id}/preview_document/?language=${language}`) : null,
        file_name: previewName(params.id, language),
        bytes,
      }
    }),
    route(contract.generateZipArchive, async ({ params, query, ...caller }) => {
      const evidence = await findReachable(deps.db, caller, params.id)
      const file = await downloadPackage(deps, params.id, query.full)
      await deps.db.transaction().execute(async (tx) => {
        await recordEvidenceAct(tx, deps.clock.now(), 'package_asked', caller, params.id, { full: query.full })
      })
      const path = `/files/${params.id}/package/?full=${String(query.full)}`
      return { zip_archive: linksFor(deps, caller, evidence)(path), file_name: file.fileName, bytes: file.bytes }
    }),
    route(contract.downloadPiece, async ({ params, query, request, reply, admission }) => {
      await hangOnLink(deps, admission, params.id, query)
      const { path, thumbnail } = query
      return await send(
        reply,
        request,
        thumbnail ? await thumbnailOf(params.id, path) : await downloadPiece(deps, params.id, path),
        'inline',
      )
    }),
    route(contract.downloadReport, async ({ params, query, request, reply, admission }) => {
      await hangOnLink(deps, admission, params.id, query)
      return await send(reply, request, await downloadReport(deps, params.id, query.language), 'inline')
    }),
    route(contract.downloadPreview, async ({ params, query, request, reply, admission }) => {
      await hangOnLink(deps, admission, params.id, query)
      return await send(reply, request, await downloadPreview(deps, params.id, query.language), 'inline')
    }),
    route(contract.downloadPreviewDocument, async ({ params, query, request, reply, admission }) => {
      await hangOnLink(deps, admission, params.id, query)
      return await send(reply, request, await downloadPreviewDocument(deps, params.id, query.language), 'inline')
    }),
    route(contract.downloadAnchor, async ({ params, query, request, reply, admission }) => {
      await hangOnLink(deps, admission, params.id, query)
      return await send(reply, request, await downloadAnchor(deps, params.id), 'attachment')
    }),
    route(contract.downloadPackage, async ({ params, query, request, reply, admission }) => {
      await hangOnLink(deps, admission, params.id, query)
      const file = await downloadPackage(deps, params.id, query.full)
      const open: Download['open'] = async (start, end) => {
        // The last byte is sent once the answer is finished; whether anybody kept it, nobody here knows.
        if (query.full && end === file.bytes && start < end) reply.raw.once('finish', () => void noted(params.id))
        return await file.open(start, end)
      }
      return await send(reply, request, { ...file, open }, 'attachment')
    }),
  ]
}
