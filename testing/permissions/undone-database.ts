import { Kysely, PostgresDialect, type CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import { Client } from 'pg'
import type { Database } from '../../db/schema.d.ts'
import { columnTypes, type Db } from '../../platform/db/database.ts'

/**
 * A real database of which nothing stays: all that is done goes through one connection, and what one `attempt` does, transactions
 * that it commits included, is undone at its end. Transactions become savepoints, and so do changes outside of them: one that
 * fails there would spoil the whole attempt.
 */
export async function openUndoneDatabase(url: string): Promise<{
  readonly db: Db
  attempt<T>(run: () => Promise<T>): Promise<T>
  close(): Promise<void>
}> {
  const client = new Client({ connectionString: url, types: columnTypes })
  await client.connect()
  let depth = 0
  let turn: Promise<unknown> = Promise.resolve()

  /** One after the other: what stands between a savepoint and its end is one statement's. */
  async function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const mine = turn.then(run, run)
    turn = mine.catch(() => undefined)
    return await mine
  }
  const open = async () => {
    depth += 1
    await client.query(`savepoint level_${String(depth)}`)
  }
  const close = async (kept: boolean) => {
    const name = `level_${String(depth)}`
    depth -= 1
    await client.query(kept ? `release savepoint ${name}` : `rollback to savepoint ${name}; release savepoint ${name}`)
  }

  async function query<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount, command } = await client.query(sql, [...parameters])
    const changes = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command)
    return changes ? { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) } : { rows: rows as R[] }
  }

  const connection: DatabaseConnection = {
    executeQuery: async <R>(compiled: CompiledQuery) =>
      await inTurn(async () => {
        // Inside a transaction a statement that fails spoils it, as it does anywhere; and reading changes nothing.
        if (depth > 0 || /^\s*select\b/i.test(compiled.sql)) return await query<R>(compiled)
        await open()
        try {
          const result = await query<R>(compiled)
          await close(true)
          return result
        } catch (error) {
          await close(false)
          throw error
        }
      }),
    streamQuery: () => {
      throw new Error('no call streams from the database')
    },
  }
  const driver: Driver = {
    init: async () => await Promise.resolve(),
    acquireConnection: async () => await Promise.resolve(connection),
    beginTransaction: async () => await inTurn(open),
    commitTransaction: async () => await inTurn(async () => await close(true)),
    rollbackTransaction: async () => await inTurn(async () => await close(false)),
    releaseConnection: async () => await Promise.resolve(),
    destroy: async () => await client.end(),
  }
  const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('one connection serves')) })
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createDriver: () => driver,
      createIntrospector: (own) => dialect.createIntrospector(own),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    },
  })
  await client.query('begin')
  let hasBegun = false
  return {
    db,
    async attempt(run) {
      // What was laid down before the first attempt stays for all of them.
      if (!hasBegun) await inTurn(async () => await client.query('savepoint attempt'))
      hasBegun = true
      try {
        return await run()
      } finally {
        depth = 0
        await inTurn(async () => await client.query('rollback to savepoint attempt'))
      }
    },
    async close() {
      await client.query('rollback')
      await db.destroy()
    },
  }
}
