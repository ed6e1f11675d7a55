/** Jobs whose last attempt failed, as SQL. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export type RetriedJobs = {
  /** Waiting to be tried again. */
  readonly count: number
  /** Seconds since the first of them was asked for; null: there is none. */
  readonly oldestSeconds: number | null
}

/** @param names pattern (`like`) of the jobs that are meant */
export async function readRetried(db: Db, names: string): Promise<RetriedJobs> {
  const { rows } = await sql<RetriedJobs>`
    select count(*)::integer as count, extract(epoch from clock_timestamp() - min(created_at))::double precision as "oldestSeconds"
    from graphile_worker.jobs
    where task_identifier like ${names} and locked_at is null and attempts > 0 and attempts < max_attempts`.execute(db)
  return rows[0] ?? { count: 0, oldestSeconds: null }
}
