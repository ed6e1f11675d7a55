import type { Db, Tx } from '../../../platform/db/database.ts'
import { isFiltered, matchList, partsOf, readListed, walkList, type ListQuery, type Walked } from './list-store.ts'
import type { DocumentRecord } from './store.ts'
import { countOwned } from './tally-store.ts'

/** Matches are counted up to here; the sum of what is not filtered is known exactly (decision 0254). */
export const mostCounted = 1_000
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
  readonly rows: DocumentRecord[]
  /** How many match; `capped`: there are more. */
  readonly count: number
  readonly capped: boolean
}

type Found = Omit<FoundPage, 'rows'> & { readonly ids: readonly string[] }

/** A page of a list, by the way that costs least (decision 0274): as evidences are found, and by names too, for which there is an index. */
export async function findPage(db: Db | Tx, query: ListQuery): Promise<FoundPage> {
  const owned = await countOwned(db, partsOf(query), query.filter.category)
  const { count, capped, ids } = await (query.filter.fingerprint !== null
    ? match(db, query)
    : isFiltered(query.filter)
      ? search(db, query, owned)
      : listAll(db, query, owned.count))
  return { rows: await readListed(db, query, ids), count, capped }
}

const upToCap = (count: number) => ({ count: Math.min(count, mostCounted), capped: count > mostCounted })

async function listAll(db: Db | Tx, query: ListQuery, count: number): Promise<Found> {
  const most = query.offset + query.limit
  const { ids } = await walkList(db, query, { rows: most, most })
  return { count, capped: false, ids }
}

/** Of a fingerprint: rare, unless somebody deposits one over and over. */
async function match(db: Db | Tx, query: ListQuery): Promise<Found> {
  const { count, ids } = await matchList(db, query, { counted: fewMatches + 1, byOwner: true })
  return { ...upToCap(count), ids: ids ?? [] }
}

async function search(db: Db | Tx, query: ListQuery, owned: { readonly count: number; readonly ofAll: number }): Promise<Found> {
  const end = query.offset + query.limit
  const enough = Math.max(mostCounted + 1, end)
  const first = Math.max(firstRows, enough)
  const settled = (walked: Walked, rows: number): Found | null =>
    walked.seen === null || walked.seen < rows ? { ...upToCap(walked.hits), ids: walked.ids } : null

  const near = await walkList(db, query, { rows: first, most: enough })
  const done = settled(near, first)
  if (done !== null) return done
  if (owned.count <= manyRows || near.hits * frequent >= first) {
    const rows = Math.max(manyRows, end) + 1
    const further = settled(await walkList(db, query, { rows, most: enough }), rows)
    if (further !== null) return further
  }
  // Whether most rows are somebody else's.
  const byOwner = owned.count * 2 < owned.ofAll
  const { count, ids } = await matchList(db, query, { counted: fewMatches + 1, sorted: fewMatches, byOwner })
  if (ids !== null) return { ...upToCap(count), ids }
  // Many have it, and few of the newest.
  if (near.hits >= end) return { ...upToCap(count), ids: near.ids }
  const far = await walkList(db, query, { rows: farRows, most: end })
  if (far.seen === null) return { ...upToCap(count), ids: far.ids }
  const all = await matchList(db, query, { counted: Number.MAX_SAFE_INTEGER, byOwner })
  return { ...upToCap(count), ids: all.ids ?? [] }
}
