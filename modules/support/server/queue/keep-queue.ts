import { randomUUIDv7 } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import type { BodyOf, QueryOf, ResponseOf } from '../../../../kernel/endpoint.ts'
import { toPageObject } from '../../../../kernel/page.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import * as contract from '../../contract/endpoints.ts'
import type { StaffRequest } from '../../contract/support.ts'
import { statusAfter, type RequestStatus } from '../../domain/request.ts'
import type { SupportDeps } from '../requests/deps.ts'
import { sendAnswerJob } from '../requests/jobs.ts'
import { presentQueued, presentToStaff, requestNotFound } from '../requests/present-request.ts'
import { findRequest, insertMessage, listQueue, lockRequest, setStatus } from '../requests/request-store.ts'

type Deps = Pick<SupportDeps, 'db' | 'clock'>

export async function readQueue(
  { db }: Deps,
  query: QueryOf<typeof contract.listSupportQueue>,
): Promise<ResponseOf<typeof contract.listSupportQueue>> {
  const page = await listQueue(db, {
    status: query.status,
    search: (query.search?.trim() ?? '') || null,
    limit: query.page_size,
    offset: (query.page - 1) * query.page_size,
  })
  return toPageObject(contract.listSupportQueue.path, query, page, page.rows.map(presentQueued))
}

/** @throws DomainError `support.request_not_found` */
export async function readQueued({ db }: Deps, id: string): Promise<StaffRequest> {
  const request = await findRequest(db, id, 'anybody')
  if (request === null) throw requestNotFound()
  return await presentToStaff(db, request)
}

/** @throws DomainError `support.request_not_found` */
export async function answer(
  deps: Deps,
  actor: Actor,
  id: string,
  body: BodyOf<typeof contract.answerSupportRequest>,
): Promise<StaffRequest> {
  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    if ((await lockRequest(tx, id, 'anybody')) === null) throw requestNotFound()
    const message = { id: randomUUIDv7(), requestId: id, author: 'staff', staffId: actor.userId } as const
    await insertMessage(tx, { ...message, text: body.description, createdAt: now }, [])
    await enqueue(tx, sendAnswerJob, { message_id: message.id })
    return await move(tx, actor, { id, action: 'support.answered_request', status: statusAfter('staff', body.close) }, now)
  })
}

/** @throws DomainError `support.request_not_found` */
export async function decide(deps: Deps, actor: Actor, id: string, status: 'open' | 'closed'): Promise<StaffRequest> {
  return await deps.db.transaction().execute(async (tx) => {
    const locked = await lockRequest(tx, id, 'anybody')
    if (locked === null) throw requestNotFound()
    if (locked.status === status) return await presentToStaff(tx, locked)
    const action = status === 'closed' ? 'support.closed_request' : 'support.reopened_request'
    return await move(tx, actor, { id, action, status }, deps.clock.now())
  })
}

type Move = { readonly id: string; readonly action: `support.${string}`; readonly status: RequestStatus }

async function move(tx: Tx, actor: Actor, { id, action, status }: Move, now: Date): Promise<StaffRequest> {
  await setStatus(tx, id, status, now)
  const moved = await findRequest(tx, id, 'anybody')
  if (moved === null) throw requestNotFound()
  const shown = await presentToStaff(tx, moved)
  await recordAct(tx, now, {
    action,
    actor,
    subject: { type: 'support_request', id },
    data: { reference: moved.reference, status },
  })
  return shown
}
