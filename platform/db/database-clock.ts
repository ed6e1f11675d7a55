import { sql } from 'kysely'
import { systemClock, type Clock } from '../../kernel/clock.ts'
import type { Log } from '../log/log.ts'
import type { Db } from './database.ts'

/** A machine whose own clock is further off is told to its operator. */
const tolerableMs = 2_000
const measuredEveryMs = 30_000
/** An answer that took longer says too little of when it was given, where an earlier one said more. */
const promptMs = 1_000

/**
 * The clock of the database, so that processes of several machines agree on what is over and what comes first, whatever their own clocks say
 * (decision 0471). Between two looks it goes on by the monotonic clock of this process; while the database does not answer, too.
 * @param own of this machine, which is compared with it
 */
export async function openDatabaseClock(
  deps: { readonly db: Db; readonly log: Log },
  own: Clock = systemClock,
): Promise<{ readonly clock: Clock; stop(): Promise<void> }> {
  const { db, log } = deps
  /** Instant of the database when the monotonic clock stood at zero, in milliseconds. */
  let origin = 0
  let isTold = false

  async function measure(isFirst: boolean): Promise<void> {
    const before = performance.now()
    const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
    const after = performance.now()
    const [row] = rows
    if (row === undefined || (!isFirst && after - before > promptMs)) return
    origin = row.at.getTime() - (before + after) / 2
    const apartMs = own.now().getTime() - (origin + after)
    const isApart = Math.abs(apartMs) > tolerableMs
    if (isApart && !isTold)
      log.warn({ apart_ms: Math.round(apartMs) }, 'the clock of this machine is not that of the database, which is taken instead')
    isTold = isApart
  }

  // The pool connects first: its time is not that of the answer.
  await sql`select 1`.execute(db)
  await measure(true)
  let measuring = Promise.resolve()
  const timer = setInterval(() => {
    measuring = measuring
      .then(async () => await measure(false))
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the clock of the database could not be read; the last reading goes on'),
      )
  }, measuredEveryMs)
  return {
    clock: { now: () => new Date(origin + performance.now()) },
    async stop() {
      clearInterval(timer)
      await measuring
    },
  }
}
