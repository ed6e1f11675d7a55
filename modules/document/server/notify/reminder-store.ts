/** Copies that end soon, as SQL. Every function takes the database or the transaction first. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

/** `days` ahead; not of copies that were never to be kept for longer than that. */
type Ahead = { readonly now: Date; readonly days: number }

const ending = ({ now, days }: Ahead) => sql<boolean>`c.state = 'stored' and c.unopened_at is null
  and c.kept_until > ${now}::timestamptz and c.kept_until <= ${now}::timestamptz + make_interval(days => ${days}::int)
  and c.kept_until - c.stored_at > make_interval(days => ${days}::int)
  and (c.reminded_days is null or c.reminded_days > ${days}::int)
  and d.trashed_at is null and d.content_deleted_at is null`

/** Accounts with copies that end within so many days, of which nobody was told so near to it. */
export async function listOwnersOfEnding(db: Db | Tx, ahead: Ahead, limit: number): Promise<string[]> {
  const { rows } = await sql<{ owner_id: string }>`
    select distinct d.owner_id from document_copy c join document d on d.id = c.document_id where ${ending(ahead)} limit ${limit}`.execute(
    db,
  )
  return rows.map((row) => row.owner_id)
}

/** Told of from now on. @returns who deposited them */
export async function markEndingReminded(tx: Tx, ownerId: string, ahead: Ahead): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ created_by: string }>`
    update document_copy c set reminded_days = ${ahead.days}, reminded_at = ${ahead.now}::timestamptz from document d
    where d.id = c.document_id and d.owner_id = ${ownerId}::uuid and ${ending(ahead)} returning d.created_by`.execute(tx)
  return new Set(rows.map((row) => row.created_by))
}

export type EndingCopy = {
  readonly documentId: string
  readonly name: string | null
  readonly sha256: Uint8Array
  readonly keptUntil: Date
}

/** Of those that one mail was written down for at that instant, what is still there and not ended; the first to end first. */
export async function findEndingCopies(
  db: Db | Tx,
  { ownerId, createdBy }: { readonly ownerId: string; readonly createdBy: string | null },
  { remindedAt, now }: { readonly remindedAt: Date; readonly now: Date },
  limit: number,
): Promise<{ readonly count: number; readonly copies: readonly EndingCopy[] }> {
  const { rows } = await sql<{ id: string; name: string | null; sha256: Buffer; kept_until: Date; count: number }>`
    select d.id, d.name, d.sha256, c.kept_until, count(*) over ()::int as count
    from document_copy c join document d on d.id = c.document_id
    where c.state = 'stored' and c.reminded_at = ${remindedAt}::timestamptz and c.kept_until > ${now}::timestamptz
      and d.owner_id = ${ownerId}::uuid and (${createdBy}::uuid is null or d.created_by = ${createdBy}::uuid)
      and d.trashed_at is null and d.content_deleted_at is null
    order by c.kept_until, d.id limit ${limit}`.execute(db)
  return {
    count: rows[0]?.count ?? 0,
    copies: rows.map((row) => ({ documentId: row.id, name: row.name, sha256: row.sha256, keptUntil: row.kept_until })),
  }
}
