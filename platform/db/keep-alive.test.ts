import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '../log/log.ts'
import { openDatabase } from './database.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { withKeepAlive } from './keep-alive.ts'

test('PostgreSQL asks after a process whose machine fell silent, instead of holding its locks for hours', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'probant-keep-alive-'))
  // Nobody else listens there: its port is the usual one, as its socket is named by it.
  const address = `127.${String(100 + (process.pid % 100))}.${String(process.pid % 251)}.7`
  const started = await startEmbeddedPostgres({ dataDir: folder, log: silentLog, settings: { listen_addresses: address } })
  onTestFinished(async () => {
    await started.stop()
    rmSync(folder, { recursive: true })
  })
  const db = openDatabase(`postgresql://probant@${address}:5432/probant`, { max: 1, log: silentLog })
  onTestFinished(async () => await db.destroy())
  const { rows } = await sql<{
    name: string
    setting: string
  }>`select name, setting from pg_settings where name like 'tcp\_%' order by name`.execute(db)
  expect(rows.map(({ name, setting }) => `${name} ${setting}`)).toEqual([
    'tcp_keepalives_count 3',
    'tcp_keepalives_idle 10',
    'tcp_keepalives_interval 5',
    'tcp_user_timeout 25000',
  ])
})

test('what the operator says of a connection stays', () => {
  const own = 'postgresql://probant@db/probant?options=-c%20search_path%3Dpublic'
  expect(withKeepAlive(own)).toBe(own)
  expect(withKeepAlive('postgresql://probant@/probant?host=%2Frun')).toMatch(
    /^postgresql:\/\/probant@\/probant\?host=%2Frun&options=-c%20tcp_/,
  )
})
