import type { Db, Tx } from '../../../platform/db/database.ts'
import { isFiltered, isSorted, matchList, partsOf, readListed, walkList, type ListQuery, type Walked } from './list-store.ts'
import type { EvidenceRecord } from './store.ts'
import { countOwned } from './tally-store.ts'

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

export type FoundPage = {
  readonly rows: EvidenceRecord[]
  /** How many match; `capped`: there are more. */
  readonly count: number
  readonly capped: boolean
  /** Whether they are few enough to be sorted by what no index is ordered by; if not, and it was asked for, there are no rows. */
  readonly sortable: boolean
}

type Found = Omit<FoundPage, 'rows' | 'sortable'> & { readonly ids: readonly string[] | null }

/**
 * A page of a list, by the way that costs least (decision 0274). What many rows have is soon met when the list is read in its order; what
 * few have is found by an index. How many have it is not known: so the list is read first, and not far.
 */
export async function findPage(db: Db | Tx, query: ListQuery): Promise<FoundPage> {
  const { scope, filter, ordering } = query
  if (partsOf(scope).length === 0) return { rows: [], count: 0, capped: false, sortable: true }
  const owned = scope.kind === 'account' ? await countOwned(db, partsOf(scope), filter.category) : null
  const { count, capped, ids } = await (isSorted(ordering.column)
    ? sort(db, query, owned)
    : owned !== null && !isFiltered(filter)
      ? listAll(db, query, owned.count)
      : search(db, query, owned))
  const sortable = owned !== null && owned.count <= mostSorted ? true : !capped && (owned === null || isFiltered(filter))
  return { rows: await readListed(db, query, ids ?? []), count, capped, sortable }
}

type Owned = Awaited<ReturnType<typeof countOwned>> | null

const upToCap = (count: number) => ({ count: Math.min(count, mostCounted), capped: count > mostCounted })

async function listAll(db: Db | Tx, query: ListQuery, count: number): Promise<Found> {
  const most = query.offset + query.limit
  const { ids } = await walkList(db, query, { rows: most, most })
  return { count, capped: false, ids }
}

async function sort(db: Db | Tx, query: ListQuery, owned: Owned): Promise<Found> {
  const few = owned !== null && owned.count <= mostSorted
  // Nothing is sorted of which more may be found than that.
  const counted = (few ? mostSorted : mostCounted) + 1
  if (!isFiltered(query.filter) && owned !== null && !few) return { count: owned.count, capped: false, ids: null }
  const found = await matchList(db, query, { counted, sorted: counted - 1, byOwner: few || isShared(owned) })
  const isWhole = owned !== null && !isFiltered(query.filter)
  return { ids: found.ids, ...(isWhole ? { count: owned.count, capped: false } : upToCap(found.count)) }
}

async function search(db: Db | Tx, query: ListQuery, owned: Owned): Promise<Found> {
  const end = query.offset + query.limit
  const enough = Math.max(mostCounted + 1, end)
  const first = Math.max(firstRows, enough)
  const settled = (walked: Walked, rows: number): Found | null =>
    walked.seen === null || walked.seen < rows ? { ...upToCap(walked.hits), ids: walked.ids } : null

  const near = await walkList(db, query, { rows: first, most: enough })
  const done = settled(near, first)
  if (done !== null) return done
  const all = owned?.count ?? 0
  if (all <= manyRows || near.hits * frequent >= first) {
    const rows = Math.max(manyRows, end) + 1
    const further = settled(await walkList(db, query, { rows, most: enough }), rows)
    if (further !== null) return further
  }
  const byOwner = isShared(owned)
  const { count, ids } = await matchList(db, query, { counted: fewMatches + 1, sorted: fewMatches, byOwner })
  if (ids !== null) return { ...upToCap(count), ids }
  // Many have it, and few of the newest.
  if (near.hits >= end) return { ...upToCap(count), ids: near.ids }
  const far = await walkList(db, query, { rows: farRows, most: end })
  if (far.seen === null) return { ...upToCap(count), ids: far.ids }
  return { ...upToCap(count), ids: (await matchList(db, query, { counted: 1, byOwner })).ids }
}

/** Whether most rows are somebody else's. */
const isShared = (owned: Owned): boolean => owned === null || owned.count * 2 < owned.ofAll
