/** What waits in the queue of background jobs, as SQL. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export type QueuedJobs = {
  readonly job: string
  /** Due, and taken by nobody. */
  readonly waiting: number
  /** Due later: by the clock, or to be tried again. */
  readonly later: number
  readonly running: number
  /** All attempts failed: nobody takes it any more. */
  readonly givenUp: number
  /** Seconds that the longest of those that are due waits; null: none is due. By the clock of the database. */
  readonly oldestSeconds: number | null
}

/** Of each job that anything is in the queue of. */
export async function readQueue(db: Db): Promise<QueuedJobs[]> {
  const { rows } = await sql<{
    job: string
    waiting: number
    later: number
    running: number
    given_up: number
    oldest: number | null
  }>`
    with told as (select task_identifier as job, run_at, locked_at is not null as running, attempts >= max_attempts and locked_at is null as given_up,
        run_at <= clock_timestamp() as due from graphile_worker.jobs)
    select job, count(*) filter (where due and not running and not given_up)::integer as waiting,
      count(*) filter (where not due and not running and not given_up)::integer as later,
      count(*) filter (where running)::integer as running, count(*) filter (where given_up)::integer as given_up,
      extract(epoch from clock_timestamp() - min(run_at) filter (where due and not running and not given_up))::double precision as oldest
    from told group by job order by job`.execute(db)
  return rows.map(({ given_up: givenUp, oldest: oldestSeconds, ...counts }) => ({ ...counts, givenUp, oldestSeconds }))
}
