/** The SQL of requests, what is said of them, and what is attached. */
import { sql, type Selectable } from 'kysely'
import type { Database } from '../../../../db/schema.d.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import type { Page } from '../../../../kernel/page.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Author, RequestStatus } from '../../domain/request.ts'

export type KeptRequest = {
  readonly id: string
  readonly reference: string
  readonly userId: string | null
  readonly name: string
  readonly email: string
  readonly title: string
  readonly locale: Locale
  readonly status: RequestStatus
  readonly createdAt: Date
  readonly changedAt: Date
}

export type KeptMessage = {
  readonly id: string
  readonly requestId: string
  readonly author: Author
  readonly staffId: string | null
  readonly text: string
  readonly createdAt: Date
}

export type KeptAttachment = {
  readonly id: string
  readonly messageId: string
  readonly name: string
  readonly bytes: number
  /** null: it has not come. */
  readonly blob: string | null
}

function toRequest(row: Selectable<Database['support_request']>): KeptRequest {
  return {
    id: row.id,
    reference: row.reference,
    userId: row.user_id,
    name: row.name,
    email: row.email,
    title: row.title,
    locale: row.locale as Locale,
    status: row.status as RequestStatus,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  }
}

function toMessage(row: Selectable<Database['support_message']>): KeptMessage {
  return {
    id: row.id,
    requestId: row.request_id,
    author: row.author as Author,
    staffId: row.staff_id,
    text: row.text,
    createdAt: row.created_at,
  }
}

const toAttachment = (row: Selectable<Database['support_attachment']>): KeptAttachment => ({
  id: row.id,
  messageId: row.message_id,
  name: row.name,
  bytes: row.bytes,
  blob: row.blob,
})

export async function insertRequest(tx: Tx, request: Omit<KeptRequest, 'status' | 'changedAt'>): Promise<void> {
  const { userId, createdAt, ...said } = request
  await tx
    .insertInto('support_request')
    .values({ ...said, user_id: userId, created_at: createdAt, changed_at: createdAt })
    .execute()
}

export async function insertMessage(
  tx: Tx,
  message: KeptMessage,
  attachments: readonly Pick<KeptAttachment, 'id' | 'name' | 'bytes'>[],
): Promise<void> {
  await tx
    .insertInto('support_message')
    .values({
      id: message.id,
      request_id: message.requestId,
      author: message.author,
      staff_id: message.staffId,
      text: message.text,
      created_at: message.createdAt,
    })
    .execute()
  if (attachments.length === 0) return
  await tx
    .insertInto('support_attachment')
    .values(attachments.map(({ id, name, bytes }, place) => ({ id, message_id: message.id, place, name, bytes })))
    .execute()
}

/** Of that account alone, or, for staff, whosoever it is. */
export type Whose = { readonly userId: string } | 'anybody'

export async function findRequest(db: Db | Tx, id: string, whose: Whose): Promise<KeptRequest | null> {
  let found = db.selectFrom('support_request').selectAll().where('id', '=', id)
  if (whose !== 'anybody') found = found.where('user_id', '=', whose.userId)
  const row = await found.executeTakeFirst()
  return row === undefined ? null : toRequest(row)
}

/** Held until the transaction ends. */
export async function lockRequest(tx: Tx, id: string, whose: Whose): Promise<KeptRequest | null> {
  let found = tx.selectFrom('support_request').selectAll().where('id', '=', id).forUpdate()
  if (whose !== 'anybody') found = found.where('user_id', '=', whose.userId)
  const row = await found.executeTakeFirst()
  return row === undefined ? null : toRequest(row)
}

export async function setStatus(tx: Tx, id: string, status: RequestStatus, now: Date): Promise<void> {
  await tx.updateTable('support_request').set({ status, changed_at: now }).where('id', '=', id).execute()
}

export async function listMessages(db: Db | Tx, requestId: string): Promise<KeptMessage[]> {
  const rows = await db
    .selectFrom('support_message')
    .selectAll()
    .where('request_id', '=', requestId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toMessage)
}

export async function findMessage(db: Db, id: string): Promise<KeptMessage | null> {
  const row = await db.selectFrom('support_message').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? null : toMessage(row)
}

export async function listAttachments(db: Db | Tx, messageIds: readonly string[]): Promise<KeptAttachment[]> {
  if (messageIds.length === 0) return []
  const rows = await db
    .selectFrom('support_attachment')
    .selectAll()
    .where('message_id', 'in', messageIds)
    .orderBy('message_id')
    .orderBy('place')
    .execute()
  return rows.map(toAttachment)
}

export async function findAttachment(
  db: Db | Tx,
  id: string,
): Promise<(KeptAttachment & { readonly requestId: string; readonly announcedAt: Date }) | null> {
  const row = await db
    .selectFrom('support_attachment')
    .innerJoin('support_message', 'support_message.id', 'support_attachment.message_id')
    .selectAll('support_attachment')
    .select(['support_message.request_id', 'support_message.created_at'])
    .where('support_attachment.id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : { ...toAttachment(row), requestId: row.request_id, announcedAt: row.created_at }
}

/** @returns false when it had come before, or is not awaited any more */
export async function keepAttachment(tx: Tx, id: string, blob: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('support_attachment')
    .set({ blob, received_at: now })
    .where('id', '=', id)
    .where('blob', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

type Slice = { readonly limit: number; readonly offset: number }

export async function listOwnRequests(db: Db, userId: string, { limit, offset }: Slice): Promise<Page<KeptRequest>> {
  const own = db.selectFrom('support_request').where('user_id', '=', userId)
  const { count } = await own.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await own.selectAll().orderBy('changed_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return { count, rows: rows.map(toRequest) }
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')

export async function listQueue(
  db: Db,
  asked: Slice & { readonly status: RequestStatus | 'any'; readonly search: string | null },
): Promise<Page<KeptRequest>> {
  let found = db.selectFrom('support_request')
  if (asked.status !== 'any') found = found.where('status', '=', asked.status)
  if (asked.search !== null) {
    const like = `%${escaped(asked.search)}%`
    found = found.where(
      sql<boolean>`(reference ilike ${like} or email ilike ${like} or name ilike ${like} or title ilike ${like})`,
    )
  }
  const { count } = await found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await found
    .selectAll()
    .orderBy('changed_at', asked.status === 'open' ? 'asc' : 'desc')
    .orderBy('id')
    .limit(asked.limit)
    .offset(asked.offset)
    .execute()
  return { count, rows: rows.map(toRequest) }
}
