/** Which deposit declares to replace which, as SQL. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Document } from '../../contract/document.ts'
import type { Reacher } from '../../../../platform/reach/reach-store.ts'
import { reachable } from '../deposit/reach-store.ts'
import type { DocumentRecord } from '../deposit/store.ts'

export type Chain = { readonly replaces: Document['replaces']; readonly replacedBy: Document['replaced_by'] }

/** Of one deposit, as many of those that declare to replace it are told. */
const mostLater = 20

/** By id. What the caller does not reach is not told of. */
export async function findChains(
  db: Db | Tx,
  caller: Reacher,
  records: readonly Pick<DocumentRecord, 'id' | 'replaces'>[],
): Promise<ReadonlyMap<string, Chain>> {
  if (records.length === 0) return new Map()
  const ids = records.map(({ id }) => id)
  const earlier = records.flatMap(({ replaces }) => replaces ?? [])
  type Row = { at: string; id: string; name: string | null; sealed_at: Date | null }
  const { rows: later } = await sql<Row>`
    select asked.id as at, found.* from unnest(${ids}::uuid[]) as asked (id), lateral (
      select id, name, sealed_at from document where replaces = asked.id and status <> 'expired' and ${reachable(caller)}
      order by created_at, id limit ${mostLater}) found`.execute(db)
  const { rows: before } = await sql<Row>`
    select id as at, id, name, sealed_at from document where id = any(${earlier}::uuid[]) and ${reachable(caller)}`.execute(db)
  const told = ({ id, name, sealed_at }: Row) => ({ id, document_name: name, sealed_at: sealed_at?.toISOString() ?? null })
  return new Map(
    records.map(({ id, replaces }) => {
      const replaced = before.find(({ at }) => at === replaces)
      return [
        id,
        { replaces: replaced === undefined ? null : told(replaced), replacedBy: later.filter(({ at }) => at === id).map(told) },
      ]
    }),
  )
}
