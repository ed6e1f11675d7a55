/** Lists of evidences, as SQL: the two ways to find what is on a page (decision 0274). Every function takes the database or the transaction first. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { CaptureAction } from '../domain/action.ts'
import type { EvidenceStatus } from '../contract/evidence.ts'
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
  readonly status?: EvidenceStatus | null
  /** Id of the scenario. */
  readonly scenario?: string | null
}

/** By date and status the indexes are in order; by the others, what matches is sorted. */
export type ListColumn = 'created_at' | 'status' | SortedColumn
export type SortedColumn = 'captured_at' | 'page_url' | 'label'

export type ListQuery = {
  /** Once more in the statement that reads the rows: who lost his way to them meanwhile reads nothing. */
  readonly caller: Caller
  readonly scope: ListScope
  readonly filter: ListFilter
  readonly ordering: { readonly column: ListColumn; readonly direction: 'asc' | 'desc' }
  readonly limit: number
  readonly offset: number
}

type Stretch = { readonly category: Category | null; readonly status: string | null }

/** What is equal in every row of a stretch of the list indexes, so that it is read in the order of its age. */
const stretches: readonly Stretch[] = [
  // Few at a time: those that nobody agrees to are gone after a day.
  { category: 'draft', status: null },
  { category: 'completed', status: 'final' },
  { category: 'trash', status: 'final' },
  { category: 'trash', status: 'rejected' },
  { category: 'trash', status: 'expired' },
]

/**
 * The parts of a scope, none of which shares a row with another. None: nothing is reached.
 * @param indexed false: whose a row is, is looked up in no index
 */
export function partsOf(scope: ListScope, indexed = true): RawBuilder<SqlBool>[] {
  if (scope.kind === 'token') return [sql<SqlBool>`owner_id is null and token_hash = ${scope.tokenHash}`]
  const { accountId, standing, group } = scope
  // A comparison that no index answers must say what the condition of the partial indexes is.
  const is = (column: string, id: string) =>
    indexed
      ? sql<SqlBool>`${sql.ref(column)} = ${id}::uuid`
      : sql<SqlBool>`owner_id is not null and ${sql.ref(column)} is not distinct from ${id}::uuid`
  const own = sql<SqlBool>`${is('owner_id', accountId)} and group_id is null`
  if (standing === null) return group === true ? [] : [own]
  const inGroup = is('group_id', standing.groupId)
  const ownInGroup = sql<SqlBool>`${is('owner_id', accountId)} and ${inGroup}`
  const wholeGroup = sql<SqlBool>`owner_id is not null and ${inGroup}`
  if (group === true) return standing.manages ? [wholeGroup] : [ownInGroup]
  return [own, standing.manages && group === null ? wholeGroup : ownInGroup]
}

/** What the indexes of lists have no order for. */
function soughtOf({ search, action, createdBy, scenario = null }: ListFilter): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = []
  if (search !== null) {
    const pattern = `%${search.replaceAll(/[\\%_]/g, (special) => `\\${special}`)}%`
    // Without three letters in a row there is nothing to look up: the index would be read whole. Text that is put together is in none.
    const text = /[\p{L}\p{N}]{3}/u.test(search) ? sql`search_text` : sql`search_text || ''`
    conditions.push(sql<SqlBool>`${text} ilike ${pattern}`)
  }
  if (action !== null) conditions.push(sql<SqlBool>`action = ${action}`)
  if (createdBy !== null) conditions.push(sql<SqlBool>`created_by = ${createdBy}::uuid`)
  if (scenario !== null) conditions.push(sql<SqlBool>`scenario = ${scenario}`)
  return conditions
}

function boundsOf({ createdAfter, createdBefore, status = null }: ListFilter): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = []
  if (createdAfter !== null) conditions.push(sql<SqlBool>`created_at >= ${createdAfter}`)
  if (createdBefore !== null) conditions.push(sql<SqlBool>`created_at < ${createdBefore}`)
  if (status !== null) conditions.push(sql<SqlBool>`status = ${status}`)
  return conditions
}

/** Whether anything but the category is asked for: else how many there are is known (decision 0254). */
export const isFiltered = (filter: ListFilter): boolean => soughtOf(filter).length + boundsOf(filter).length > 0

/** What is sorted by: addresses from their host on, as one looks for them; what is empty is last either way. */
const sortKeys: Readonly<Record<SortedColumn, RawBuilder<unknown>>> = {
  captured_at: sql`captured_at`,
  page_url: sql`lower(regexp_replace(requested_url, '^[a-z]+://(www[.])?', ''))`,
  label: sql`nullif(lower(label), '')`,
}
export const isSorted = (column: ListColumn): column is SortedColumn => Object.hasOwn(sortKeys, column)

/**
 * @param inPart where every row has the same group: naming it first makes the order that of the index also where that is null, which
 * the planner does not take for a constant; so that the stretches of a part are merged as they are read
 */
