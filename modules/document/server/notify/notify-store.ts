/** Lines of mails to send about deposits, and what they are about, as SQL. Every function takes the database or the transaction first. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type DepositNotice = {
  readonly id: string
  readonly userId: string
  /** Whose deposits. */
  readonly ownerId: string
  readonly kind: 'draft_ending' | 'anchored' | 'download_reminder' | 'proof_weakening'
  /** When the first of the drafts ends, ISO 8601; the anchor; of copies that end, how many days ahead and when it was written down; of time stamps that weaken, when that was. */
  readonly occasion: string
  readonly createdAt: Date
}

/** @returns whether there was none about that to that person yet */
export async function insertNotice(tx: Tx, row: DepositNotice): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('document_notification')
    .values({
      id: row.id,
      user_id: row.userId,
      owner_id: row.ownerId,
      kind: row.kind,
      occasion: row.occasion,
      created_at: row.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['owner_id', 'user_id', 'kind', 'occasion']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Null: there is none, or it is settled. */
export async function findOpenNotice(db: Db | Tx, id: string): Promise<DepositNotice | null> {
  const row = await db
    .selectFrom('document_notification')
    .selectAll()
    .where('id', '=', id)
    .where('settled_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return null
  const { user_id: userId, owner_id: ownerId, occasion, created_at: createdAt } = row
  return { id, userId, ownerId, kind: row.kind as DepositNotice['kind'], occasion, createdAt }
}

/** Of an account that goes. */
export async function deleteNotices(db: Db | Tx, accountId: string): Promise<void> {
  await db
    .deleteFrom('document_notification')
    .where((eb) => eb.or([eb('user_id', '=', accountId), eb('owner_id', '=', accountId)]))
    .execute()
}

type Between = { readonly now: Date; readonly before: Date }

/** Accounts with drafts that end after `now` and up to `before`, of which nobody was told. */
export async function listOwnersToRemind(db: Db | Tx, { now, before }: Between, limit: number): Promise<string[]> {
  const { rows } = await sql<{ owner_id: string }>`
    select distinct owner_id from document where status = 'draft' and reminded_at is null
      and expires_at > ${now}::timestamptz and expires_at <= ${before}::timestamptz limit ${limit}`.execute(db)
  return rows.map((row) => row.owner_id)
}

/** Told of from now on. @returns who deposited them, and when the first ends */
export async function markReminded(
  tx: Tx,
  ownerId: string,
  { now, before }: Between,
): Promise<readonly { readonly createdBy: string; readonly expiresAt: Date }[]> {
  const { rows } = await sql<{ created_by: string; expires_at: Date }>`
    update document set reminded_at = ${now}::timestamptz where owner_id = ${ownerId}::uuid and status = 'draft' and reminded_at is null
      and expires_at > ${now}::timestamptz and expires_at <= ${before}::timestamptz
    returning created_by, expires_at`.execute(tx)
  return rows.map((row) => ({ createdBy: row.created_by, expiresAt: row.expires_at }))
}

/** Drafts that end up to then and are still there, those of one depositor where one is told. */
export async function findEndingDrafts(
  db: Db | Tx,
  { ownerId, createdBy }: { readonly ownerId: string; readonly createdBy: string | null },
  { now, before }: Between,
): Promise<{ readonly count: number; readonly first: Date | null }> {
  const { rows } = await sql<{ count: number; first: Date | null }>`
    select count(*)::int as count, min(expires_at) as first from document where owner_id = ${ownerId}::uuid and status = 'draft'
      and expires_at > ${now}::timestamptz and expires_at <= ${before}::timestamptz
      and (${createdBy}::uuid is null or created_by = ${createdBy}::uuid)`.execute(db)
  return rows[0] ?? { count: 0, first: null }
}

export type AnchoredDeposits = { readonly count: number; readonly height: number; readonly header: Uint8Array; readonly at: Date }

/** What an account has that stands in the chain since that anchor, and in which block. Null: nothing any more. */
export async function findAnchoredDeposits(db: Db | Tx, ownerId: string, anchorId: string): Promise<AnchoredDeposits | null> {
  const { rows } = await sql<{ count: number; height: number | null; header: Buffer | null; block_time: Date | null }>`
    select count(*)::int as count, a.height, a.header, a.block_time from document_batch b
    join document d on d.batch_id = b.id and d.status = 'final' and d.trashed_at is null and d.content_deleted_at is null
    join log_anchor a on a.id = b.anchor_id
    where b.anchor_id = ${anchorId}::uuid and b.owner_id = ${ownerId}::uuid group by a.height, a.header, a.block_time`.execute(db)
  const [row] = rows
  if (row?.height == null || row.header === null || row.block_time === null) return null
  return { count: row.count, height: row.height, header: row.header, at: row.block_time }
}
