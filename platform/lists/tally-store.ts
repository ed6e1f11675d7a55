/** Sums of a list that are known without counting its rows (decision 0254), as SQL. Every function takes the database or the transaction first. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db, Tx } from '../db/database.ts'

/** The table of rows, whose changes triggers add to `<table>_tally`. */
export type TalliedTable = 'evidence' | 'document'

const tallyOf = (table: TalliedTable) => sql.table(`${table}_tally`)

/** Of so many rows: how many a scope has, exactly; and how many there are in all, as the database estimated when it last looked. */
export type Owned = { readonly count: number; readonly ofAll: number }

/** How many rows the parts of a scope have, of one category or of all. */
export async function countOwned(
  db: Db | Tx,
  table: TalliedTable,
  parts: readonly RawBuilder<SqlBool>[],
  category: string | null,
): Promise<Owned> {
  const { rows } = await sql<{ count: number; of_all: number }>`
    select coalesce(sum(change), 0)::bigint as count, (select reltuples from pg_class where oid = ${table}::regclass) as of_all
    from ${tallyOf(table)} where (${sql.join([...parts], sql` or `)}) ${category === null ? sql`` : sql`and category = ${category}`}`.execute(
    db,
  )
  return { count: rows[0]?.count ?? 0, ofAll: rows[0]?.of_all ?? 0 }
}

export type MonthCount = { readonly userId: string; readonly month: string; readonly count: number }

/** Rows that became final, by owner and month: of what the account owns, or of a group. */
export async function countSealed(
  db: Db | Tx,
  table: TalliedTable,
  of: { readonly accountId: string; readonly groupId: string | null } | { readonly groupId: string },
): Promise<MonthCount[]> {
  const whose =
    'accountId' in of
      ? sql<SqlBool>`owner_id = ${of.accountId}::uuid and (group_id is null or group_id = ${of.groupId}::uuid)`
      : sql<SqlBool>`group_id = ${of.groupId}::uuid`
  const { rows } = await sql<{ owner_id: string; month: string; count: number }>`
    select owner_id, month, sum(change)::bigint as count from ${tallyOf(table)}
    where sealed and ${whose} group by owner_id, month having sum(change) <> 0`.execute(db)
  return rows.map(({ owner_id, month, count }) => ({ userId: owner_id, month, count }))
}

/**
 * Makes one line of the lines of each key that has new ones: their sum stays what it is, for every reader at every moment.
 * @returns how many lines were new, at most `limit`
 */
export async function foldTally(db: Db, table: TalliedTable, limit: number): Promise<number> {
  const tally = tallyOf(table)
  return await db.transaction().execute(async (tx) => {
    // One at a time: two that folded the same key would leave two lines, of no harm, and wait for each other meanwhile.
    await sql`select pg_advisory_xact_lock(hashtext(${`${table}_tally`}))`.execute(tx)
    const { rows } = await sql<{ count: number }>`
      with fresh as (
        select distinct owner_id, group_id, category, sealed, month from (
          select * from ${tally} where not folded limit ${limit}) sample),
      gone as (
        delete from ${tally} t using fresh f
        where t.owner_id = f.owner_id and t.group_id is not distinct from f.group_id and t.category = f.category
          and t.sealed = f.sealed and t.month = f.month
        returning t.*),
      kept as (
        insert into ${tally} (owner_id, group_id, category, sealed, month, change, folded)
        select owner_id, group_id, category, sealed, month, sum(change), true from gone
        group by owner_id, group_id, category, sealed, month having sum(change) <> 0)
      select count(*) as count from gone where not folded`.execute(tx)
    return rows[0]?.count ?? 0
  })
}
