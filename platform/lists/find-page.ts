import type { Db, Tx } from '../db/database.ts'
import { isFiltered, matchList, walkList, whoseOf, type List, type PageQuery, type Walked } from './list-store.ts'
import { countOwned, type Owned } from './tally-store.ts'

/** Matches are counted up to here; the sum of what is not filtered is known exactly (decision 0254). */
export const mostCounted = 1_000
/** As many are sorted by what no index is ordered by. */
export const mostSorted = 20_000

/** Read in order at first: whoever has fewer rows is done, and so is who seeks what most of his rows have. */
const firstRows = 2_000
/** An account with no more rows is read through: that costs less than the index, which holds what all accounts have. */
const manyRows = 10_000
/** As many matches are found and sorted at once: what so few have is far apart in a list of many. */
const fewMatches = 5_000
/** Where the hits of one row in so many make it likelier to count enough by reading on. */
const frequent = 10
/** As far is read for a page of something that many rows have before all of those are found and sorted. */
const farRows = 50_000

export type FoundIds = {
  readonly ids: readonly string[]
  /** How many match; `capped`: there are more. */
  readonly count: number
  readonly capped: boolean
  /** Whether they are few enough to be sorted by what no index is ordered by; if not, and it was asked for, there are no ids. */
  readonly sortable: boolean
}

type Found = Omit<FoundIds, 'sortable' | 'ids'> & { readonly ids: readonly string[] | null }

/**
 * A page of a list, by the way that costs least (decision 0254). What many rows have is soon met when the list is read in its order; what
 * few have is found by an index. How many have it is not known: so the list is read first, and not far.
 * @param how.sorted by what no index is ordered by; `tallied` false: how many rows there are is in no tally
 */
export async function findIds<Query extends PageQuery>(
  db: Db | Tx,
  list: List<Query>,
  query: Query,
  { sorted = false, tallied = true }: { readonly sorted?: boolean; readonly tallied?: boolean } = {},
): Promise<FoundIds> {
  const parts = list.partsOf(query)
  if (parts.length === 0) return { ids: [], count: 0, capped: false, sortable: true }
  const owned = tallied ? await countOwned(db, list.table, whoseOf(parts), list.categoryOf(query)) : null
  const filtered = isFiltered(list, query)
  const asked = { db, list, query, filtered, owned }
  const { count, capped, ids } = await (sorted
    ? sort(asked)
    : list.lookUpsOf !== undefined && list.lookUpsOf(query).length > 0
      ? lookUp(asked)
      : owned !== null && !filtered
        ? listAll(asked, owned.count)
        : search(asked))
  const sortable = owned !== null && owned.count <= mostSorted ? true : !capped && (owned === null || filtered)
  return { ids: ids ?? [], count, capped, sortable }
}

type Asked<Query extends PageQuery> = {
  readonly db: Db | Tx
  readonly list: List<Query>
  readonly query: Query
  readonly filtered: boolean
  readonly owned: Owned | null
}

const upToCap = (count: number) => ({ count: Math.min(count, mostCounted), capped: count > mostCounted })

async function listAll<Query extends PageQuery>({ db, list, query }: Asked<Query>, count: number): Promise<Found> {
  const most = query.offset + query.limit
  const { ids } = await walkList(db, list, query, { rows: most, most })
  return { count, capped: false, ids }
}

async function lookUp<Query extends PageQuery>({ db, list, query }: Asked<Query>): Promise<Found> {
  const { count, ids } = await matchList(db, list, query, { counted: fewMatches + 1, byOwner: true })
  return { ...upToCap(count), ids }
}

async function sort<Query extends PageQuery>({ db, list, query, filtered, owned }: Asked<Query>): Promise<Found> {
  const few = owned !== null && owned.count <= mostSorted
  // Nothing is sorted of which more may be found than that.
  const counted = (few ? mostSorted : mostCounted) + 1
  const isWhole = owned !== null && !filtered
  if (isWhole && !few) return { count: owned.count, capped: false, ids: null }
  const found = await matchList(db, list, query, { counted, sorted: counted - 1, byOwner: few || isShared(owned) })
  return { ids: found.ids, ...(isWhole ? { count: owned.count, capped: false } : upToCap(found.count)) }
}

async function search<Query extends PageQuery>({ db, list, query, owned }: Asked<Query>): Promise<Found> {
  const end = query.offset + query.limit
  const enough = Math.max(mostCounted + 1, end)
  const first = Math.max(firstRows, enough)
  const settled = (walked: Walked, rows: number): Found | null =>
    walked.seen === null || walked.seen < rows ? { ...upToCap(walked.hits), ids: walked.ids } : null

  const near = await walkList(db, list, query, { rows: first, most: enough })
  const done = settled(near, first)
  if (done !== null) return done
  const all = owned?.count ?? 0
  if (all <= manyRows || near.hits * frequent >= first) {
    const rows = Math.max(manyRows, end) + 1
    const further = settled(await walkList(db, list, query, { rows, most: enough }), rows)
    if (further !== null) return further
  }
  const byOwner = isShared(owned)
  const { count, ids } = await matchList(db, list, query, { counted: fewMatches + 1, sorted: fewMatches, byOwner })
  if (ids !== null) return { ...upToCap(count), ids }
  // Many have it, and few of the newest.
  if (near.hits >= end) return { ...upToCap(count), ids: near.ids }
  const far = await walkList(db, list, query, { rows: farRows, most: end })
  if (far.seen === null) return { ...upToCap(count), ids: far.ids }
  return { ...upToCap(count), ids: (await matchList(db, list, query, { counted: 1, byOwner })).ids }
}

/** Whether most rows are somebody else's. */
const isShared = (owned: Owned | null): boolean => owned === null || owned.count * 2 < owned.ofAll
