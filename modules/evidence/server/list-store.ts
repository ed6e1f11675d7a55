/** Lists and counts of evidences, as SQL. Every function takes the database or the transaction first. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Page } from '../../../kernel/page.ts'
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
  /** Whether the rows that match are known to be few: then they are found first and sorted after. */
  readonly few: boolean
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

function conditionsOf({ search, action, createdAfter, createdBefore, createdBy }: ListFilter): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = []
  if (search !== null) {
    const pattern = `%${search.replaceAll(/[\\%_]/g, (special) => `\\${special}`)}%`
    conditions.push(sql<SqlBool>`search_text ilike ${pattern}`)
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

/**
 * Of every stretch the first `most` rows: enough for any page that ends there.
 * @param few rows match: whatever index finds them is asked once for all stretches
 */
function union(
  scope: ListScope,
  filter: ListFilter,
  { order, most, few }: { readonly order: RawBuilder<unknown> | null; readonly most: number; readonly few: boolean },
): RawBuilder<unknown> {
  const conditions = conditionsOf(filter)
  const wanted = few
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
  const pageOfIds = sql<string>`(select id from (${union(scope, filter, { order: directed(query.ordering, true), most: offset + limit, few: query.few })}) listed
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

/** @returns how many match, whether there are more than that, and whether they are known to be few: see {@link ListQuery} */
export async function countEvidence(
  db: Db | Tx,
  { scope, filter }: Pick<ListQuery, 'scope' | 'filter'>,
): Promise<Pick<Page<never>, 'count'> & { readonly capped: boolean; readonly few: boolean }> {
  if (partsOf(scope).length === 0) return { count: 0, capped: false, few: true }
  const isPlain = conditionsOf(filter).length === 0
  if (scope.kind === 'account' && isPlain) {
    const parts = sql.join(partsOf(scope), sql` or `)
    const ofCategory = filter.category === null ? sql`` : sql`and category = ${filter.category}`
    const { rows } = await sql<{ count: number }>`
      select coalesce(sum(change), 0)::bigint as count from evidence_tally where (${parts}) ${ofCategory}`.execute(db)
    return { count: rows[0]?.count ?? 0, capped: false, few: false }
  }
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from (${union(scope, filter, { order: null, most: mostCounted + 1, few: true })}) matching limit ${mostCounted + 1}) counted`.execute(
    db,
  )
  const count = rows[0]?.count ?? 0
  return { count: Math.min(count, mostCounted), capped: count > mostCounted, few: count <= mostCounted }
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
