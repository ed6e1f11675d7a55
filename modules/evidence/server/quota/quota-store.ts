/** The SQL of quotas. Whoever asks holds the asker's lock: what is counted stays so until he commits. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Lane } from '../../domain/queue-order.ts'

/** Of one asker, one after the other, in whichever process: the lock of `evidence_take_turn`. */
export async function lockAsker(tx: Tx, asker: Buffer): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${asker.toString('hex')}, 43))`.execute(tx)
}

/** Whoever has it is the only one who adds to the queue until he commits. */
export async function lockQueue(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(43, 44)`.execute(tx)
}

/** How many wait, of both kinds of capture; counted up to `most` of each lane. */
export async function countQueue(tx: Tx, most: number): Promise<Readonly<Record<Lane, number>>> {
  const of = (lane: Lane) => sql<number>`(select count(*)::integer from (
    select from evidence where status = 'queued' and action in ('static', 'interactive') and lane = ${lane} limit ${most}) waiting)`
  const { rows } = await sql<Record<Lane, number>>`select ${of('account')} as account, ${of('stranger')} as stranger`.execute(tx)
  return rows[0] ?? { account: 0, stranger: 0 }
}

/** Previews that a block of addresses asked for in the last 24 hours, by full hours, and how many of its captures wait or run. */
export async function readPreviews(
  tx: Tx,
  asker: Buffer,
  now: Date,
): Promise<{ readonly previews: number; readonly oldest: Date | null; readonly underWay: number }> {
  const { rows } = await sql<{ previews: number; oldest: Date | null; under_way: number }>`
    select coalesce(sum(previews), 0)::integer as previews, min(hour) as oldest,
      (select count(*)::integer from evidence where asker = ${asker} and status in ('queued', 'preparing', 'capturing')) as under_way
    from preview_count where asker = ${asker} and hour > ${now}::timestamptz - interval '24 hours'`.execute(tx)
  const [row] = rows
  return { previews: row?.previews ?? 0, oldest: row?.oldest ?? null, underWay: row?.under_way ?? 0 }
}

export async function countPreview(tx: Tx, asker: Buffer, now: Date): Promise<void> {
  await sql`insert into preview_count (asker, hour, previews) values (${asker}, date_trunc('hour', ${now}::timestamptz), 1)
    on conflict (asker, hour) do update set previews = preview_count.previews + 1`.execute(tx)
}

/** Drafts of an account that are being made or wait for its decision, those aside that a retry has replaced. */
export async function countDrafts(tx: Tx, accountId: string, except: string | null): Promise<number> {
  const { count } = await tx
    .selectFrom('evidence')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', accountId)
    .where('replaced_by', 'is', null)
    .where('status', 'in', ['queued', 'preparing', 'capturing', 'completing', 'to_validate', 'awaiting_payment'])
    .$if(except !== null, (query) => query.where('id', '<>', except))
    .executeTakeFirstOrThrow()
  return count
}

/** Reports of an account that became final in that month, as `2026-11`, UTC. */
export async function countReports(tx: Tx, accountId: string, month: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select coalesce(sum(change), 0)::integer as count from evidence_tally
    where owner_id = ${accountId}::uuid and sealed and month = ${month}`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function deleteOldPreviews(db: Db, now: Date): Promise<void> {
  await sql`delete from preview_count where hour <= ${now}::timestamptz - interval '24 hours'`.execute(db)
}
