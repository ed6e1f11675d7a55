import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Pool, types, type CustomTypesConfig } from 'pg'
import type { Database } from '../../db/schema.d.ts'
import type { Log } from '../log/log.ts'
import { withKeepAlive } from './keep-alive.ts'

export type Db = Kysely<Database>
export type Tx = Transaction<Database>

/**
 * `bigint` columns hold sizes in bytes, durations and counters: they are read as numbers, and a value that a number
 * cannot hold exactly is refused rather than rounded.
 */
function exactNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is outside the exact range of a number`)
  return value
}

/** Parsers of this program's connections only: the driver's global table, shared with libraries, stays untouched. */
export const columnTypes: CustomTypesConfig = {
  getTypeParser: (oid: Parameters<typeof types.getTypeParser>[0], format?: 'text' | 'binary'): unknown =>
    oid === types.builtins.INT8 && format !== 'binary'
      ? exactNumber
      : // A day of the calendar is no instant: it stays `YYYY-MM-DD`.
        oid === types.builtins.DATE && format !== 'binary'
        ? String
        : types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
}

/** Connections of a pool, and queries that wait for one. */
export type PoolCounts = { readonly open: number; readonly idle: number; readonly waiting: number; readonly most: number }

/**
 * A pool of at most `max` connections. `close` with `db.destroy()`. An idle connection that the server drops is logged and
 * replaced at the next query.
 */
export function openDatabase(
  url: string,
  options: { max?: number; log: Log; applicationName?: string; countPool?: (count: () => PoolCounts) => void },
): Db {
  const most = options.max ?? 10
  const pool = new Pool({
    connectionString: withKeepAlive(url),
    max: most,
    types: columnTypes,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    application_name: options.applicationName ?? 'probant',
  })
  pool.on('error', (error) => options.log.warn({ err: error }, 'idle database connection lost'))
  // The pool listens to idle ones alone: one that is lost while somebody has it, between two of his statements, would end the process.
  pool.on('connect', (client) => client.on('error', (error) => options.log.warn({ err: error }, 'database connection lost')))
  options.countPool?.(() => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, most }))
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}
