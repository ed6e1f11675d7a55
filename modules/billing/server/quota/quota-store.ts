/** The SQL of what was used of a month's quota. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Day } from '../../domain/calendar/calendar.ts'

export type Counted = 'evidence' | 'document'

export async function isTaken(tx: Tx, subjectId: string): Promise<boolean> {
  const row = await tx.selectFrom('quota_taken').select('subject_id').where('subject_id', '=', subjectId).executeTakeFirst()
  return row !== undefined
}

/** One more, as long as there are any: of two who want the last, one gets it. @returns whether there was one */
export async function useOne(
  tx: Tx,
  of: { readonly subscriptionId: string; readonly kind: Counted; readonly month: Day; readonly quota: number },
): Promise<boolean> {
  if (of.quota < 1) return false
  const { rows } = await sql`
    insert into quota_use as q (subscription_id, kind, month_from, used, quota)
    values (${of.subscriptionId}::uuid, ${of.kind}, ${of.month}::date, 1, ${of.quota})
    on conflict (subscription_id, kind, month_from) do update set used = q.used + 1, quota = excluded.quota
      where q.used < excluded.quota
    returning used`.execute(tx)
  return rows.length > 0
}

export async function insertTaken(
  tx: Tx,
  taken: { readonly subjectId: string; readonly subscriptionId: string; readonly kind: Counted; readonly month: Day },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('quota_taken')
    .values({
      subject_id: taken.subjectId,
      subscription_id: taken.subscriptionId,
      kind: taken.kind,
      month_from: taken.month,
      taken_at: now,
    })
    .execute()
}

export async function findUsed(db: Db | Tx, subscriptionId: string, kind: Counted, month: Day): Promise<number> {
  const row = await db
    .selectFrom('quota_use')
    .select('used')
    .where('subscription_id', '=', subscriptionId)
    .where('kind', '=', kind)
    .where('month_from', '=', month)
    .executeTakeFirst()
  return row?.used ?? 0
}
