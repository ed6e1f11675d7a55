/** Anchors of batches, as SQL. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { anchorPayload } from '../deposit/document-changes.ts'

/** Heights of the blocks of confirmed anchors, by id of anchor. */
export async function findAnchorBlocks(db: Db | Tx, anchorIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (anchorIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; height: number | null }>`
    select id, height from log_anchor where id = any(${[...new Set(anchorIds)]}::uuid[])`.execute(db)
  return new Map(rows.flatMap(({ id, height }) => (height === null ? [] : [[id, height] as const])))
}

/** Sealed batches after `after` (by id) that are not anchored and whose leaf stands under a checkpoint of `size` leaves. */
export async function listUnanchored(
  db: Db | Tx,
  { size, after, limit }: { readonly size: number; readonly after: string | null; readonly limit: number },
): Promise<string[]> {
  let query = db
    .selectFrom('document_batch')
    .select('id')
    .where('state', '=', 'sealed')
    .where('anchored_at', 'is', null)
    .where(sql<boolean>`(summary -> 'log' ->> 'index')::bigint < ${size}`)
  if (after !== null) query = query.where('id', '>', after)
  const rows = await query.orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** The batch is anchored from now on: so are its deposits, and whoever follows one looks again. */
export async function setAnchored(
  tx: Tx,
  batchId: string,
  { anchorId, chainpoint }: { readonly anchorId: string; readonly chainpoint: boolean },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('document_batch')
    .set({ anchored_at: now, anchor_id: anchorId, chainpoint })
    .where('id', '=', batchId)
    .where('anchored_at', 'is', null)
    .execute()
  await sql`select pg_notify('document', ${`batch:${batchId}`})`.execute(tx)
}

/** Whoever follows a deposit that waits for its anchor looks again. */
export async function notifyDocumentAnchorProgress(tx: Tx): Promise<void> {
  await sql`select pg_notify('document', ${anchorPayload})`.execute(tx)
}
