import type { FastifyReply } from 'fastify'
import { toPageObject } from '../../../kernel/page.ts'
import { route, sentFile, signedIn, type Route } from '../../../platform/http/route.ts'
import * as contract from '../contract/endpoints.ts'
import { claimUser, releaseUser } from './decide/claim-user.ts'
import type { ReviewWebDeps } from './documents/deps.ts'
import { presentVerification } from './present/present-verification.ts'
import { readPage, viewPage, type PagePicture } from './present/read-page.ts'
import { presentEntry, readUser } from './decide/read-user.ts'
import { submitDocuments, takeBackDocument } from './upload/send-documents.ts'
import { createTurns } from './upload/take-turns.ts'
import { uploadDocument } from './upload/upload-document.ts'
import { listUsers } from './documents/user-store.ts'
import { verifyUser } from './decide/verify-user.ts'

/** A picture for a page that fetches it with its token: opened by itself it is neither shown nor of our origin, and nothing keeps it. */
async function sendPicture(reply: FastifyReply, { mediaType, bytes }: PagePicture): Promise<FastifyReply> {
  return await reply
    .headers({
      'cache-control': 'no-store',
      'content-disposition': 'attachment',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'content-length': bytes.length,
    })
    .type(mediaType)
    .send(bytes)
}

/** Files rendered at a time, in one process; and how many wait for that. */
const bounds = { perPerson: 4, rendering: 2, waiting: 40 }

export function reviewRoutes(deps: ReviewWebDeps): Route[] {
  const { db } = deps
  const turns = createTurns(bounds)
  return [
    route(contract.readIdentityVerification, async ({ actor }) => await presentVerification(deps, db, signedIn(actor).userId)),
    route(
      contract.uploadIdentityDocument,
      async ({ actor, query, bytes, admission: { signal } }) =>
        await uploadDocument(deps, turns, signedIn(actor), { kind: query.kind, bytes: sentFile(bytes), signal }),
    ),
    route(contract.deleteIdentityDocument, async ({ actor, params }) => await takeBackDocument(deps, signedIn(actor), params.id)),
    route(contract.readIdentityDocumentPage, async ({ actor, params, reply }) => {
      const { userId } = signedIn(actor)
      return await sendPicture(reply, await readPage(deps, { userId, documentId: params.id, page: params.page }))
    }),
    route(contract.submitIdentityDocuments, async ({ actor }) => await submitDocuments(deps, signedIn(actor))),
    ...staffRoutes(deps),
  ]
}

function staffRoutes(deps: ReviewWebDeps): Route[] {
  return [
    route(contract.listUsers, async ({ actor, query }) => {
      const caller = signedIn(actor)
      const found = {
        state: query.state,
        userType: query.user_type ?? null,
        claimed: query.claimed ?? null,
        status: query.status ?? null,
        search: (query.search?.trim() ?? '') || null,
        ordering: query.ordering,
        limit: query.page_size,
        offset: (query.page - 1) * query.page_size,
      }
      const page = await listUsers(deps.db, found, caller.userId, deps.clock.now())
      return toPageObject(
        contract.listUsers.path,
        query,
        page,
        page.rows.map((entry) => presentEntry(entry, caller)),
      )
    }),
    route(contract.readUser, async ({ actor, params }) => await readUser(deps, signedIn(actor), params.id)),
    route(contract.claimUser, async ({ actor, params }) => await claimUser(deps, signedIn(actor), params.id)),
    route(contract.releaseUser, async ({ actor, params }) => await releaseUser(deps, signedIn(actor), params.id)),
    route(contract.readUserDocumentPage, async ({ actor, params, reply }) => {
      const which = { userId: params.id, documentId: params.document, page: params.page }
      return await sendPicture(reply, await viewPage(deps, signedIn(actor), which))
    }),
    route(contract.verifyUser, async ({ actor, params, body }) => await verifyUser(deps, signedIn(actor), params.id, body)),
  ]
}
