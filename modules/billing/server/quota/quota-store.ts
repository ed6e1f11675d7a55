/** The SQL of what was used of a month's quota. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Day } from '../../domain/calendar/calendar.ts'

export type Counted = 'evidence' | 'document'

/** Of those things, which were taken before. */
export async function listTaken(tx: Tx, subjectIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select subject_id as id from quota_taken where subject_id = any(${[...subjectIds]}::uuid[])`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** As many more as there are any: of two who want the last, one gets it. The caller holds the customer. @returns how many there were */
export async function useSome(
  tx: Tx,
  of: { readonly subscriptionId: string; readonly kind: Counted; readonly month: Day; readonly quota: number },
  wanted: number,
): Promise<number> {
  const some = Math.min(wanted, of.quota - (await findUsed(tx, of.subscriptionId, of.kind, of.month)))
  if (some < 1) return 0
  await sql`
    insert into quota_use as q (subscription_id, kind, month_from, used, quota)
    values (${of.subscriptionId}::uuid, ${of.kind}, ${of.month}::date, ${some}, ${of.quota})
    on conflict (subscription_id, kind, month_from) do update set used = q.used + excluded.used, quota = excluded.quota`.execute(
    tx,
  )
  return some
}

export async function insertTaken(
  tx: Tx,
  taken: { readonly subjectIds: readonly string[]; readonly subscriptionId: string; readonly kind: Counted; readonly month: Day },
  now: Date,
): Promise<void> {
  await sql`
    insert into quota_taken (subject_id, subscription_id, kind, month_from, taken_at)
    select id, ${taken.subscriptionId}::uuid, ${taken.kind}, ${taken.month}::date, ${now}::timestamptz
    from unnest(${[...taken.subjectIds]}::uuid[]) as each (id)`.execute(tx)
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
