import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { createDocuments } from '../change/create-documents.ts'
import { actorOf, haveAccount } from '../../../../testing/accounts.ts'
import { openDepositWorld, sha256Hex, type DepositWorld } from '../deposits.test-data.ts'

const database = withDatabase()
const program = fileURLToPath(new URL('./seal-and-die.test-program.ts', import.meta.url))
let world: DepositWorld

beforeAll(async () => {
  world = await openDepositWorld(database.db)
})
afterAll(async () => await world.remove())

const jobsLeft = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from graphile_worker._private_jobs`.execute(
    database.db,
  )
  return rows[0]?.count
}

test('a worker killed at any moment of sealing loses no deposit and seals none twice', { timeout: 240_000 }, async () => {
  const user = await haveAccount(database.db)
  const documents = Array.from({ length: 25 }, () => ({ sha256: sha256Hex(randomUUID()), store: false }))
  const made = await createDocuments(world, actorOf(user), { documents, agree: true })
  for (const moment of ['stamped', 'logged', 'committing', 'committed', 'never']) {
    const child = spawn(process.execPath, [program, database.url, world.folder, moment], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const exit = once(child, 'exit') as Promise<[number | null, string | null]>
    if (moment === 'never') {
      await expect.poll(jobsLeft, { timeout: 100_000, interval: 50 }).toBe(0)
      child.kill('SIGKILL')
    }
    expect([moment, (await exit)[1]]).toEqual([moment, 'SIGKILL'])
    const { rows } = await sql`select id from document where status = 'final'`.execute(database.db)
    expect([moment, rows.length]).toEqual([moment, ['committed', 'never'].includes(moment) ? made.length : 0])
  }
  const count = async (table: string) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(database.db)
    return rows[0]?.count
  }
  expect([await count('log_leaf'), await count('document_batch'), await count('document_path')]).toEqual([1, 1, 25])
  const tally = await sql<{ category: string; count: number }>`
      select category, sum(change)::int as count from document_tally group by 1 having sum(change) <> 0`.execute(database.db)
  expect(tally.rows).toEqual([{ category: 'completed', count: 25 }])
})
