/** Lists and counts of evidences, as SQL. Every function takes the database or the transaction first. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { CaptureAction } from '../domain/action.ts'
import type { Category } from '../domain/status.ts'
import { reachable, type Caller, type Standing } from './reach-store.ts'
import { toRecord, type EvidenceRecord } from './store.ts'

/** Whose rows: what one token holds, or what an account reaches; see {@link reachable}. */
export type ListScope =
  | { readonly kind: 'token'; readonly tokenHash: Buffer }
  | { readonly kind: 'account'; readonly accountId: string; readonly standing: Standing | null; readonly group: boolean | null }

export type ListFilter = {
  readonly category: Category | null
  /** In address, label and title, any case. */
  readonly search: string | null
  readonly action: CaptureAction | null
  readonly createdAfter: Date | null
  readonly createdBefore: Date | null
  readonly createdBy: string | null
}

export type ListQuery = {
  /** Once more in the statement that reads the rows: who lost his way to them meanwhile reads nothing. */
  readonly caller: Caller
  readonly scope: ListScope
  readonly filter: ListFilter
  readonly ordering: { readonly column: 'created_at' | 'status'; readonly direction: 'asc' | 'desc' }
  readonly limit: number
  readonly offset: number
  readonly way: Way
}

/** How rows are found; {@link countEvidence} says which way suits. */
export type Way = {
  /** Those that match are known to be few: they are found first and sorted after. */
  readonly few: boolean
  /** By the index of text, which holds the rows of all accounts; else the account's own are read and compared. */
  readonly byText: boolean
}

/** Matches are counted up to here; the sum of what is not filtered is known exactly (decision 0254). */
export const mostCounted = 1_000

/** What is equal in every row of a stretch of the list indexes, so that it is read in the order of its age. */
const stretches: readonly { readonly category: Category; readonly status: string | null }[] = [
  // Few at a time: those that nobody agrees to are gone after a day.
  { category: 'draft', status: null },
  { category: 'completed', status: 'final' },
  { category: 'trash', status: 'final' },
  { category: 'trash', status: 'rejected' },
  { category: 'trash', status: 'expired' },
]

/** The parts of a scope, none of which shares a row with another. */
function partsOf(scope: ListScope): RawBuilder<SqlBool>[] {
  if (scope.kind === 'token') return [sql<SqlBool>`owner_id is null and token_hash = ${scope.tokenHash}`]
  const { accountId, standing, group } = scope
  const own = sql<SqlBool>`owner_id = ${accountId}::uuid and group_id is null`
  if (standing === null) return group === true ? [] : [own]
  const ownInGroup = sql<SqlBool>`owner_id = ${accountId}::uuid and group_id = ${standing.groupId}::uuid`
  const wholeGroup = sql<SqlBool>`owner_id is not null and group_id = ${standing.groupId}::uuid`
  if (group === true) return standing.manages ? [wholeGroup] : [ownInGroup]
  return [own, standing.manages && group === null ? wholeGroup : ownInGroup]
}

function conditionsOf(
  { search, action, createdAfter, createdBefore, createdBy }: ListFilter,
  byText: boolean,
): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = []
  if (search !== null) {
    const pattern = `%${search.replaceAll(/[\\%_]/g, (special) => `\\${special}`)}%`
    // Text that is put together is in no index.
    conditions.push(byText ? sql<SqlBool>`search_text ilike ${pattern}` : sql<SqlBool>`search_text || '' ilike ${pattern}`)
  }
  if (action !== null) conditions.push(sql<SqlBool>`action = ${action}`)
  if (createdAfter !== null) conditions.push(sql<SqlBool>`created_at >= ${createdAfter}`)
  if (createdBefore !== null) conditions.push(sql<SqlBool>`created_at < ${createdBefore}`)
  if (createdBy !== null) conditions.push(sql<SqlBool>`created_by = ${createdBy}::uuid`)
  return conditions
}

/**
 * @param inStretch where every row has the same group: naming it first makes the order that of the index also where that is null,
 * which the planner does not take for a constant
 */
function directed({ column, direction }: ListQuery['ordering'], inStretch: boolean): RawBuilder<unknown> {
  const columns = [...(inStretch ? ['group_id'] : []), ...(column === 'status' ? ['status'] : []), 'created_at', 'id']
  return sql.join(columns.map((name) => sql`${sql.ref(name)} ${sql.raw(direction)}`))
}

