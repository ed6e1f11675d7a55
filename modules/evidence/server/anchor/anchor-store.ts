/** Anchors of packages, as rows. Every function takes the database or the transaction first. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { anchorPayload, evidenceChannel } from '../record/evidence-changes.ts'

export type EvidenceAnchor = {
  readonly anchorId: string
  readonly height: number
  /** As explorers write it. */
  readonly blockHash: string
  readonly blockTime: Date
  readonly headerSources: readonly string[]
}

/** The evidence is anchored from now on: its version grows, so that whoever follows it is told. */
export async function insertEvidenceAnchor(tx: Tx, evidenceId: string, anchor: EvidenceAnchor, now: Date): Promise<void> {
  await tx
    .insertInto('evidence_anchor')
    .values({
      evidence_id: evidenceId,
      anchor_id: anchor.anchorId,
      height: anchor.height,
      block_hash: anchor.blockHash,
      block_time: anchor.blockTime,
      header_sources: [...anchor.headerSources],
    })
    .execute()
  await tx.updateTable('evidence').set({ anchored_at: now }).where('id', '=', evidenceId).executeTakeFirstOrThrow()
}

/** With the header of its block, 80 octets. */
export async function findEvidenceAnchor(db: Db | Tx, evidenceId: string): Promise<AnchorInBlock | null> {
  return (await findEvidenceAnchors(db, [evidenceId])).get(evidenceId) ?? null
}

export type AnchorInBlock = EvidenceAnchor & { readonly header: Uint8Array }

/** By id of evidence; one that has none is absent. */
export async function findEvidenceAnchors(
  db: Db | Tx,
  evidenceIds: readonly string[],
): Promise<ReadonlyMap<string, AnchorInBlock>> {
  if (evidenceIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('evidence_anchor')
    .innerJoin('log_anchor', 'log_anchor.id', 'evidence_anchor.anchor_id')
    .selectAll('evidence_anchor')
    .select('log_anchor.header')
    .where(sql<boolean>`evidence_id = any(${[...evidenceIds]}::uuid[])`)
    .execute()
  const anchors = new Map<string, AnchorInBlock>()
  for (const row of rows) {
    if (row.header === null) throw new Error(`the anchor of ${row.evidence_id} has no block any more`)
    anchors.set(row.evidence_id, {
      header: new Uint8Array(row.header),
      anchorId: row.anchor_id,
      height: row.height,
      blockHash: row.block_hash,
      blockTime: row.block_time,
      headerSources: row.header_sources,
    })
  }
  return anchors
}

/** Final evidences after `after` (by id) that are not anchored and whose leaf stands under a checkpoint of `size` leaves. */
export async function listUnanchored(
  db: Db | Tx,
  { size, after, limit }: { readonly size: number; readonly after: string | null; readonly limit: number },
): Promise<string[]> {
  let query = db
    .selectFrom('evidence')
    .innerJoin('seal', 'seal.evidence_id', 'evidence.id')
    .select('evidence.id')
    .where('evidence.status', '=', 'final')
    .where('evidence.anchored_at', 'is', null)
    .where('evidence.content_deleted_at', 'is', null)
    .where(sql<boolean>`(seal.summary -> 'log' ->> 'index')::bigint < ${size}`)
  if (after !== null) query = query.where('evidence.id', '>', after)
  const rows = await query.orderBy('evidence.id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** Whoever follows an evidence that waits for its anchor looks again. */
export async function notifyAnchorProgress(tx: Tx): Promise<void> {
  await sql`select pg_notify(${evidenceChannel}, ${anchorPayload})`.execute(tx)
}
