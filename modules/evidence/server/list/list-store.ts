/** Lists of evidences, as SQL: whose rows, in which order (decision 0254). Every function takes the database or the transaction first. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { every, holdsWords, type List, type PageQuery, type Part } from '../../../../platform/lists/list-store.ts'
import type { CaptureAction } from '../../domain/action.ts'
import type { EvidenceStatus } from '../../contract/evidence.ts'
import type { Category } from '../../domain/status.ts'
import type { Standing } from '../../../../platform/reach/reach-store.ts'
import { reachable, type Caller } from '../own/reach-store.ts'
import { toRecord, type EvidenceRecord } from '../record/store.ts'

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

export type ListQuery = PageQuery & {
  /** Once more in the statement that reads the rows: who lost his way to them meanwhile reads nothing. */
  readonly caller: Caller
  readonly scope: ListScope
  readonly filter: ListFilter
  readonly ordering: { readonly column: ListColumn; readonly direction: 'asc' | 'desc' }
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
export function partsOf(scope: ListScope, indexed = true): Part[] {
  if (scope.kind === 'token')
    return [{ whose: sql<SqlBool>`owner_id is null and token_hash = ${scope.tokenHash}`, grouped: false }]
  const { accountId, standing, group } = scope
  // A comparison that no index answers must say what the condition of the partial indexes is.
  const is = (column: string, id: string) =>
    indexed
      ? sql<SqlBool>`${sql.ref(column)} = ${id}::uuid`
      : sql<SqlBool>`owner_id is not null and ${sql.ref(column)} is not distinct from ${id}::uuid`
  const own = { whose: sql<SqlBool>`${is('owner_id', accountId)} and group_id is null`, grouped: false }
  if (standing === null) return group === true ? [] : [own]
  const inGroup = is('group_id', standing.groupId)
  const ownInGroup = { whose: sql<SqlBool>`${is('owner_id', accountId)} and ${inGroup}`, grouped: true }
  const wholeGroup = { whose: sql<SqlBool>`owner_id is not null and ${inGroup}`, grouped: true }
  if (group === true) return standing.manages ? [wholeGroup] : [ownInGroup]
  return [own, standing.manages && group === null ? wholeGroup : ownInGroup]
}

/** What is sorted by: addresses from their host on, as one looks for them; what is empty is last either way. */
const sortKeys: Readonly<Record<SortedColumn, RawBuilder<unknown>>> = {
  captured_at: sql`captured_at`,
  page_url: sql`lower(regexp_replace(requested_url, '^[a-z]+://(www[.])?', ''))`,
  label: sql`nullif(lower(label), '')`,
}
export const isSorted = (column: ListColumn): column is SortedColumn => Object.hasOwn(sortKeys, column)

function directed({ column, direction }: ListQuery['ordering'], inPart: boolean): RawBuilder<unknown> {
  if (isSorted(column)) return sql`${sortKeys[column]} ${sql.raw(direction)} nulls last, created_at desc, id desc`
  const columns = [...(inPart ? ['group_id'] : []), ...(column === 'status' ? ['status'] : []), 'created_at', 'id']
  return sql.join(columns.map((name) => sql`${sql.ref(name)} ${sql.raw(direction)}`))
}

export const evidenceList: List<ListQuery> = {
  table: 'evidence',
  orderedBy: ({ ordering: { column } }) => [
    ...(column === 'created_at' ? [] : [column === 'page_url' ? 'requested_url' : column]),
    'created_at',
  ],
  partsOf: ({ scope }, indexed) => partsOf(scope, indexed),
  categoryOf: ({ filter }) => filter.category,
  stretchesOf: ({ scope, filter }) =>
    (scope.kind === 'token'
      ? [{ category: filter.category, status: null }]
      : stretches.filter(
          ({ category, status }) =>
            (filter.category === null || category === filter.category) &&
            (filter.status == null || status === null || status === filter.status),
        )
    ).map(({ category, status }) =>
      every([
        ...(category === null ? [] : [sql<SqlBool>`category = ${category}`]),
        ...(status === null ? [] : [sql<SqlBool>`status = ${status}`]),
      ]),
    ),
  boundsOf: ({ filter: { createdAfter, createdBefore, status = null } }) => [
    ...(createdAfter === null ? [] : [sql<SqlBool>`created_at >= ${createdAfter}`]),
    ...(createdBefore === null ? [] : [sql<SqlBool>`created_at < ${createdBefore}`]),
    ...(status === null ? [] : [sql<SqlBool>`status = ${status}`]),
  ],
  soughtOf: ({ filter: { search, action, createdBy, scenario = null } }) => [
    ...(search === null ? [] : [holdsWords('search_text', search)]),
    ...(action === null ? [] : [sql<SqlBool>`action = ${action}`]),
    ...(createdBy === null ? [] : [sql<SqlBool>`created_by = ${createdBy}::uuid`]),
    ...(scenario === null ? [] : [sql<SqlBool>`scenario = ${scenario}`]),
  ],
  orderOf: ({ ordering }, of) => directed(ordering, of !== 'list'),
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
    .orderBy(directed(ordering, false))
    .execute()
  return rows.map(toRecord)
}
