/** Lists of deposits, as SQL: whose rows, in which order (decision 0254). Every function takes the database or the transaction first. */
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { every, holdsWords, type Condition, type List, type PageQuery, type Part } from '../../../../platform/lists/list-store.ts'
import type { Category, Status } from '../../domain/status.ts'
import type { Reacher, Standing } from '../../../../platform/reach/reach-store.ts'
import { reachable } from '../deposit/reach-store.ts'
import { toRecord, type DocumentRecord } from '../deposit/store.ts'

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

export type ListQuery = PageQuery & {
  /** Once more in the statement that reads the rows: who lost his way to them meanwhile reads nothing. */
  readonly caller: Reacher
  readonly standing: Standing | null
  readonly filter: ListFilter
  readonly ordering: { readonly column: 'created_at' | 'name_key'; readonly direction: 'asc' | 'desc' }
}

/** What is equal in every row of a stretch of the list indexes, so that it is read in the order of its age or name. */
const stretches: readonly { readonly category: Category; readonly status: Status }[] = [
  { category: 'pending', status: 'draft' },
  { category: 'pending', status: 'awaiting_payment' },
  { category: 'pending', status: 'stamping' },
  { category: 'pending', status: 'failed' },
  { category: 'completed', status: 'final' },
  { category: 'trash', status: 'final' },
  { category: 'trash', status: 'expired' },
]

/**
 * The parts of what an account reaches, none of which shares a row with another.
 * @param indexed false: whose a row is, is looked up in no index
 */
function partsOf({ caller, standing }: Pick<ListQuery, 'caller' | 'standing'>, indexed = true): Part[] {
  const is = (column: string, id: string) =>
    indexed ? sql<SqlBool>`${sql.ref(column)} = ${id}::uuid` : sql<SqlBool>`${sql.ref(column)} is not distinct from ${id}::uuid`
  const mine = is('owner_id', caller.accountId)
  const own = { whose: sql<SqlBool>`${mine} and group_id is null`, grouped: false }
  if (standing === null) return [own]
  const inGroup = is('group_id', standing.groupId)
  return [own, { whose: standing.manages ? inGroup : sql<SqlBool>`${mine} and ${inGroup}`, grouped: true }]
}

/** Octets from the least to the greatest that begin with these digits. */
function rangeOf(digits: string, octets: number): Condition[] {
  const column = octets === 32 ? 'sha256' : 'sha512'
  if (digits.length > octets * 2) return []
  const bound = (pad: string) => Buffer.from(digits.padEnd(octets * 2, pad), 'hex')
  return [sql<SqlBool>`${sql.ref(column)} between ${bound('0')}::bytea and ${bound('f')}::bytea`]
}

/** Of pages and what is merged for them those without a name are last either way; a stretch has only such, or none. */
function directed({ column, direction }: ListQuery['ordering'], of: 'stretch' | 'part' | 'list'): RawBuilder<unknown> {
  const named = column === 'name_key'
  const inGroup = of === 'stretch' || (of === 'part' && !named)
  const columns = [...(inGroup ? ['group_id'] : []), ...(named ? ['name_key'] : []), 'created_at', 'id']
  const order = sql.join(columns.map((name) => sql`${sql.ref(name)} ${sql.raw(direction)}`))
  return named && of !== 'stretch' ? sql`(name_key is null), ${order}` : order
}

export const documentList: List<ListQuery> = {
  table: 'document',
  orderedBy: ({ ordering: { column } }) => (column === 'name_key' ? ['name_key', 'created_at'] : ['created_at']),
  partsOf,
  categoryOf: ({ filter }) => filter.category,
  stretchesOf: ({ filter, ordering }) => {
    const wanted = stretches.filter(
      ({ category, status }) =>
        (filter.category === null || category === filter.category) && (filter.status === null || status === filter.status),
    )
    const named = ordering.column === 'name_key' ? [[sql<SqlBool>`name_key is not null`], [sql<SqlBool>`name_key is null`]] : [[]]
    return wanted.flatMap(({ category, status }) =>
      named.map((name) => every([sql<SqlBool>`category = ${category}`, sql<SqlBool>`status = ${status}`, ...name])),
    )
  },
  boundsOf: ({ filter: { createdAfter, createdBefore, status } }) => [
    ...(createdAfter === null ? [] : [sql<SqlBool>`created_at >= ${createdAfter}`]),
    ...(createdBefore === null ? [] : [sql<SqlBool>`created_at < ${createdBefore}`]),
    ...(status === null ? [] : [sql<SqlBool>`status = ${status}`]),
  ],
  soughtOf: ({ filter: { search, createdBy } }) => [
    ...(search === null ? [] : [holdsWords('search_text', search)]),
    ...(createdBy === null ? [] : [sql<SqlBool>`created_by = ${createdBy}::uuid`]),
  ],
  /** A fingerprint is looked for as SHA-256, and as SHA-512. */
  lookUpsOf: ({ filter: { fingerprint } }) =>
    fingerprint === null ? [] : [rangeOf(fingerprint, 32), rangeOf(fingerprint, 64)].filter((way) => way.length > 0),
  orderOf: ({ ordering }, of) => directed(ordering, of),
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
    .orderBy(directed(ordering, 'list'))
    .execute()
  return rows.map(toRecord)
}