/** Of every stretch the first `most` rows: enough for any page that ends there. Few rows are asked for once, in no stretches. */
function union(
  scope: ListScope,
  filter: ListFilter,
  { order, most, way }: { readonly order: RawBuilder<unknown> | null; readonly most: number; readonly way: Way },
): RawBuilder<unknown> {
  const conditions = conditionsOf(filter, way.byText)
  const wanted = way.few
    ? [{ category: filter.category, status: null }]
    : stretches.filter(({ category }) => filter.category === null || category === filter.category)
  const selects = partsOf(scope).flatMap((part) =>
    wanted.map(({ category, status }) => {
      const all = [
        part,
        ...(category === null ? [] : [sql<SqlBool>`category = ${category}`]),
        ...(status === null ? [] : [sql<SqlBool>`status = ${status}`]),
      ]
      const where = sql.join([...all, ...conditions], sql` and `)
      const ordered = order === null ? sql`` : sql`order by ${order}`
      return sql`(select id, status, created_at from evidence where ${where} ${ordered} limit ${most})`
    }),
  )
  return sql.join(selects, sql` union all `)
}

export async function listEvidence(db: Db | Tx, query: ListQuery): Promise<EvidenceRecord[]> {
  const { scope, filter, limit, offset } = query
  if (partsOf(scope).length === 0) return []
  const order = directed(query.ordering, false)
  const pageOfIds = sql<string>`(select id from (${union(scope, filter, { order: directed(query.ordering, true), most: offset + limit, way: query.way })}) listed
    order by ${order} limit ${limit} offset ${offset})`
  const rows = await db
    .selectFrom('evidence')
    .selectAll()
    .where('id', 'in', pageOfIds)
    .where(reachable(query.caller))
    .$call((found) => (query.ordering.column === 'status' ? found.orderBy('status', query.ordering.direction) : found))
    .orderBy('created_at', query.ordering.direction)
    .orderBy('id', query.ordering.direction)
    .execute()
  return rows.map(toRecord)
}

/** Of an account with more rows, words are looked up in the index of text; reading fewer costs less than that. */
const manyRows = 20_000

async function countAll(db: Db | Tx, scope: ListScope & { kind: 'account' }, category: Category | null): Promise<number> {
  const parts = sql.join(partsOf(scope), sql` or `)
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(change), 0)::bigint as count from evidence_tally
    where (${parts}) ${category === null ? sql`` : sql`and category = ${category}`}`.execute(db)
  return rows[0]?.count ?? 0
}

/** @returns how many match, whether there are more than that, and how to find them */
export async function countEvidence(
  db: Db | Tx,
  { scope, filter }: Pick<ListQuery, 'scope' | 'filter'>,
): Promise<{ readonly count: number; readonly capped: boolean; readonly way: Way }> {
  if (partsOf(scope).length === 0) return { count: 0, capped: false, way: { few: true, byText: false } }
  const all = scope.kind === 'account' ? await countAll(db, scope, filter.category) : null
  if (all !== null && conditionsOf(filter, false).length === 0)
    return { count: all, capped: false, way: { few: false, byText: false } }
  const byText = all !== null && all > manyRows
  const matching = union(scope, filter, { order: null, most: mostCounted + 1, way: { few: true, byText } })
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 from (${matching}) matching limit ${mostCounted + 1}) counted`.execute(db)
  const count = rows[0]?.count ?? 0
  // Where many match, the next ones in the order of the list may be near: the planner knows how common the word is.
  if (count > mostCounted) return { count: mostCounted, capped: true, way: { few: false, byText } }
  return { count, capped: false, way: { few: true, byText } }
}

export type MonthCount = { readonly userId: string; readonly month: string; readonly count: number }

/** Final reports by owner and month: of what the account owns, or of a group. */
export async function countSealed(
  db: Db | Tx,
  of: { readonly accountId: string; readonly groupId: string | null } | { readonly groupId: string },
): Promise<MonthCount[]> {
  const whose =
    'accountId' in of
      ? sql<SqlBool>`owner_id = ${of.accountId}::uuid and (group_id is null or group_id = ${of.groupId}::uuid)`
      : sql<SqlBool>`group_id = ${of.groupId}::uuid`
  const { rows } = await sql<{ owner_id: string; month: string; count: number }>`
    select owner_id, month, sum(change)::bigint as count from evidence_tally
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
    await sql`select pg_advisory_xact_lock(hashtext('evidence_tally'))`.execute(tx)
    const { rows } = await sql<{ count: number }>`
      with fresh as (
        select distinct owner_id, group_id, category, sealed, month from (
          select * from evidence_tally where not folded limit ${limit}) sample),
      gone as (
        delete from evidence_tally t using fresh f
        where t.owner_id = f.owner_id and t.group_id is not distinct from f.group_id and t.category = f.category
          and t.sealed = f.sealed and t.month = f.month
        returning t.*),
      kept as (
        insert into evidence_tally (owner_id, group_id, category, sealed, month, change, folded)
        select owner_id, group_id, category, sealed, month, sum(change), true from gone
        group by owner_id, group_id, category, sealed, month having sum(change) <> 0)
      select count(*) as count from gone where not folded`.execute(tx)
    return rows[0]?.count ?? 0
  })
}
