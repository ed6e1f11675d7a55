import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { silentLog } from '../log/log.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'
import { postgresProcessesOf } from './postgres-processes.ts'

/** Each test creates a whole cluster, synced to the disk; nothing here measures time. */
vi.setConfig({ testTimeout: 300_000 })

const running: EmbeddedPostgres[] = []
const folders: string[] = []
const newFolder = (name = '') => {
  const folder = mkdtempSync(join(tmpdir(), `probant-embedded-${name}`))
  folders.push(folder)
  return folder
}
async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  running.push(postgres)
  return postgres
}
async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
afterEach(async () => {
  await Promise.all(running.splice(0).map(async (postgres) => await postgres.stop()))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

test('is PostgreSQL 18 in UTF-8, with checksums, by socket only', async () => {
  const { url } = await start(newFolder())
  const [row] = await query(
    url,
    `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
       current_setting('data_checksums') as checksums, current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
       lower('ÉŒ') as lowered, 'Z' < 'a' as by_bytes`,
  )
  expect(row).toEqual({
    version: 18,
    encoding: 'UTF8',
    checksums: 'on',
    addresses: '',
    fsync: 'on',
    lowered: 'éœ',
    by_bytes: true,
  })
})

test('works under a path too long for a socket, with blanks and accents', async () => {
  const folder = join(newFolder('données à garder '), 'x'.repeat(100))
  const { url } = await start(folder)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('lets one process have a folder, until it is free again', async () => {
  const folder = newFolder()
  const first = await start(folder)
  await expect(start(folder)).rejects.toThrow('in use by another running process')
  await query(first.url, 'create table kept as select 7 as x')
  await first.stop()
  await first.exited
  const second = await start(folder)
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'select x from kept')).toEqual([{ x: 7 }])
})

test('starts after a kill whose lock files name a process that lives, and after one in the middle of its creation', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'cluster.new/base'), { recursive: true })
  const first = await start(folder)
  const cluster = join(folder, 'cluster')
  const [postmaster = ''] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(postmaster), 'SIGKILL')
  await first.exited
  // The number has gone to another program: to this one.
  for (const lock of ['cluster/postmaster.pid', 'run/.s.PGSQL.5432.lock']) {
    const path = join(folder, lock)
    writeFileSync(path, readFileSync(path, 'utf8').replace(postmaster, String(process.pid)))
  }
  const second = await start(folder)
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await second.stop()
  expect(postgresProcessesOf(cluster)).toEqual([])
})
