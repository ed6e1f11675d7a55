import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { migrate, MigrationRefused } from './migrate.ts'

let folder: string
let database: Awaited<ReturnType<typeof createTestDatabase>>
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'probant-migrations-'))
  database = await createTestDatabase({ migrated: false })
})
afterEach(async () => {
  await database.drop()
  rmSync(folder, { recursive: true })
})

describe('migrations', () => {
  test('apply once, in order, however many processes ask', async () => {
    write('0001_first.sql', 'create table a (x int); insert into a values (1);')
    write('0002_second.sql', 'insert into a select x + 1 from a;')
    const applied = await Promise.all([
      migrate(database.url, folder),
      migrate(database.url, folder),
      migrate(database.url, folder),
    ])
    expect(applied.filter((names) => names.length > 0)).toEqual([['0001_first.sql', '0002_second.sql']])
    const { rows } = await sql<{ x: number }>`select x from a order by x`.execute(database.db)
    expect(rows).toEqual([{ x: 1 }, { x: 2 }])
  })

  test('bring the job queue', async () => {
    await migrate(database.url, folder)
    const { rows } = await sql`select 1 from graphile_worker.jobs`.execute(database.db)
    expect(rows).toEqual([])
  })

  test('refuse an edited, a removed and a late file', async () => {
    write('0002_second.sql', 'create table b (x int);')
    await migrate(database.url, folder)
    write('0001_first.sql', 'select 1;')
    await expect(migrate(database.url, folder)).rejects.toThrow('0001_first.sql comes before 0002_second.sql')
    rmSync(join(folder, '0001_first.sql'))
    write('0002_second.sql', 'create table c (x int);')
    await expect(migrate(database.url, folder)).rejects.toThrow('0002_second.sql was edited')
    rmSync(join(folder, '0002_second.sql'))
    await expect(migrate(database.url, folder)).rejects.toThrow(MigrationRefused)
  })

  test('leave nothing of one that fails', async () => {
    write('0001_half.sql', 'create table half (x int); select 1/0;')
    await expect(migrate(database.url, folder)).rejects.toThrow('migration 0001_half.sql failed: division by zero')
    const { rows } = await sql<{ name: string | null }>`select to_regclass('half') as name`.execute(database.db)
    expect(rows).toEqual([{ name: null }])
  })
})
