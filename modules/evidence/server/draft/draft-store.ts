/** What becomes of drafts, as SQL. Every function takes the transaction first. */
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { toRecord, type EvidenceRecord } from '../record/store.ts'

export async function linkReplacement(tx: Tx, id: string, replacedBy: string): Promise<void> {
  await tx.updateTable('evidence').set({ replaced_by: replacedBy }).where('id', '=', id).executeTakeFirstOrThrow()
}

/** Drafts whose time is over (S-40), at most `limit`, locked for the caller. */
export async function lockExpired(tx: Tx, now: Date, limit: number): Promise<EvidenceRecord[]> {
  const rows = await tx
    .selectFrom('evidence')
    .selectAll()
    .where('expires_at', '<=', now)
    .where('status', 'in', ['to_validate', 'rejected', 'failed'])
    .orderBy('expires_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(toRecord)
}

/** Those that nobody paid for in time, or whose payment is under way still. */
export async function listUnpaid(db: Db, now: Date): Promise<{ readonly id: string; readonly ownerId: string | null }[]> {
  const rows = await db
    .selectFrom('evidence')
    .select(['id', 'owner_id'])
    .where('expires_at', '<=', now)
    .where('status', '=', 'awaiting_payment')
    .orderBy('expires_at')
    .execute()
  return rows.map((row) => ({ id: row.id, ownerId: row.owner_id }))
}

/** Forgets what the capture showed; the row stays, so that the visitor learns what became of it. */
export async function eraseContent(tx: Tx, evidenceId: string): Promise<void> {
  await tx.deleteFrom('evidence_file').where('evidence_id', '=', evidenceId).execute()
  await tx.deleteFrom('seal').where('evidence_id', '=', evidenceId).execute()
  await tx.updateTable('evidence').set({ facts: null, progress: null }).where('id', '=', evidenceId).execute()
}
