/** When something is due on seals, as rows. Every function takes the database or the transaction first. */
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { SealSummary } from '../../../sealing/server/index.ts'
import type { NewSeal } from '../seal/seal-store.ts'

type Health = NonNullable<NewSeal['health']>

/** Final evidences whose authorities are to be asked again by now, those that wait longest first. */
export async function listToAsk(db: Db | Tx, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('seal')
    .innerJoin('evidence', 'evidence.id', 'seal.evidence_id')
    .select('seal.evidence_id')
    .where('seal.ask_again_at', '<=', now)
    .where('evidence.status', '=', 'final')
    .where('evidence.content_deleted_at', 'is', null)
    .orderBy('seal.ask_again_at')
    .limit(limit)
    .execute()
  return rows.map(({ evidence_id }) => evidence_id)
}

/** What asking again came to, for the time that it is: a slower worker's answer changes nothing. @returns whether it was kept */
export async function updateAsked(
  db: Db | Tx,
  evidenceId: string,
  asked: { readonly summary: SealSummary; readonly askAgainAt: Date | null; readonly times: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('seal')
    .set({ summary: JSON.stringify(asked.summary), ask_again_at: asked.askAgainAt, asked_again: asked.times })
    .where('evidence_id', '=', evidenceId)
    .where('asked_again', '=', asked.times - 1)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Final evidences after `after` (by id) whose stamps are to be renewed by now. */
export async function listToRenew(
  db: Db | Tx,
  { now, after, limit }: { readonly now: Date; readonly after: string | null; readonly limit: number },
): Promise<string[]> {
  let query = db
    .selectFrom('seal')
    .innerJoin('evidence', 'evidence.id', 'seal.evidence_id')
    .select('seal.evidence_id')
    .where('seal.renew_at', '<=', now)
    .where('evidence.status', '=', 'final')
    .where('evidence.content_deleted_at', 'is', null)
  if (after !== null) query = query.where('seal.evidence_id', '>', after)
  const rows = await query.orderBy('seal.evidence_id').limit(limit).execute()
  return rows.map(({ evidence_id }) => evidence_id)
}

/** Of final evidences, seals of before this was calculated. */
export async function listNotAssessed(db: Db | Tx, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('seal')
    .innerJoin('evidence', 'evidence.id', 'seal.evidence_id')
    .select('seal.evidence_id')
    .where('seal.stamped_until', 'is', null)
    .where('evidence.status', '=', 'final')
    .where('evidence.content_deleted_at', 'is', null)
    .orderBy('seal.evidence_id')
    .limit(limit)
    .execute()
  return rows.map(({ evidence_id }) => evidence_id)
}

export async function updateHealth(db: Db | Tx, evidenceId: string, { stampedUntil, renewAt }: Health): Promise<void> {
  await db
    .updateTable('seal')
    .set({ stamped_until: stampedUntil, renew_at: renewAt })
    .where('evidence_id', '=', evidenceId)
    .executeTakeFirstOrThrow()
}
