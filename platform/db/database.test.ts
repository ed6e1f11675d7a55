import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { withDatabase } from '../../testing/database.ts'
import { silentLog } from '../log/log.ts'
import { openDatabase } from './database.ts'

const database = withDatabase()

test('a connection that is lost in the middle of a transaction ends the transaction, not the process', async () => {
  const lost = Promise.withResolvers<void>()
  const log = { ...silentLog, warn: () => lost.resolve() }
  const db = openDatabase(database.url, { max: 1, log })
  const broken = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${rows[0]?.pid ?? 0})`.execute(database.db)
    await lost.promise
    await sql`select 1`.execute(tx)
  })
  await expect(broken).rejects.toThrow()
  expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  await db.destroy()
})
