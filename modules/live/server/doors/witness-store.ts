/** The SQL of the witnesses of live sessions. Every function takes the database or transaction first. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

export type WitnessRecord = {
  readonly id: string
  readonly evidenceId: string
  readonly label: string
  readonly createdAt: Date
  readonly revokedAt: Date | null
  readonly invitedBy: Inviter
}

/** By whom, and by which delegation; by nobody's name: the holder of a draft without account. */
type Inviter = { readonly for?: string | undefined; readonly delegation?: string | undefined }

type WitnessRow = {
  id: string
  evidence_id: string
  label: string
  created_at: Date
  revoked_at: Date | null
  invited_by: string | null
  invited_with: string | null
}
const toWitness = (row: WitnessRow): WitnessRecord => ({
  id: row.id,
  evidenceId: row.evidence_id,
  label: row.label,
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
  invitedBy: { for: row.invited_by ?? undefined, delegation: row.invited_with ?? undefined },
})

/** Oldest first. The caller holds the evidence's row where the number matters. */
export async function listWitnesses(db: Db | Tx, evidenceId: string): Promise<WitnessRecord[]> {
  const rows = await db
    .selectFrom('live_witness')
    .selectAll()
    .where('evidence_id', '=', evidenceId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toWitness)
}

export async function insertWitness(
  tx: Tx,
  witness: Pick<WitnessRecord, 'id' | 'evidenceId' | 'label' | 'invitedBy'> & { readonly tokenHash: Buffer },
): Promise<WitnessRecord> {
  const row = await tx
    .insertInto('live_witness')
    .values({
      id: witness.id,
      evidence_id: witness.evidenceId,
      label: witness.label,
      token_hash: witness.tokenHash,
      invited_by: witness.invitedBy.for ?? null,
      invited_with: witness.invitedBy.delegation ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toWitness(row)
}

/** Idempotent. @returns null when there is no such witness of that evidence */
export async function revokeWitness(db: Db, evidenceId: string, id: string): Promise<WitnessRecord | null> {
  const row = await db
    .updateTable('live_witness')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, clock_timestamp())` })
    .where('id', '=', id)
    .where('evidence_id', '=', evidenceId)
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toWitness(row)
}

export async function findWitness(
  db: Db,
  by: { readonly tokenHash: Buffer } | { readonly id: string; readonly evidenceId: string },
): Promise<WitnessRecord | null> {
  const all = db.selectFrom('live_witness').selectAll()
  const one =
    'tokenHash' in by
      ? all.where('token_hash', '=', by.tokenHash)
      : all.where('id', '=', by.id).where('evidence_id', '=', by.evidenceId)
  const row = await one.executeTakeFirst()
  return row === undefined ? null : toWitness(row)
}
