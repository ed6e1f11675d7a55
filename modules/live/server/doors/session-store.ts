/** The SQL of live sessions. Every instant is the database's own clock; every function takes the database or transaction first. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'

const now = sql<Date>`clock_timestamp()`

/** How a viewer's connection reaches a session. */
export type SessionDoor = {
  /** `host:port` of the capture process that has it. */
  readonly address: string
  /** 256 bits that only that process and this database know. */
  readonly key: Buffer
}

/**
 * Says that a claimed session can be joined.
 * @returns false when the claim is no longer that holder's: then nothing was written
 */
export async function insertSession(
  db: Db,
  session: SessionDoor & { readonly evidenceId: string; readonly fence: number; readonly sessionMs: number },
): Promise<boolean> {
  const { evidenceId, fence, address, key, sessionMs } = session
  const done = await sql`
    with held as (
      select id, fence from evidence where id = ${evidenceId}::uuid and fence = ${fence}
        and lease_until > clock_timestamp() and status in ('preparing', 'capturing') for update)
    insert into live_session (evidence_id, fence, address, key, session_ms)
    select id, fence, ${address}, ${key}, ${sessionMs} from held
    on conflict (evidence_id) do update set fence = excluded.fence, address = excluded.address, key = excluded.key,
      session_ms = excluded.session_ms, opened_at = clock_timestamp() where live_session.fence <= excluded.fence`.execute(db)
  return done.numAffectedRows === 1n
}

/** It can be joined no more, though its capture may go on to complete it. */
export async function deleteSession(db: Db, evidenceId: string, fence: number): Promise<void> {
  await db.deleteFrom('live_session').where('evidence_id', '=', evidenceId).where('fence', '=', fence).execute()
}

/** The way to a session whose capture process still gives signs of life; null: there is none, or its owner's account is not open. */
export async function findSession(db: Db | Tx, evidenceId: string): Promise<SessionDoor | null> {
  const row = await db
    .selectFrom('live_session as s')
    .innerJoin('evidence as e', 'e.id', 's.evidence_id')
    .select(['s.address', 's.key'])
    .where('s.evidence_id', '=', evidenceId)
    .whereRef('s.fence', '=', 'e.fence')
    .where('e.lease_until', '>', now)
    .where(sql<boolean>`not exists (select from account_user u where u.id = e.owner_id and u.status <> 'active')`)
    .executeTakeFirst()
  return row ?? null
}

/** How far the visitor's time has come; null: there is no session to join. */
export async function findLiveTime(
  db: Db | Tx,
  evidenceId: string,
): Promise<{ readonly beganAt: Date | null; readonly remainingMs: number | null } | null> {
  const row = await db
    .selectFrom('live_session as s')
    .innerJoin('evidence as e', 'e.id', 's.evidence_id')
    .select([
      sql<Date | null>`case when e.status = 'capturing' then e.status_changed_at end`.as('began_at'),
      sql<number | null>`case when e.status = 'capturing' and e.progress ->> 'phase' = 'capturing' then
        greatest(0, s.session_ms - 1000 * extract(epoch from clock_timestamp() - e.status_changed_at))::integer end`.as(
        'remaining_ms',
      ),
    ])
    .where('s.evidence_id', '=', evidenceId)
    .whereRef('s.fence', '=', 'e.fence')
    .executeTakeFirst()
  return row === undefined ? null : { beganAt: row.began_at, remainingMs: row.remaining_ms }
}
