/** Lists of an account, as SQL: the two ways to find what is on a page (decision 0254). Every function takes the database or the transaction first. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import type { TalliedTable } from './tally-store.ts'

export type Condition = RawBuilder<SqlBool>

/** Which page, of what is asked for; the rest of a query is its list's own affair. */
export type PageQuery = { readonly limit: number; readonly offset: number }

/** Whose rows, and whether all of them are of one group, which is named; else they are of none. */
export type Part = { readonly whose: Condition; readonly grouped: boolean }

export const whoseOf = (parts: readonly Part[]): Condition[] => parts.map(({ whose }) => whose)

/** What one list has of its own. Its rows have `id`, `group_id`, and lie in indexes of lists. */
export type List<Query extends PageQuery> = {
  readonly table: TalliedTable
  /** Columns that this query's order is made of, and no more: what is carried beside them keeps its own index from answering alone. */
  orderedBy(query: Query): readonly string[]
  /**
   * None of the parts shares a row with another. None: nothing is reached.
   * @param indexed false: whose a row is, is to be looked up in no index
   */
  partsOf(query: Query, indexed?: boolean): Part[]
  /** What is equal in every row of a stretch of the indexes, so that it is read in order; none: no row can be meant. */
  stretchesOf(query: Query): Condition[]
  /** Null: of all. */
  categoryOf(query: Query): string | null
  /** What the indexes of lists are ordered by, or hold beside. */
  boundsOf(query: Query): Condition[]
  /** What they have no order for: it is looked at in the row, or has an index of its own. */
  soughtOf(query: Query): Condition[]
  /** Other indexes, each of which finds some of what is sought: ranges of a fingerprint, say. */
  lookUpsOf?(query: Query): Condition[][]
  /**
   * @param of a stretch: the order of its index, for which naming first what is equal in all its rows lets PostgreSQL merge instead of
   * sort, also where that is null; a part: of stretches of no group that are merged; the list: of what answers, and of a group's stretches
   */
  orderOf(query: Query, of: 'stretch' | 'part' | 'list'): RawBuilder<unknown>
}

/** Text that is looked for in a column of words with an index of trigrams, in any case. */
export function holdsWords(column: string, search: string): Condition {
  const pattern = `%${search.replaceAll(/[\\%_]/g, (special) => `\\${special}`)}%`
  // Without three letters in a row there is nothing to look up: the index would be read whole. Text that is put together is in none.
  const text = /[\p{L}\p{N}]{3}/u.test(search) ? sql.ref(column) : sql`${sql.ref(column)} || ''`
  return sql<SqlBool>`${text} ilike ${pattern}`
}

export const every = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join([...conditions], sql` and `)})`

/** Whether anything but the category is asked for: else how many there are is known (decision 0254). */
export function isFiltered<Query extends PageQuery>(list: List<Query>, query: Query): boolean {
  return [...list.soughtOf(query), ...list.boundsOf(query), ...(list.lookUpsOf?.(query) ?? [])].length > 0
}

const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/** The first `most` rows of the list, whether they are what is sought (`hit`) or not, in order and no further than they are read. */
function inOrder<Query extends PageQuery>(list: List<Query>, query: Query, most: number): RawBuilder<unknown> {
  const hit = every(list.soughtOf(query))
  const [table, ordered] = [sql.table(list.table), columns(list.orderedBy(query))]
  const stretches = list.stretchesOf(query)
  if (stretches.length === 0) return sql`select id, ${ordered}, true as hit from ${table} where false`
  const bounds = list.boundsOf(query)
  const parts = list.partsOf(query).map(({ whose, grouped }) => {
    const selects = stretches.map(
      (stretch) => sql`(select id, group_id, ${ordered}, ${hit} as hit from ${table} where ${every([whose, stretch, ...bounds])}
        order by ${list.orderOf(query, 'stretch')} limit ${most})`,
    )
    // A group that is named is the same in all rows of a stretch, and so no more of their order: named once more they would be sorted.
    return sql`(select id, ${ordered}, hit from (${sql.join(selects, sql` union all `)}) part
      order by ${list.orderOf(query, grouped ? 'list' : 'part')} limit ${most})`
  })
  if (parts.length === 1) return sql`${parts[0]}`
  return sql`select * from (${sql.join(parts, sql` union all `)}) parts order by ${list.orderOf(query, 'list')} limit ${most}`
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
export async function walkList<Query extends PageQuery>(
  db: Db | Tx,
  list: List<Query>,
  query: Query,
  { rows: mostRows, most }: { readonly rows: number; readonly most: number },
): Promise<Walked> {
  // A row of `walked` is read when one of `hits` is wanted, and no sooner: both are evaluated as they are read from.
  const { rows } = await sql<Walked>`
    with walked as materialized (${inOrder(list, query, mostRows)}),
    hits as materialized (select id, ${columns(list.orderedBy(query))} from walked where hit limit ${most})
    select (select count(*) from hits) as hits,
      case when (select count(*) from hits) < ${most} then (select count(*) from walked) end as seen,
      array(select id from hits order by ${list.orderOf(query, 'list')} limit ${query.limit} offset ${query.offset}) as ids`.execute(
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
export async function matchList<Query extends PageQuery>(
  db: Db | Tx,
  list: List<Query>,
  query: Query,
  { counted, sorted, byOwner }: { readonly counted: number; readonly sorted?: number; readonly byOwner: boolean },
): Promise<Matched> {
  const category = list.categoryOf(query)
  const conditions = [
    ...(category === null ? [] : [sql<SqlBool>`category = ${category}`]),
    ...list.boundsOf(query),
    ...list.soughtOf(query),
  ]
  const lookUps = list.lookUpsOf?.(query) ?? []
  const carried = sql`id, ${columns(list.orderedBy(query))}`
  const [table, union] = [sql.table(list.table), sql` union all `]
  const selects = list.partsOf(query, byOwner).flatMap(({ whose }) => {
    const select = (found: readonly Condition[]) =>
      sql`select ${carried} from ${table} where ${every([whose, ...found, ...conditions])}`
    // What is looked up is rare, unless somebody has the same over and over: no more is read than is counted.
    return lookUps.length === 0 ? [sql`(${select([])})`] : lookUps.map((found) => sql`(${select(found)} limit ${counted})`)
  })
  const matching = lookUps.length < 2 ? sql.join(selects, union) : sql`select distinct * from (${sql.join(selects, union)}) ways`
  const fits = sorted === undefined ? sql`true` : sql`(select count(*) from counted) <= ${sorted}`
  const { rows } = await sql<Matched>`
    with matching as materialized (${matching}),
    counted as materialized (select 1 from matching limit ${counted})
    select (select count(*) from counted) as count,
      case when ${fits} then array(select id from matching order by ${list.orderOf(query, 'list')}
        limit ${query.limit} offset ${query.offset}) end as ids`.execute(db)
  return rows[0] ?? { count: 0, ids: [] }
}
