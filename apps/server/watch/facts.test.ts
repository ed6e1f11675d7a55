import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openKeyring, openPublicLog } from '../../../modules/sealing/server/index.ts'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import { defineJob, enqueue } from '../../../platform/jobs/jobs.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { haveServer } from '../../../testing/capture-server.ts'
import { withDatabase } from '../../../testing/database.ts'
import { parseExposition } from '../../../testing/metrics/parse-exposition.ts'
import { tellFacts } from './facts.ts'
import { tellJournal } from './journal-facts.ts'
import { createReadInTime } from './read-in-time.ts'

const database = withDatabase()
let folder: string
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'probant-facts-'))))
afterAll(async () => await rm(folder, { recursive: true, force: true }))

let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead) }

function telling(of: (registry: Registry, readInTime: ReturnType<typeof createReadInTime>) => () => Promise<void>) {
  const registry = new Registry()
  const tell = of(registry, createReadInTime(registry, silentLog))
  return async (name: string): Promise<Record<string, number>> => {
    await tell()
    const family = parseExposition(await registry.metrics()).find((each) => each.name === name)
    return Object.fromEntries(
      (family?.samples ?? []).map(({ labels, value }): [string, number] => [Object.values(labels).join(' '), value]),
    )
  }
}

test('queues, servers and the public log are told as they stand', async () => {
  const { db } = database
  const read = telling((registry, readInTime) =>
    tellFacts(registry, { db, clock, readInTime, blobs: createFolderBlobStore(join(folder, 'blobs')) }),
  )
  expect(await read('probant_log_head_age_seconds')).toEqual({})
  const job = defineJob('test.due', z.object({}))
  for (const runAt of ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2999-01-01T00:00:00Z'])
    await enqueue(db, job, {}, { runAt: new Date(runAt) })
  await sql`update graphile_worker._private_jobs set attempts = max_attempts where run_at = '2026-01-02T00:00:00Z'`.execute(db)
  expect(await read('probant_jobs')).toEqual({
    'test.due waiting': 1,
    'test.due later': 1,
    'test.due running': 0,
    'test.due given_up': 1,
  })
  const { rows } = await sql<{ age: number }>`
    select extract(epoch from clock_timestamp() - '2026-01-01T00:00:00Z')::double precision as age`.execute(db)
  const oldest = (await read('probant_jobs_oldest_age_seconds'))['test.due'] ?? 0
  expect(Math.abs(oldest - (rows[0]?.age ?? 0))).toBeLessThan(60)
  await sql`delete from graphile_worker._private_jobs`.execute(db)
  // What is gone is told no more.
  expect(await read('probant_jobs')).toEqual({})
  await haveServer(db, 'paris')
  await haveServer(db, 'lyon', { status: 'set_aside' })
  expect(await read('probant_capture_servers')).toEqual({ starting: 0, ready: 1, set_aside: 1, drained: 0, stopped: 0, lost: 0 })
  await sql`insert into evidence (id, token_hash, action, requested_url, locale, status, status_changed_at, created_at, asker)
    select gen_random_uuid(), sha256(i::text::bytea), 'static', 'https://client.example/', 'en', 'queued', now(),
      clock_timestamp() - interval '90 seconds', sha256('asker') from generate_series(1, 3) i`.execute(db)
  expect(await read('probant_captures')).toEqual({
    'static waiting': 3,
    'static under_way': 0,
    'interactive waiting': 0,
    'interactive under_way': 0,
  })
  const waits = await read('probant_captures_oldest_age_seconds')
  expect(waits['interactive']).toBe(0)
  expect(waits['static']).toBeGreaterThanOrEqual(90)
  const keyring = await openKeyring({ dir: join(folder, 'keys'), clock, log: silentLog })
  const log = await openPublicLog({ db, keyring, clock, origin: 'proofs.example/log', folder: join(folder, 'log') })
  for (const root of [randomBytes(32), randomBytes(32)]) await log.include(new Uint8Array(root))
  ahead = 3_600_000
  expect(await read('probant_log_entries')).toEqual({ '': 2 })
  expect((await read('probant_log_head_age_seconds'))['']).toBeGreaterThanOrEqual(3_600)
  await sql`insert into log_anchor (id, way, tree_size, tree_root, note_hash, commitment, status, created_at, next_try_at)
    values (${randomUUID()}, 'calendar', 2, sha256('root'), sha256('note'), sha256('both'), 'pending', ${new Date()}, now())`.execute(
    db,
  )
  expect(await read('probant_anchors_waiting')).toEqual({ '': 1 })
  expect((await read('probant_anchors_oldest_age_seconds'))['']).toBeGreaterThan(3_500)
  // A fact that cannot be read is counted, and the others are told.
  await sql`alter table log_anchor rename to log_anchor_gone`.execute(db)
  expect(await read('probant_facts_failures_total')).toEqual({ jobs: 0, captures: 0, servers: 0, log: 1, room: 0 })
  expect(await read('probant_captures')).toMatchObject({ 'static waiting': 3 })
  await sql`alter table log_anchor_gone rename to log_anchor`.execute(db)
})

test('the books are looked at every quarter of an hour, and where they are broken is told', async () => {
  const { db } = database
  const read = telling((registry, readInTime) => tellJournal(registry, { db, clock, readInTime }))
  const whole = await read('probant_journal_broken')
  expect(Object.keys(whole)).toContain('numbers_without_gap')
  expect(new Set(Object.values(whole))).toEqual(new Set([0]))
  await sql`alter table journal_entry disable trigger user`.execute(db)
  await sql`insert into journal_entry (id, journal, year, number, on_day, kind, created_at)
    values (${randomUUID()}, 'BQ', 2026, 7, '2026-11-01', 'payment', now())`.execute(db)
  ahead += 14 * 60_000
  expect(await read('probant_journal_broken')).toEqual(whole)
  expect((await read('probant_journal_look_age_seconds'))['']).toBeGreaterThanOrEqual(14 * 60)
  ahead += 60_000
  expect(await read('probant_journal_broken')).toMatchObject({ numbers_without_gap: 1, entries_balance: 1, lines_sum: 0 })
  expect((await read('probant_journal_look_age_seconds'))['']).toBeLessThan(60)
})
