/**
 * The lease of a capture: who holds an evidence while it is captured, and the fence that shuts out whoever held it before.
 * Every instant here is the database's own clock.
 */
import { sql } from 'kysely'
import type { CaptureFacts, CaptureProgress } from '../../capture/server/index.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { toRecord, type EvidenceRecord, type FailureRecord } from './store.ts'

/** Takes the oldest waiting evidence, or null. Growing the fence shuts out whoever held it before. */
export async function claimNext(db: Db, owner: string, leaseSeconds: number): Promise<EvidenceRecord | null> {
  const row = await db
    .updateTable('evidence')
    .set((eb) => ({
      status: 'preparing',
      status_changed_at: sql<Date>`clock_timestamp()`,
      lease_owner: owner,
      lease_until: sql<Date>`clock_timestamp() + make_interval(secs => ${leaseSeconds})`,
      fence: eb('fence', '+', 1),
      attempts: eb('attempts', '+', 1),
      progress: null,
    }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('evidence')
        .select('id')
        .where('status', '=', 'queued')
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst()
  return row === undefined ? null : toRecord(row)
}

/** @returns false when the lease is no longer this holder's: the capture must stop. */
export async function renewLease(db: Db, id: string, fence: number, leaseSeconds: number): Promise<boolean> {
  const done = await db
    .updateTable('evidence')
    .set({ lease_until: sql<Date>`clock_timestamp() + make_interval(secs => ${leaseSeconds})` })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('lease_until', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

export async function recordProgress(db: Db, id: string, fence: number, progress: CaptureProgress): Promise<boolean> {
  const capturing = progress.phase === 'capturing' || progress.phase === 'completing'
  const done = await db
    .updateTable('evidence')
    .set({
      progress: JSON.stringify(progress),
      ...(capturing
        ? {
            status: sql<string>`case when status = 'preparing' then 'capturing' else status end`,
            status_changed_at: sql<Date>`case when status = 'preparing' then clock_timestamp() else status_changed_at end`,
          }
        : {}),
    })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('lease_until', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

/** Ends the lease with a result. @returns false when the fence is stale: then nothing was changed. */
export async function closeCapture(
  tx: Tx,
  id: string,
  fence: number,
  result: { status: 'completing'; facts: CaptureFacts } | { status: 'failed'; failure: FailureRecord; expiresAt: Date },
): Promise<boolean> {
  const done = await tx
    .updateTable('evidence')
    .set({
      status: result.status,
      status_changed_at: sql<Date>`clock_timestamp()`,
      lease_owner: null,
      lease_until: null,
      ...(result.status === 'completing'
        ? { facts: JSON.stringify(result.facts), captured_at: result.facts.finished_at }
        : { failure: JSON.stringify(result.failure), expires_at: result.expiresAt }),
    })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('status', 'in', ['preparing', 'capturing'])
    .where('lease_until', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

/** Gives the evidence back to the queue, for another try. @returns false when the fence is stale. */
export async function requeueCapture(db: Db, id: string, fence: number): Promise<boolean> {
  const done = await db
    .updateTable('evidence')
    .set({
      status: 'queued',
      status_changed_at: sql<Date>`clock_timestamp()`,
      lease_owner: null,
      lease_until: null,
      progress: null,
    })
    .where('id', '=', id)
    .where('fence', '=', fence)
    .where('status', 'in', ['preparing', 'capturing'])
    .executeTakeFirst()
  return done.numUpdatedRows === 1n
}

/**
 * Leases that ran out: their capture process is gone or cut off. The evidence goes back to the queue, or fails when it has
 * been begun too often. @returns the ids put back and the ids failed.
 */
export async function releaseExpiredLeases(db: Db, maxAttempts: number): Promise<{ requeued: string[]; exhausted: string[] }> {
  const rows = await db
    .updateTable('evidence')
    .set({
      status: sql<string>`case when attempts < ${maxAttempts} then 'queued' else 'failed' end`,
      status_changed_at: sql<Date>`clock_timestamp()`,
      lease_owner: null,
      lease_until: null,
      progress: null,
      failure: sql`case when attempts < ${maxAttempts} then null else '{"code":"internal","data":{}}'::jsonb end`,
      expires_at: sql<Date | null>`case when attempts < ${maxAttempts} then null else clock_timestamp() + interval '24 hours' end`,
    })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('evidence')
        .select('id')
        .where('lease_until', '<=', sql<Date>`clock_timestamp()`)
        .where('status', 'in', ['preparing', 'capturing'])
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'status'])
    .execute()
  return {
    requeued: rows.filter((row) => row.status === 'queued').map((row) => row.id),
    exhausted: rows.filter((row) => row.status === 'failed').map((row) => row.id),
  }
}
