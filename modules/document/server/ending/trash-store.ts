/** What goes from the lists, as SQL. Every function takes the database or the transaction first. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

/** Drafts whose day is over, at most `limit`, held for the caller. */
export async function lockExpiredDrafts(tx: Tx, now: Date, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('document')
    .select('id')
    .where('status', '=', 'draft')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(({ id }) => id)
}

/** Rows that expired before; whatever declared to replace one of them declares nothing any more. */
export async function deleteExpired(db: Db | Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from document where id in (
      select id from document where status = 'expired' and status_changed_at <= ${before}::timestamptz limit ${limit})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
