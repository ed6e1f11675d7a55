import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { silentLog } from '../log/log.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

vi.setConfig({ testTimeout: 240_000 })

const folder = mkdtempSync(join(tmpdir(), 'probant-moment-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** The settings of docs/operating/restore.md, on the PostgreSQL that the product brings. */
test('a database whose log is archived comes back to the moment before a mistake', async () => {
  const archive = join(folder, 'archive')
  // Whoever PostgreSQL runs as writes here.
  mkdirSync(archive, { mode: 0o777 })
  const [dataDir, again] = [join(folder, 'first'), join(folder, 'second')]
  const first = await startEmbeddedPostgres({
    dataDir,
    log: silentLog,
    settings: { archive_mode: 'on', archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f` },
  })
  let moment = ''
  try {
    await withClient(first.url, async (client) => {
      await client.query('create table report (id int primary key)')
      await client.query('insert into report values (1)')
      await client.query(`select pg_backup_start('moment', fast := true)`)
      cpSync(join(dataDir, 'cluster'), join(again, 'cluster'), {
        recursive: true,
        filter: (path) => !path.endsWith('postmaster.pid'),
      })
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()')
      writeFileSync(join(again, 'cluster/backup_label'), rows[0]?.labelfile ?? '')
      await client.query('insert into report values (2)')
      const at = await client.query<{ at: string }>('select clock_timestamp()::text as at')
      moment = at.rows[0]?.at ?? ''
      await client.query('delete from report')
      await client.query('select pg_switch_wal()')
    })
  } finally {
    await first.stop()
  }
  expect(readdirSync(archive).length).toBeGreaterThan(1)
  writeFileSync(join(again, 'cluster/recovery.signal'), '')
  const second = await startEmbeddedPostgres({
    dataDir: again,
    log: silentLog,
    settings: {
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: moment,
      recovery_target_action: 'promote',
      hot_standby: 'off',
    },
  })
  try {
    const { rows } = await withClient(
      second.url,
      async (client) => await client.query<{ id: number }>('select id from report order by id'),
    )
    expect(rows).toEqual([{ id: 1 }, { id: 2 }])
  } finally {
    await second.stop()
  }
})
