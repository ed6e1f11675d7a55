import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { withKeepAlive } from '../db/keep-alive.ts'
import type { Log } from '../log/log.ts'

/**
 * Which workers live is what PostgreSQL itself knows: each worker id is a session advisory lock of one connection, freed by
 * the server at the moment the process or its machine is gone. No heartbeat, no clock, no table to go stale.
 */
const livenessClass = 0x70726f77

export type Liveness = { query(sql: string, values: readonly unknown[]): Promise<number>; close(): Promise<void> }

const reconnectMs = 1_000

/** Holds the locks of these workers; takes them again on a new connection when the first is lost. */
export async function claimLiveness(url: string, workerIds: readonly string[], log: Log): Promise<Liveness> {
  const closing = new AbortController()
  let client = await connect()

  async function connect(): Promise<Client> {
    const fresh = new Client({
      connectionString: withKeepAlive(url),
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 10_000,
      application_name: 'probant-worker-liveness',
    })
    fresh.on('error', (error) => {
      if (fresh === client && !closing.signal.aborted) void reconnect(error)
    })
    await fresh.connect()
    await fresh.query('select pg_advisory_lock($1, hashtext(id)) from unnest($2::text[]) as id', [livenessClass, workerIds])
    return fresh
  }

  async function reconnect(error: Error): Promise<void> {
    log.warn({ err: error }, 'liveness connection lost')
    while (!closing.signal.aborted) {
      try {
        client = await connect()
        return
      } catch {
        await wait(reconnectMs)
      }
    }
  }

  return {
    async query(sql, values) {
      const { rowCount } = await client.query(sql, [...values])
      return rowCount ?? 0
    },
    async close() {
      closing.abort()
      await client.end().catch(() => undefined)
    },
  }
}

/** A worker that holds no lock is gone. */
const isGone = `not exists (
         select 1 from pg_locks
         where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())
           and classid = $1::bigint::oid and objid = (hashtext(dead.id)::bigint & 4294967295)::oid and objsubid = 2)`

/** What the jobs were asked that workers, of this machine or another, are doing now. */
export async function listRunningPayloads(url: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url, application_name: 'probant-worker-liveness' })
  await client.connect()
  try {
    const { rows } = await client.query<{ payload: unknown }>(
      `select job.payload from graphile_worker._private_jobs job, lateral (select job.locked_by as id) dead
       where job.locked_by is not null and not (${isGone})`,
      [livenessClass],
    )
    return rows.map(({ payload }) => payload)
  } finally {
    await client.end()
  }
}

/** Lets other workers take jobs whose worker is gone; the queue by itself would wait four hours. @returns how many */
export async function releaseJobsOfDeadWorkers(liveness: Liveness): Promise<number> {
  return await liveness.query(
    `with dead as (
       select distinct locked_by as id from graphile_worker._private_jobs where locked_by is not null
       union
       select distinct locked_by from graphile_worker._private_job_queues where locked_by is not null
     ), gone as (
       select array_agg(id) as ids from dead
       where ${isGone}
     ), freed as (
       select id from graphile_worker._private_jobs, gone where locked_by = any (gone.ids)
     ), unlocked as (
       select graphile_worker.force_unlock_workers(gone.ids) from gone where gone.ids is not null
     )
     select freed.id from freed, unlocked`,
    [livenessClass],
  )
}
