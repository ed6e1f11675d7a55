/**
 * A fleet of capture machines on one database, simulated: each machine says what a capture process says to PostgreSQL, by the program's own statements and at
 * its own pace, and the page that it would capture is a wait. Prints what the database spends on it, and how long what is asked for waits. Beside it, reports
 * in numbers. Run: `node bench/fleet.ts [reports] [machines,…] [seconds] [folder]`; the folder keeps the reports for the next run.
 */
import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { beat, recordPreflight } from '../modules/capture/server/servers/servers-store.ts'
import { createLookout } from '../modules/evidence/server/capture/lookout.ts'
import { evidenceChannel } from '../modules/evidence/server/record/evidence-changes.ts'
import { findPage } from '../modules/evidence/server/list/find-page.ts'
import {
  claimNext,
  closeCapture,
  countTakers,
  findWaiting,
  recordProgress,
  releaseExpiredLeases,
  renewLease,
} from '../modules/evidence/server/queue/lease-store.ts'
import { insertEvidence } from '../modules/evidence/server/record/store.ts'
import { sampleFacts } from '../modules/evidence/server/sample-facts.test-data.ts'
import { claimVantage } from '../modules/evidence/server/vantage/vantage-store.ts'
import { openDatabase, type Db } from '../platform/db/database.ts'
import { startEmbeddedPostgres } from '../platform/db/embedded-postgres.ts'
import { listen } from '../platform/db/listen.ts'
import { migrate } from '../platform/db/migrate.ts'
import { silentLog } from '../platform/log/log.ts'
import { haveServer } from '../testing/capture-server.ts'
import { fillEvidences } from './fill-evidences.ts'
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
const db = openDatabase(postgres.url, { max: 60, log: silentLog })
const postmaster = Number(readFileSync(join(dataDir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0])

/** How often a capture tells how far it is. */
const steps = 8
const asked = new Map<string, number>()
let [waits, done, errors, statements]: [number[], number, number, number] = [[], 0, 0, 0]
const counted = async <T>(statement: Promise<T>): Promise<T> => {
  statements += 1
  return await statement
}

const listenHere = async (hear: (payload: string) => void, look: () => void) =>
  await listen(postgres.url, evidenceChannel, hear, { onReconnect: look })

/** As capture-loop.ts and start-server.ts do it, at one capture a time. */
async function simulateMachine(id: string, signal: AbortSignal): Promise<void> {
  const claimer = { owner: `process of ${id}`, server: { id, kind: 'public' as const } }
  let running = 0
  const captures: Promise<void>[] = []
  const lookout = createLookout(async (hear) => await listenHere(hear, () => lookout.look()))
  signal.addEventListener('abort', () => lookout.look())
  const failed = () => (errors += 1)
  const every = (ms: number, run: () => Promise<unknown>) => setInterval(() => void counted(run()).catch(failed), ms)
  const beats = every(leaseSeconds * 250, async () => await beat(db, claimer.owner, leaseSeconds))
  const looksAtItself = every(60_000, async () => await recordPreflight(db, id, preflight))
  async function capture(evidence: { readonly id: string; readonly fence: number }): Promise<void> {
    const renewing = every((leaseSeconds * 1000) / 3, async () => await renewLease(db, evidence.id, evidence.fence, leaseSeconds))
    for (let step = 0; step < steps; step += 1) {
      await counted(recordProgress(db, evidence.id, evidence.fence, { phase: 'capturing', step: 'load' }))
      await wait(captureMs / steps)
    }
    clearInterval(renewing)
    const isOurs = await db
      .transaction()
      .execute(
        async (tx) => await counted(closeCapture(tx, evidence.id, evidence.fence, { status: 'completing', facts: sampleFacts })),
      )
    if (isOurs) done += 1
    else errors += 1
  }
  async function take(): Promise<void> {
    while (!signal.aborted) {
      const waiting = await counted(findWaiting(db, claimer))
      const second = waiting.second && running <= 1 ? await counted(claimVantage(db, claimer, leaseSeconds)) : null
      if (second !== null) throw new Error('nobody asked for a second vantage')
      const evidence = waiting.static && running < 1 ? await counted(claimNext(db, claimer, leaseSeconds)) : null
      if (evidence === null) return
      waits.push(performance.now() - (asked.get(evidence.id) ?? Number.NaN))
      running += 1
      captures.push(
        capture(evidence)
          .catch(() => void failed())
          .finally(() => {
            running -= 1
            lookout.look()
          }),
      )
    }
  }
  // Machines are started by hand, not all of them in the same instant.
  await wait(2_000 * Math.random())
  while (!signal.aborted) {
    lookout.begin()
    try {
      if (lookout.isCareDue()) {
        await lookout.countIn(await counted(countTakers(db)))
        await counted(releaseExpiredLeases(db, 3))
      }
      await take()
    } catch (error) {
      failed()
      if (errors === 1) console.error(error)
    }
    await lookout.wait()
  }
  await lookout.deafen()
  await Promise.all(captures)
  clearInterval(beats)
  clearInterval(looksAtItself)
}

const preflight = {
  matched: true,
  manifestSha256: null,
  imageDigest: '0'.repeat(64),
  browser: null,
  publicAddress: null,
  network: null,
}

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
  ;[waits, done, errors, statements] = [[], 0, 0, 0]
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)
  const all = Array.from({ length: machines }, async (_, n) => await simulateMachine(`machine-${String(n)}`, ending.signal))
  // They begin, and are as they are when nobody asks for anything.
  await wait(5_000)
  const idleFrom = [await treeSeconds(postmaster), performance.now()] as const
  await wait((seconds * 1000) / 4)
  const idle = ((await treeSeconds(postmaster)) - idleFrom[0]) / ((performance.now() - idleFrom[1]) / 1000)
  statements = 0
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
    const id = randomUUIDv7()
    asked.set(id, performance.now())
    await insertEvidence(db, {
      id,
      tokenHash: randomBytes(32),
      action: 'static',
      requestedUrl: `https://site${String(asks % 5_000)}.example/`,
      locale: 'en',
      now: new Date(),
    })
  }
  const took = (performance.now() - began) / 1000
  const spent = (await treeSeconds(postmaster)) - before
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number) => ((sorted[Math.floor(sorted.length * share)] ?? Number.NaN) / 1000).toFixed(2)
  say(
    tableRow([
      machines,
      ((asks * 60) / took).toFixed(0),
      `${String(waits.length)} of ${String(asks)}`,
      `${at(0.5)} (${at(0.95)})`,
      (statements / took).toFixed(0),
      idle.toFixed(2),
      (spent / took).toFixed(2),
      (((spent - idle * took) * 1000) / asks).toFixed(0),
      errors,
      loadavg()[0]?.toFixed(1) ?? '',
    ]),
  )
  ending.abort()
  await Promise.all(all)
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
