import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db, Tx } from '../db/database.ts'
import type { Log } from '../log/log.ts'
import { currentOrigin } from '../trace/origin.ts'

/**
 * Background jobs (architecture §5.7): a job is declared once, enqueued in the transaction of the state change that asks
 * for it, and handled by an idempotent function: delivery is at least once. Payloads hold ids only, so that what a job
 * acts on is read from the database when it runs.
 */
export type Job<Payload = unknown> = {
  readonly name: string
  readonly payload: z.ZodType<Payload>
}

export function defineJob<Payload>(name: string, payload: z.ZodType<Payload>): Job<Payload> {
  if (!/^[a-z0-9_]+(\.[a-z0-9_]+)+$/.test(name)) throw new RangeError(`job name ${name} is not module.verb_noun`)
  return { name, payload }
}

export type EnqueueOptions = {
  /** Earliest start; now unless told. */
  readonly runAt?: Date
  /** A waiting job with the same key is replaced by this one. */
  readonly key?: string
  /** Attempts before the job is given up, with exponential waits of e^attempt seconds between; 25 unless told. */
  readonly maxAttempts?: number
}

/** Beside what the job says of itself: by which request it came to be. */
export const originMember = 'origin'

/** Enqueues in the caller's transaction: the job exists exactly when the change that wants it was committed. */
export async function enqueue<Payload>(
  db: Db | Tx,
  job: Job<Payload>,
  payload: Payload,
  options: EnqueueOptions = {},
): Promise<void> {
  const valid = job.payload.parse(payload)
  const from = currentOrigin()
  const carried = from === null ? valid : { ...valid, [originMember]: from }
  await sql`select graphile_worker.add_job(
    ${job.name}, payload := ${JSON.stringify(carried)}::json, run_at := ${options.runAt ?? null}::timestamptz,
    max_attempts := ${options.maxAttempts ?? null}::int, job_key := ${options.key ?? null}::text)`.execute(db)
}

export type JobContext = {
  readonly log: Log
  /** 1 for the first attempt. */
  readonly attempt: number
  readonly maxAttempts: number
  /** Aborted when the worker stops and its grace is over. */
  readonly signal: AbortSignal
}

export type JobHandler = {
  readonly job: Job
  readonly run: (payload: unknown, context: JobContext) => Promise<void>
}

export function handle<Payload>(job: Job<Payload>, run: (payload: Payload, context: JobContext) => Promise<void>): JobHandler {
  return { job, run: async (payload, context) => await run(job.payload.parse(payload), context) }
}
