import { randomUUIDv7 } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import type { BodyOf, QueryOf, ResponseOf } from '../../../../kernel/endpoint.ts'
import { toPageObject } from '../../../../kernel/page.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import * as contract from '../../contract/endpoints.ts'
import type { SupportRequest } from '../../contract/support.ts'
import { statusAfter, type RequestStatus } from '../../domain/request.ts'
import type { SupportDeps, SupportWebDeps } from '../requests/deps.ts'
import { guardAccount } from '../requests/guard-request.ts'
import { tellOperatorJob } from '../requests/jobs.ts'
import { presentEntry, presentRequest, requestNotFound } from '../requests/present-request.ts'
import { findRequest, insertMessage, listOwnRequests, lockRequest, setStatus } from '../requests/request-store.ts'
import { awaitAttachments } from './await-attachments.ts'

type Read = Pick<SupportDeps, 'db' | 'clock'>

/** The message box: a person's own requests, whomever he acts for. */
export async function listBox(
  { db }: Read,
  actor: Actor,
  query: QueryOf<typeof contract.listSupportRequests>,
): Promise<ResponseOf<typeof contract.listSupportRequests>> {
  const slice = { limit: query.page_size, offset: (query.page - 1) * query.page_size }
  const page = await listOwnRequests(db, actor.userId, slice)
  return toPageObject(contract.listSupportRequests.path, query, page, page.rows.map(presentEntry))
}

/** @throws DomainError `support.request_not_found` */
export async function readOwnRequest({ db }: Read, actor: Actor, id: string): Promise<SupportRequest> {
  const request = await findRequest(db, id, { userId: actor.userId })
  if (request === null) throw requestNotFound()
  return await presentRequest(db, request)
}

/** @throws DomainError `support.request_not_found`, `support.throttled` */
export async function reply(
  deps: SupportWebDeps,
  actor: Actor,
  id: string,
  body: BodyOf<typeof contract.replyToSupport>,
): Promise<ResponseOf<typeof contract.replyToSupport>> {
  await readOwnRequest(deps, actor, id)
  await guardAccount(deps, actor.userId)
  const messageId = randomUUIDv7()
  const { rows, awaited } = awaitAttachments(deps.secret, body.attachments)
  const request = await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    const locked = await lockRequest(tx, id, { userId: actor.userId })
    if (locked === null) throw requestNotFound()
    const said = { author: 'sender', staffId: null, text: body.description, createdAt: now } as const
    await insertMessage(tx, { id: messageId, requestId: id, ...said }, rows)
    await enqueue(tx, tellOperatorJob, { message_id: messageId })
    return await moveOwn(tx, actor, locked.id, statusAfter('sender', false), now)
  })
  return { request, attachments: awaited }
}

/** @throws DomainError `support.request_not_found` */
export async function settle(deps: Read, actor: Actor, id: string): Promise<SupportRequest> {
  return await deps.db.transaction().execute(async (tx) => {
    const locked = await lockRequest(tx, id, { userId: actor.userId })
    if (locked === null) throw requestNotFound()
    if (locked.status === 'closed') return await presentRequest(tx, locked)
    return await moveOwn(tx, actor, id, 'closed', deps.clock.now())
  })
}

async function moveOwn(tx: Tx, actor: Actor, id: string, status: RequestStatus, now: Date): Promise<SupportRequest> {
  await setStatus(tx, id, status, now)
  const moved = await findRequest(tx, id, { userId: actor.userId })
  if (moved === null) throw requestNotFound()
  const shown = await presentRequest(tx, moved)
  const action = status === 'closed' ? 'support.closed_request' : 'support.replied'
  await recordAct(tx, now, { action, actor, subject: { type: 'support_request', id }, data: { reference: moved.reference } })
  return shown
}
