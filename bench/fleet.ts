/**
 * A fleet of capture machines on one database, simulated: each machine says what a capture process says to PostgreSQL, by the program's own statements and at
 * its own pace, and the page that it would capture is a wait. Prints what the database spends on it, and how long what is asked for waits. Beside it, reports
 * in numbers. Run: `node bench/fleet.ts [reports] [machines,…] [seconds]`.
 */
import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { beat } from '../modules/capture/server/servers/servers-store.ts'
import { evidenceChannel, workPayload } from '../modules/evidence/server/record/evidence-changes.ts'
import { findPage } from '../modules/evidence/server/list/find-page.ts'
import {
  claimNext,
  closeCapture,
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
import { ada, fillEvidences } from './fill-evidences.ts'
import { median, treeSeconds } from './measure.ts'

const reports = Number(process.argv[2] ?? 10_000_000)
const sizes = (process.argv[3] ?? '1,10,100,1000').split(',').map(Number)
const seconds = Number(process.argv[4] ?? 40)
/** What a capture takes, of which most is waited for. */
const captureMs = 20_000
const leaseSeconds = 20
const pollMs = 2_000
/** Of what the machines could take. */
const busy = 0.5
const dataDir = mkdtempSync(join(tmpdir(), 'probant-fleet-'))
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings: { shared_buffers: '1GB' } })
const db = openDatabase(postgres.url, { max: 60, log: silentLog })
const say = (text: string) => void process.stdout.write(`${text}\n`)
const postmaster = Number(readFileSync(join(dataDir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0])

/** How often a capture tells how far it is. */
const steps = 8
const asked = new Map<string, number>()
let [waits, done, errors, statements]: [number[], number, number, number] = [[], 0, 0, 0]
const counted = async <T>(statement: Promise<T>): Promise<T> => {
  statements += 1
  return await statement
}

/** As capture-loop.ts and start-server.ts do it, at one capture a time. */
async function simulateMachine(id: string, signal: AbortSignal, wakes: Set<() => void>): Promise<void> {
  const claimer = { owner: `process of ${id}`, server: { id, kind: 'public' as const } }
  let running = 0
  const captures: Promise<void>[] = []
  let wake = Promise.withResolvers<void>()
  const woken = () => wake.resolve()
  wakes.add(woken)
  const heartbeat = setInterval(
    () => void counted(beat(db, claimer.owner, leaseSeconds)).catch(() => (errors += 1)),
    leaseSeconds * 250,
  )
  async function capture(evidence: { readonly id: string; readonly fence: number }): Promise<void> {
    const renewing = setInterval(
      () => void counted(renewLease(db, evidence.id, evidence.fence, leaseSeconds)).catch(() => (errors += 1)),
      (leaseSeconds * 1000) / 3,
    )
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
  while (!signal.aborted) {
    wake = Promise.withResolvers()
    try {
      await counted(releaseExpiredLeases(db, 3))
      const second = running > 1 ? null : await counted(claimVantage(db, claimer, leaseSeconds))
      if (second !== null) throw new Error('nobody asked for a second vantage')
      const evidence = running >= 1 ? null : await counted(claimNext(db, claimer, leaseSeconds))
      if (evidence !== null) {
        waits.push(performance.now() - (asked.get(evidence.id) ?? Number.NaN))
        running += 1
        captures.push(
          capture(evidence)
            .catch(() => void (errors += 1))
            .finally(() => {
              running -= 1
              wake.resolve()
            }),
        )
        continue
      }
    } catch (error) {
      errors += 1
      if (errors === 1) console.error(error)
    }
    const timer = setTimeout(woken, pollMs)
    await wake.promise
    clearTimeout(timer)
  }
  await Promise.all(captures)
  clearInterval(heartbeat)
  wakes.delete(woken)
}

async function runFleet(machines: number): Promise<void> {
  await sql`delete from capture_server_event`.execute(db)
  for (let n = 0; n < machines; n += 1) await haveServer(db, `machine-${String(n)}`)
  ;[waits, done, errors, statements] = [[], 0, 0, 0]
  const wakes = new Set<() => void>()
  const listener = await listen(postgres.url, evidenceChannel, (payload) => {
    if (payload === workPayload) for (const woken of wakes) woken()
  })
  const ending = new AbortController()
  const all = Array.from(
    { length: machines },
    async (_, n) => await simulateMachine(`machine-${String(n)}`, ending.signal, wakes),
  )
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
    `| ${machines} | ${((asks * 60) / took).toFixed(0)} | ${waits.length} of ${asks} | ${at(0.5)} (${at(0.95)}) | ${(statements / took).toFixed(0)} | ${(spent / took).toFixed(2)} | ${errors} | ${loadavg()[0]?.toFixed(1) ?? ''} |`,
  )
  ending.abort()
  for (const woken of wakes) woken()
  await Promise.all(all)
  await listener.close()
  await sql`update evidence set status = 'failed', failure = '{"code":"internal","data":{}}', expires_at = now(), lease_owner = null, lease_until = null where status in ('queued', 'preparing', 'capturing')`.execute(
    db,
  )
  await sql`delete from capture_process`.execute(db)
}

/** The first page of the account that is measured, and a claim, with so many reports there. */
async function lookAtReports(whose: Db): Promise<void> {
  const actor = {
    userId: ada,
    accountId: ada,
    delegation: null,
    sessionId: ada,
    roles: new Set<never>(),
    secondFactor: false,
    locale: 'en',
  } as const
  const nothing = { category: null, search: null, action: null, createdAfter: null, createdBefore: null, createdBy: null }
  const times: number[] = []
  for (let round = 0; round < 21; round += 1) {
    const began = performance.now()
    await findPage(whose, {
      caller: { actor },
      scope: { kind: 'account', accountId: ada, standing: null, group: null },
      filter: nothing,
      ordering: { column: 'created_at', direction: 'desc' },
      limit: 20,
      offset: 0,
    })
    if (round > 0) times.push(performance.now() - began)
  }
  say(
    `first page of an account: ${median(times).toFixed(2)} ms (${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)}, 20 rounds)`,
  )
}

try {
  await migrate(postgres.url)
  const began = performance.now()
  await fillEvidences(db, reports, 'spread')
  const { rows } = await sql<{ bytes: string }>`select pg_size_pretty(pg_total_relation_size('evidence')) as bytes`.execute(db)
  say(`${String(reports)} reports in ${((performance.now() - began) / 1000).toFixed(0)} s, ${rows[0]?.bytes ?? ''} with indexes`)
  await lookAtReports(db)
  say(
    '| Machines | asked a minute | taken | waited, median (95 %), s | statements a second | processors of the database | errors | load |',
  )
  say('| --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const machines of sizes) await runFleet(machines)
} finally {
  await db.destroy()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
