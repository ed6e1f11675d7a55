/** How much waits in the queue, as SQL. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export type QueueState = {
  /** Due, taken by no worker: counted up to `most`. */
  readonly waiting: number
  /** Of those, how long the first has been due; null: none is. */
  readonly oldestSeconds: number | null
  /** Tried before, to be tried again: what they do failed. */
  readonly failed: number
  readonly oldestFailedSeconds: number | null
}

/** Beyond this nobody needs the number, and counting costs. */
export const mostCounted = 10_000

/** @param names SQL pattern (`like`) of the jobs that are meant */
export async function readQueue(db: Db, names = '%'): Promise<QueueState> {
  const { rows } = await sql<{ waiting: number; oldest: number | null; failed: number; oldest_failed: number | null }>`
    select count(*) filter (where due)::int as waiting,
      extract(epoch from now() - min(run_at) filter (where due))::float8 as oldest,
      count(*) filter (where attempts > 0)::int as failed,
      extract(epoch from now() - min(created_at) filter (where attempts > 0))::float8 as oldest_failed
    from (
      select job.run_at, job.created_at, job.attempts, job.run_at <= now() as due
      from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
      where job.locked_by is null and job.attempts < job.max_attempts and (job.run_at <= now() or job.attempts > 0)
        and task.identifier like ${names}
      limit ${mostCounted}
    ) job`.execute(db)
  const [row] = rows
  return {
    waiting: row?.waiting ?? 0,
    oldestSeconds: row?.oldest ?? null,
    failed: row?.failed ?? 0,
    oldestFailedSeconds: row?.oldest_failed ?? null,
  }
}
