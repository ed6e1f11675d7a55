/** Sums of deposits that are known without counting them (decision 0254), as SQL. Every function takes the database or the transaction first. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Category } from '../domain/status.ts'

/**
 * How many rows the parts have, exactly.
 * @returns also how many rows there are in all, as the database estimated when it last looked
 */
export async function countOwned(
  db: Db | Tx,
  parts: readonly RawBuilder<SqlBool>[],
  category: Category | null,
): Promise<{ readonly count: number; readonly ofAll: number }> {
  const { rows } = await sql<{ count: number; of_all: number }>`
    select coalesce(sum(change), 0)::bigint as count, (select reltuples from pg_class where oid = 'document'::regclass) as of_all
    from document_tally where (${sql.join([...parts], sql` or `)}) ${category === null ? sql`` : sql`and category = ${category}`}`.execute(
    db,
  )
  return { count: rows[0]?.count ?? 0, ofAll: rows[0]?.of_all ?? 0 }
}

export type MonthCount = { readonly userId: string; readonly month: string; readonly count: number }

/** Final deposits by owner and month: of what the account owns, or of a group. */
export async function countSealed(
  db: Db | Tx,
  of: { readonly accountId: string; readonly groupId: string | null } | { readonly groupId: string },
): Promise<MonthCount[]> {
  const whose =
    'accountId' in of
      ? sql<SqlBool>`owner_id = ${of.accountId}::uuid and (group_id is null or group_id = ${of.groupId}::uuid)`
      : sql<SqlBool>`group_id = ${of.groupId}::uuid`
  const { rows } = await sql<{ owner_id: string; month: string; count: number }>`
    select owner_id, month, sum(change)::bigint as count from document_tally
    where sealed and ${whose} group by owner_id, month having sum(change) <> 0`.execute(db)
  return rows.map(({ owner_id, month, count }) => ({ userId: owner_id, month, count }))
}

/**
 * Makes one line of the lines of each key that has new ones: their sum stays what it is, for every reader at every moment.
 * @returns how many lines were new, at most `limit`
 */
export async function foldTally(db: Db, limit: number): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    // One at a time: two that folded the same key would leave two lines, of no harm, and wait for each other meanwhile.
    await sql`select pg_advisory_xact_lock(hashtext('document_tally'))`.execute(tx)
    const { rows } = await sql<{ count: number }>`
      with fresh as (
        select distinct owner_id, group_id, category, sealed, month from (
          select * from document_tally where not folded limit ${limit}) sample),
      gone as (
        delete from document_tally t using fresh f
        where t.owner_id = f.owner_id and t.group_id is not distinct from f.group_id and t.category = f.category
          and t.sealed = f.sealed and t.month = f.month
        returning t.*),
      kept as (
        insert into document_tally (owner_id, group_id, category, sealed, month, change, folded)
        select owner_id, group_id, category, sealed, month, sum(change), true from gone
        group by owner_id, group_id, category, sealed, month having sum(change) <> 0)
      select count(*) as count from gone where not folded`.execute(tx)
    return rows[0]?.count ?? 0
  })
}
