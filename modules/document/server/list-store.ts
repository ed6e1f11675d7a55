/** Lists of deposits, as SQL: the two ways to find what is on a page (decision 0274). Every function takes the database or the transaction first. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { Category, Status } from '../domain/status.ts'
import { reachable, type Reacher, type Standing } from './reach-store.ts'
import { toRecord, type DocumentRecord } from './store.ts'

export type ListFilter = {
  readonly category: Category | null
  /** In names, labels and descriptions, any case. */
  readonly search: string | null
  /** Hexadecimal, lower case: its beginning, or the whole. */
  readonly fingerprint: string | null
  readonly status: Status | null
  readonly createdAfter: Date | null
  readonly createdBefore: Date | null
  readonly createdBy: string | null
}

export type ListQuery = {
  /** Once more in the statement that reads the rows: who lost his way to them meanwhile reads nothing. */
  readonly caller: Reacher
  readonly standing: Standing | null
  readonly filter: ListFilter
  readonly ordering: { readonly column: 'created_at' | 'name_key'; readonly direction: 'asc' | 'desc' }
  readonly limit: number
  readonly offset: number
}

/** What is equal in every row of a stretch of the list indexes, so that it is read in the order of its age or name. */
const stretches: readonly { readonly category: Category; readonly status: Status }[] = [
  { category: 'pending', status: 'draft' },
  { category: 'pending', status: 'stamping' },
  { category: 'pending', status: 'failed' },
  { category: 'completed', status: 'final' },
  { category: 'trash', status: 'final' },
  { category: 'trash', status: 'expired' },
]

