/**
 * A fleet of capture machines on one database, simulated: each machine says what a capture process says to PostgreSQL, by the program's own statements and at
 * its own pace, and the page that it would capture is a wait. Prints what the database spends on it, and how long what is asked for waits. Beside it, reports
 * in numbers. Run: `node bench/fleet.ts [reports] [machines,…] [seconds] [folder]`; the folder keeps the reports for the next run.
 */
import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { findPage } from '../modules/evidence/server/list/find-page.ts'
import { insertEvidence } from '../modules/evidence/server/record/store.ts'
import { openDatabase, type Db } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'
import { migrate } from '../platform/db/migrate.ts'
import { silentLog } from '../platform/log/log.ts'
import { haveServer } from '../testing/capture-server.ts'
import { fillEvidences } from './fill-evidences.ts'
import type { FleetPart, FleetReport, FleetWord } from './fleet-machines.ts'
import { median, treeSeconds } from './measure.ts'
import { pageOfAda } from './page-of-ada.ts'
import { tableHead, tableRow } from './table.ts'

const reports = Number(process.argv[2] ?? 10_000_000)
const sizes = (process.argv[3] ?? '1,10,100,1000').split(',').map(Number)
const seconds = Number(process.argv[4] ?? 40)
/** What a capture takes, of which most is waited for. */
const captureMs = 20_000
const leaseSeconds = 20
/** Of what the machines could take. */
const busy = 0.5
/** The machines are shared out among so many threads, so that it is the database that is waited for. */
const mostThreads = 8
const kept = process.argv[5]
const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'probant-fleet-'))
const say = (text: string) => void process.stdout.write(`${text}\n`)
const shared = { shared_buffers: '1GB' }

/** Reports in numbers are written by a server that waits for no disk; the one that is measured does. */
async function fill(): Promise<void> {
  const filling = await startEmbeddedPostgres({
    dataDir,
    log: silentLog,
    settings: { ...shared, fsync: 'off', wal_level: 'minimal', max_wal_senders: '0', max_wal_size: '8GB', autovacuum: 'off' },
  })
  try {
    await migrate(filling.url)
    const one = openDatabase(filling.url, { max: 1, log: silentLog })
    const began = performance.now()
    const { rows } = await sql<{ reports: number }>`select count(*)::integer as reports from evidence`.execute(one)
    if (rows[0]?.reports === 0) {
      await fillEvidences(one, reports, 'spread')
      say(`${String(reports)} reports written in ${((performance.now() - began) / 1000).toFixed(0)} s`)
    }
    await one.destroy()
  } finally {
    await filling.stop()
  }
}

await fill()
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: shared })
const db = openDatabase(postgres.url, { max: 4, log: silentLog })
const postmaster = Number(readFileSync(join(dataDir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0])

/** What a run before left behind is not this one's. */
async function endWhatWaits(): Promise<void> {
  await sql`update evidence set status = 'failed', failure = '{"code":"internal","data":{}}', expires_at = now(), lease_owner = null, lease_until = null where status in ('queued', 'preparing', 'capturing')`.execute(
    db,
  )
}

async function runFleet(machines: number): Promise<void> {
  await endWhatWaits()
  await sql`delete from capture_server_event`.execute(db)
  for (let n = 0; n < machines; n += 1) await haveServer(db, `machine-${String(n)}`)
  const threads = Array.from({ length: Math.min(machines, mostThreads) }, (_, n, of = Math.min(machines, mostThreads)) => {
    const from = Math.floor((machines * n) / of)
    const workerData: FleetPart = { url: postgres.url, from, to: Math.floor((machines * (n + 1)) / of), captureMs, leaseSeconds }
    return new Worker(new URL('fleet-machines.ts', import.meta.url), { workerData })
  })
  const tell = async (word: FleetWord): Promise<FleetReport[]> =>
    await Promise.all(
      threads.map(async (thread) => {
        const answer = once(thread, 'message') as Promise<[FleetReport]>
        thread.postMessage(word, [])
        return (await answer)[0]
      }),
    )
  // They begin, and are as they are when nobody asks for anything.
  await tell('begin')
  await wait(5_000)
  const idleFrom = [await treeSeconds(postmaster), performance.now()] as const
  await wait((seconds * 1000) / 4)
  const idle = ((await treeSeconds(postmaster)) - idleFrom[0]) / ((performance.now() - idleFrom[1]) / 1000)
  await tell('begin')
  const everyMs = captureMs / (machines * busy)
  const before = await treeSeconds(postmaster)
  const began = performance.now()
  let asks = 0
  while (performance.now() - began < seconds * 1000) {
    if (asks * everyMs > performance.now() - began) {
      await wait(Math.min(50, asks * everyMs - (performance.now() - began)))
      continue
    }
    asks += 1
    await insertEvidence(db, {
      id: randomUUIDv7(),
      tokenHash: randomBytes(32),
      action: 'static',
      requestedUrl: `https://site${String(asks % 5_000)}.example/`,
      locale: 'en',
      now: new Date(),
    })
  }
  const took = (performance.now() - began) / 1000
  const spent = (await treeSeconds(postmaster)) - before
  const told = await tell('report')
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
  const sorted = told.flatMap(({ waits }) => waits).toSorted((a, b) => a - b)
  const at = (share: number) => ((sorted[Math.floor(sorted.length * share)] ?? Number.NaN) / 1000).toFixed(2)
  say(
    tableRow([
      machines,
      ((asks * 60) / took).toFixed(0),
      `${String(sorted.length)} of ${String(asks)}`,
      `${at(0.5)} (${at(0.95)})`,
      (sum(told.map(({ statements }) => statements)) / took).toFixed(0),
      idle.toFixed(2),
      (spent / took).toFixed(2),
      (((spent - idle * took) * 1000) / asks).toFixed(0),
      sum(told.map(({ errors }) => errors)),
      loadavg()[0]?.toFixed(1) ?? '',
    ]),
  )
  await tell('end')
  await endWhatWaits()
  await sql`delete from capture_process`.execute(db)
}

/** The first page of the account that is measured, and a claim, with so many reports there. */
async function lookAtReports(whose: Db): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < 21; round += 1) {
    const began = performance.now()
    await findPage(whose, pageOfAda())
    if (round > 0) times.push(performance.now() - began)
  }
  say(
    `first page of an account: ${median(times).toFixed(2)} ms (${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)}, 20 rounds)`,
  )
}

try {
  const { rows } = await sql<{ reports: number; bytes: string }>`
    select count(*)::integer as reports, pg_size_pretty(pg_total_relation_size('evidence')) as bytes from evidence`.execute(db)
  say(`${String(rows[0]?.reports)} reports, ${rows[0]?.bytes ?? ''} with indexes`)
  await lookAtReports(db)
  say(
    tableHead([
      'Machines',
      'asked a minute',
      'taken',
      'waited, median (95 %), s',
      'statements a second',
      'processors of the database, nothing asked',
      '… asked',
      'ms of it for each one asked',
      'errors',
      'load',
    ]),
  )
  for (const machines of sizes) await runFleet(machines)
} finally {
  await db.destroy()
  await postgres.stop()
  if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
}
