/** Lines of mails to send, and what they are about, as SQL. Every function takes the database or the transaction first. */
import { sql } from 'kysely'
import type { NotificationKind } from '../../../account/server/index.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { toRecord, type EvidenceRecord } from '../record/store.ts'

export type NotificationRow = {
  readonly id: string
  readonly userId: string
  readonly evidenceId: string
  readonly kind: NotificationKind
  readonly occasion: string
  readonly createdAt: Date
  readonly settled: boolean
}

type NewNotification = Omit<NotificationRow, 'settled'>

/** @returns whether there was none about that to that person yet */
export async function insertNotification(tx: Tx, row: NewNotification): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('notification')
    .values({
      id: row.id,
      user_id: row.userId,
      evidence_id: row.evidenceId,
      kind: row.kind,
      occasion: row.occasion,
      created_at: row.createdAt,
    })
    .onConflict((conflict) => conflict.columns(['evidence_id', 'user_id', 'kind', 'occasion']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function findNotification(db: Db | Tx, id: string): Promise<NotificationRow | null> {
  const row = await db.selectFrom('notification').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    userId: row.user_id,
    evidenceId: row.evidence_id,
    kind: row.kind as NotificationKind,
    occasion: row.occasion,
    createdAt: row.created_at,
    settled: row.settled_at !== null,
  }
}

/** Of an account that goes. */
export async function deleteNotifications(db: Db | Tx, userId: string): Promise<void> {
  await db.deleteFrom('notification').where('user_id', '=', userId).execute()
}

/** Somebody's drafts that nobody decided on, which end after `now` and before `before`, and about which nobody was written to. */
export async function listEndingDrafts(
  db: Db | Tx,
  { now, before, limit }: { readonly now: Date; readonly before: Date; readonly limit: number },
): Promise<EvidenceRecord[]> {
  const rows = await db
    .selectFrom('evidence')
    .selectAll()
    .where('status', 'in', ['to_validate', 'awaiting_payment'])
    .where('owner_id', 'is not', null)
    // Who asked for the page again has decided.
    .where('replaced_by', 'is', null)
    .where('expires_at', '>', now)
    .where('expires_at', '<=', before)
    .where(sql<boolean>`not exists (select from notification n where n.evidence_id = evidence.id and n.kind = 'draft_ending')`)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
  return rows.map(toRecord)
}

export type WeakSeal = { readonly evidence: EvidenceRecord; readonly stampedUntil: Date; readonly renewAt: Date | null }

/** Final reports, by id after `after`, whose stamps should have been renewed before `dueBefore`, or have ended. */
export async function listWeakSeals(
  db: Db | Tx,
  {
    now,
    dueBefore,
    after,
    limit,
  }: { readonly now: Date; readonly dueBefore: Date; readonly after: string | null; readonly limit: number },
): Promise<WeakSeal[]> {
  const rows = await db
    .selectFrom('seal')
    .innerJoin('evidence', 'evidence.id', 'seal.evidence_id')
    .selectAll('evidence')
    .select(['seal.stamped_until', 'seal.renew_at'])
    .where('evidence.status', '=', 'final')
    .where('evidence.owner_id', 'is not', null)
    .where('evidence.trashed_at', 'is', null)
    .where('evidence.content_deleted_at', 'is', null)
    .where((eb) => eb.or([eb('seal.renew_at', '<=', dueBefore), eb('seal.stamped_until', '<=', now)]))
    .$if(after !== null, (query) => query.where('evidence.id', '>', after))
    .orderBy('evidence.id')
    .limit(limit)
    .execute()
  return rows.flatMap((row) =>
    row.stamped_until === null ? [] : [{ evidence: toRecord(row), stampedUntil: row.stamped_until, renewAt: row.renew_at }],
  )
}

/** How the stamps of one stand now; null: it has no seal, or none that was assessed. */
export async function findStampsOf(db: Db | Tx, evidenceId: string): Promise<Omit<WeakSeal, 'evidence'> | null> {
  const row = await db
    .selectFrom('seal')
    .select(['stamped_until', 'renew_at'])
    .where('evidence_id', '=', evidenceId)
    .executeTakeFirst()
  return row?.stamped_until == null ? null : { stampedUntil: row.stamped_until, renewAt: row.renew_at }
}