const every = (conditions: readonly RawBuilder<SqlBool>[]) =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join([...conditions], sql` and `)})`

/**
 * The parts of what an account reaches, none of which shares a row with another.
 * @param indexed false: whose a row is, is looked up in no index
 */
export function partsOf({ caller, standing }: Pick<ListQuery, 'caller' | 'standing'>, indexed = true): RawBuilder<SqlBool>[] {
  const is = (column: string, id: string) =>
    indexed ? sql<SqlBool>`${sql.ref(column)} = ${id}::uuid` : sql<SqlBool>`${sql.ref(column)} is not distinct from ${id}::uuid`
  const mine = is('owner_id', caller.accountId)
  const own = sql<SqlBool>`${mine} and group_id is null`
  if (standing === null) return [own]
  const inGroup = is('group_id', standing.groupId)
  return [own, standing.manages ? inGroup : sql<SqlBool>`${mine} and ${inGroup}`]
}

/** Octets from the least to the greatest that begin with these digits. */
function rangeOf(digits: string, octets: number): RawBuilder<SqlBool>[] {
  const column = octets === 32 ? 'sha256' : 'sha512'
  if (digits.length > octets * 2) return []
  const bound = (pad: string) => Buffer.from(digits.padEnd(octets * 2, pad), 'hex')
  return [sql<SqlBool>`${sql.ref(column)} between ${bound('0')}::bytea and ${bound('f')}::bytea`]
}

/** What the indexes of lists have no order for. */
function soughtOf({ search, createdBy }: ListFilter): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = []
  if (search !== null) {
    const pattern = `%${search.replaceAll(/[\\%_]/g, (special) => `\\${special}`)}%`
    // Without three letters in a row there is nothing to look up: the index would be read whole. Text that is put together is in none.
    const text = /[\p{L}\p{N}]{3}/u.test(search) ? sql`search_text` : sql`search_text || ''`
    conditions.push(sql<SqlBool>`${text} ilike ${pattern}`)
  }
  if (createdBy !== null) conditions.push(sql<SqlBool>`created_by = ${createdBy}::uuid`)
  return conditions
}

function boundsOf({ createdAfter, createdBefore, status }: ListFilter): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = []
  if (createdAfter !== null) conditions.push(sql<SqlBool>`created_at >= ${createdAfter}`)
  if (createdBefore !== null) conditions.push(sql<SqlBool>`created_at < ${createdBefore}`)
  if (status !== null) conditions.push(sql<SqlBool>`status = ${status}`)
  return conditions
}

/** Whether anything but the category is asked for: else how many there are is known (decision 0254). */
export const isFiltered = (filter: ListFilter): boolean =>
  filter.fingerprint !== null || soughtOf(filter).length + boundsOf(filter).length > 0

/** @param inPart naming the group first makes the order that of the index also where it is null */
function directed({ column, direction }: ListQuery['ordering'], inPart = false): RawBuilder<unknown> {
  const way = sql.raw(direction)
  const columns = [...(inPart ? ['group_id'] : []), ...(column === 'name_key' ? ['name_key'] : []), 'created_at', 'id']
  return sql.join(columns.map((name) => sql`${sql.ref(name)} ${way}`))
}

/** Of pages and what is merged for them: those without a name are last either way. */
function ordered(ordering: ListQuery['ordering']): RawBuilder<unknown> {
  return ordering.column === 'name_key' ? sql`(name_key is null), ${directed(ordering)}` : directed(ordering)
}

/** The first `most` rows of the list, whether they are what is sought (`hit`) or not, in order and no further than they are read. */
function inOrder({ caller, standing, filter, ordering }: ListQuery, most: number): RawBuilder<unknown> {
  const hit = every(soughtOf(filter))
  const wanted = stretches.filter(
    ({ category, status }) =>
      (filter.category === null || category === filter.category) && (filter.status === null || status === filter.status),
  )
  // A status that no row of the category has.
  if (wanted.length === 0) return sql`select id, name_key, created_at, true as hit from document where false`
  const named: readonly RawBuilder<SqlBool>[][] =
    ordering.column === 'name_key' ? [[sql<SqlBool>`name_key is not null`], [sql<SqlBool>`name_key is null`]] : [[]]
  const selects = partsOf({ caller, standing }).flatMap((part) =>
    wanted.flatMap(({ category, status }) =>
      named.map((name) => {
        const where = every([
          part,
          sql<SqlBool>`category = ${category}`,
          sql<SqlBool>`status = ${status}`,
          ...name,
          ...boundsOf({ ...filter, status: null }),
        ])
        return sql`(select id, name_key, created_at, ${hit} as hit from document where ${where} order by ${directed(ordering, true)} limit ${most})`
      }),
    ),
  )
  return sql`select * from (${sql.join(selects, sql` union all `)}) parts order by ${ordered(ordering)} limit ${most}`
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
  const { rows } = await sql<Walked>`
    with walked as materialized (${inOrder(query, mostRows)}),
    hits as materialized (select id, name_key, created_at from walked where hit limit ${most})
    select (select count(*) from hits) as hits,
      case when (select count(*) from hits) < ${most} then (select count(*) from walked) end as seen,
      array(select id from hits order by ${ordered(query.ordering)} limit ${query.limit} offset ${query.offset}) as ids`.execute(
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
 * Finds all that match, then sorts: quick for what is rare. A fingerprint is looked for as SHA-256, and as SHA-512.
 * @param counted how far is counted; `sorted`: how many are sorted, all where absent; `byOwner` whether the index of words is to tell whose a row is
 */
export async function matchList(
  db: Db | Tx,
  query: ListQuery,
  { counted, sorted, byOwner }: { readonly counted: number; readonly sorted?: number; readonly byOwner: boolean },
): Promise<Matched> {
  const { filter, ordering } = query
  const conditions = [
    ...(filter.category === null ? [] : [sql<SqlBool>`category = ${filter.category}`]),
    ...boundsOf(filter),
    ...soughtOf(filter),
  ]
  const digits = filter.fingerprint
  const ways: readonly RawBuilder<SqlBool>[][] =
    digits === null ? [[]] : [rangeOf(digits, 32), rangeOf(digits, 64)].filter((way) => way.length > 0)
  const selects = partsOf(query, byOwner).flatMap((part) =>
    ways.map(
      (way) =>
        sql`(select id, name_key, created_at from document where ${every([part, ...way, ...conditions])} limit ${counted})`,
    ),
  )
  const fits = sorted === undefined ? sql`true` : sql`(select count(*) from matching) <= ${sorted}`
  const { rows } = await sql<Matched>`
    with matching as materialized (select distinct * from (${sql.join(selects, sql` union all `)}) ways)
    select (select count(*) from matching) as count,
      case when ${fits} then array(select id from matching order by ${ordered(ordering)}
        limit ${query.limit} offset ${query.offset}) end as ids`.execute(db)
  return rows[0] ?? { count: 0, ids: [] }
}

export async function readListed(
  db: Db | Tx,
  { caller, ordering }: ListQuery,
  ids: readonly string[],
): Promise<DocumentRecord[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('document')
    .selectAll()
    .where(sql<SqlBool>`id = any(${[...ids]}::uuid[])`)
    .where(reachable(caller))
    .orderBy(ordered(ordering))
    .execute()
  return rows.map(toRecord)
}
