/** The SQL of growing delays. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export type ThrottlePolicy = {
  /** Attempts that cost nothing. */
  readonly free: number
  /** After the first that is not free; it doubles with each. */
  readonly firstSeconds: number
  readonly mostSeconds: number
}

/** A key that rests this long starts anew. */
export const throttleRestMs = 24 * 3_600_000

/**
 * Counts an attempt before it is made, so that attempts made at once count too.
 * @returns null when it may be made, else until when none may
 */
export async function takeAttempt(db: Db, key: Buffer, now: Date, policy: ThrottlePolicy): Promise<Date | null> {
  const rested = new Date(now.getTime() - throttleRestMs)
  const next = sql<number>`case when throttle.updated_at < ${rested} then 1 else throttle.failures + 1 end`
  const taken = await sql<{ failures: number }>`
    insert into throttle (key, failures, blocked_until, updated_at) values (${key}, 1, ${now}, ${now})
    on conflict (key) do update set
      failures = ${next},
      blocked_until = ${now}::timestamptz + make_interval(secs => case when ${next} <= ${policy.free} then 0
        else least(${policy.mostSeconds}, ${policy.firstSeconds} * power(2, least(${next} - ${policy.free} - 1, 30))) end),
      updated_at = ${now}
    where throttle.blocked_until <= ${now}
    returning failures`.execute(db)
  if (taken.rows.length > 0) return null
  const row = await db.selectFrom('throttle').select('blocked_until').where('key', '=', key).executeTakeFirst()
  return row?.blocked_until ?? null
}

/** What was counted turned out not to be a failure. */
export async function giveAttemptBack(db: Db, key: Buffer, now: Date): Promise<void> {
  await db
    .updateTable('throttle')
    .set((eb) => ({ failures: sql<number>`greatest(${eb.ref('failures')} - 1, 0)`, blocked_until: now }))
    .where('key', '=', key)
    .execute()
}

export async function forgetAttempts(db: Db, key: Buffer): Promise<void> {
  await db.deleteFrom('throttle').where('key', '=', key).execute()
}

export async function deleteRestedThrottles(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('throttle')
    .where('updated_at', '<', new Date(now.getTime() - throttleRestMs))
    .where('blocked_until', '<', now)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