function directed({ column, direction }: ListQuery['ordering'], inPart = false): RawBuilder<unknown> {
  if (isSorted(column)) return sql`${sortKeys[column]} ${sql.raw(direction)} nulls last, created_at desc, id desc`
  const columns = [...(inPart ? ['group_id'] : []), ...(column === 'status' ? ['status'] : []), 'created_at', 'id']
  return sql.join(columns.map((name) => sql`${sql.ref(name)} ${sql.raw(direction)}`))
}

const every = (conditions: readonly RawBuilder<SqlBool>[]) =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

/** The first `most` rows of the list, whether they are what is sought (`hit`) or not, in order and no further than they are read. */
function inOrder({ scope, filter, ordering }: ListQuery, most: number): RawBuilder<unknown> {
  const hit = every(soughtOf(filter))
  const wanted: readonly Stretch[] =
    scope.kind === 'token'
      ? [{ category: filter.category, status: null }]
      : stretches.filter(
          ({ category, status }) =>
            (filter.category === null || category === filter.category) &&
            (filter.status == null || status === null || status === filter.status),
        )
  // A status that no row of the category has.
  if (wanted.length === 0) return sql`select id, status, created_at, true as hit from evidence where false`
  const order = directed(ordering, true)
  const parts = partsOf(scope).map((part) => {
    const selects = wanted.map(({ category, status }) => {
      const where = every([
        part,
        ...(category === null ? [] : [sql<SqlBool>`category = ${category}`]),
        ...(status === null ? [] : [sql<SqlBool>`status = ${status}`]),
        ...boundsOf(filter),
      ])
      return sql`(select id, group_id, status, created_at, ${hit} as hit from evidence where ${where} order by ${order} limit ${most})`
    })
    return sql`(select id, status, created_at, hit from (${sql.join(selects, sql` union all `)}) part order by ${order} limit ${most})`
  })
  if (parts.length === 1) return sql`${parts[0]}`
  return sql`select * from (${sql.join(parts, sql` union all `)}) parts order by ${directed(ordering)} limit ${most}`
}

export type Walked = {
  /** Hits among the rows that were read, at most as many as were asked for. */
  readonly hits: number
  /** Rows that were read; null: not known, as many hits as were asked for came before the end. */
  readonly seen: number | null
  /** Ids of the page's rows, as far as they are among those hits. */
  readonly ids: readonly string[]
}

/** Reads the list in its order: quick for what is frequent. @param most hits that are enough; `rows`: where it gives up */
export async function walkList(
  db: Db | Tx,
  query: ListQuery,
  { rows: mostRows, most }: { readonly rows: number; readonly most: number },
): Promise<Walked> {
  // A row of `walked` is read when one of `hits` is wanted, and no sooner: both are evaluated as they are read from.
  const { rows } = await sql<Walked>`
    with walked as materialized (${inOrder(query, mostRows)}),
    hits as materialized (select id, status, created_at from walked where hit limit ${most})
    select (select count(*) from hits) as hits,
      case when (select count(*) from hits) < ${most} then (select count(*) from walked) end as seen,
      array(select id from hits order by ${directed(query.ordering)} limit ${query.limit} offset ${query.offset}) as ids`.execute(
    db,
  )
  return rows[0] ?? { hits: 0, seen: 0, ids: [] }
}

export type Matched = {
  /** How many match, up to as many as were counted. */
  readonly count: number
  /** Ids of the page's rows; null where more match than were to be sorted. */
  readonly ids: readonly string[] | null
}

/**
 * Finds all that match, then sorts: quick for what is rare.
 * @param counted how far is counted; `sorted`: how many are sorted, all where absent; `byOwner` whether the index of what is sought is to
 * tell whose a row is: dear where most rows are that account's, who then reads few of anybody else
 */
export async function matchList(
  db: Db | Tx,
  query: ListQuery,
  { counted, sorted, byOwner }: { readonly counted: number; readonly sorted?: number; readonly byOwner: boolean },
): Promise<Matched> {
  const { scope, filter, ordering } = query
  const conditions = [
    ...(filter.category === null ? [] : [sql<SqlBool>`category = ${filter.category}`]),
    ...boundsOf(filter),
    ...soughtOf(filter),
  ]
  const selects = partsOf(scope, byOwner).map(
    (part) =>
      sql`(select id, status, created_at, captured_at, requested_url, label from evidence where ${every([part, ...conditions])})`,
  )
  const fits = sorted === undefined ? sql`true` : sql`(select count(*) from counted) <= ${sorted}`
  const { rows } = await sql<Matched>`
    with matching as materialized (${sql.join(selects, sql` union all `)}),
    counted as materialized (select 1 from matching limit ${counted})
    select (select count(*) from counted) as count,
      case when ${fits} then array(select id from matching order by ${directed(ordering)}
        limit ${query.limit} offset ${query.offset}) end as ids`.execute(db)
  return rows[0] ?? { count: 0, ids: [] }
}

export async function readListed(
  db: Db | Tx,
  { caller, ordering }: ListQuery,
  ids: readonly string[],
): Promise<EvidenceRecord[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('evidence')
    .selectAll()
    .where(sql<SqlBool>`id = any(${[...ids]}::uuid[])`)
    .where(reachable(caller))
    .orderBy(directed(ordering))
    .execute()
  return rows.map(toRecord)
}
