/** A part of the fleet that `fleet.ts` simulates, in a thread of its own. */
import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { beat, recordPreflight } from '../modules/capture/server/servers/servers-store.ts'
import { createLookout } from '../modules/evidence/server/capture/lookout.ts'
import {
  claimNext,
  closeCapture,
  countTakers,
  findWaiting,
  recordProgress,
  releaseExpiredLeases,
  renewLease,
} from '../modules/evidence/server/queue/lease-store.ts'
import { evidenceChannel } from '../modules/evidence/server/record/evidence-changes.ts'
import { sampleFacts } from '../modules/evidence/server/sample-facts.test-data.ts'
import { claimVantage } from '../modules/evidence/server/vantage/vantage-store.ts'
import { openDatabase } from '../platform/db/database.ts'
import { listen } from '../platform/db/listen.ts'
import { silentLog } from '../platform/log/log.ts'

export type FleetPart = {
  readonly url: string
  readonly from: number
  readonly to: number
  readonly captureMs: number
  readonly leaseSeconds: number
}
/** `begin`: counts anew; `end`: ends, and answers when it has. Each is answered with what was counted. */
export type FleetWord = 'begin' | 'report' | 'end'
export type FleetReport = { readonly waits: readonly number[]; readonly statements: number; readonly errors: number }

const part = workerData as FleetPart
const db = openDatabase(part.url, { max: 15, log: silentLog })

/** How often a capture tells how far it is. */
const steps = 8
let [waits, errors, statements]: [number[], number, number] = [[], 0, 0]
const counted = async <T>(statement: Promise<T>): Promise<T> => {
  statements += 1
  return await statement
}

const preflight = {
  matched: true,
  manifestSha256: null,
  imageDigest: '0'.repeat(64),
  browser: null,
  publicAddress: null,
  network: null,
}

const listenHere = async (hear: (payload: string) => void, look: () => void) =>
  await listen(part.url, evidenceChannel, hear, { onReconnect: look })

/** As capture-loop.ts and start-server.ts do it, at one capture a time. */
async function simulateMachine(id: string, signal: AbortSignal): Promise<void> {
  const claimer = { owner: `process of ${id}`, server: { id, kind: 'public' as const } }
  let running = 0
  const captures: Promise<void>[] = []
  const lookout = createLookout(async (hear) => await listenHere(hear, () => lookout.look()))
  signal.addEventListener('abort', () => lookout.look())
  const failed = (error?: unknown) => {
    errors += 1
    if (errors === 1) console.error(error)
  }
  const every = (ms: number, run: () => Promise<unknown>) => setInterval(() => void counted(run()).catch(failed), ms)
  const beats = every(part.leaseSeconds * 250, async () => await beat(db, claimer.owner, part.leaseSeconds))
  const looksAtItself = every(60_000, async () => await recordPreflight(db, id, preflight))
  async function capture(evidence: { readonly id: string; readonly fence: number }): Promise<void> {
    const renewing = every(
      (part.leaseSeconds * 1000) / 3,
      async () => await renewLease(db, evidence.id, evidence.fence, part.leaseSeconds),
    )
    for (let step = 0; step < steps; step += 1) {
      await counted(recordProgress(db, evidence.id, evidence.fence, { phase: 'capturing', step: 'load' }))
      await wait(part.captureMs / steps)
    }
    clearInterval(renewing)
    const isOurs = await db
      .transaction()
      .execute(
        async (tx) => await counted(closeCapture(tx, evidence.id, evidence.fence, { status: 'completing', facts: sampleFacts })),
      )
    if (!isOurs) failed()
  }
  async function take(): Promise<void> {
    while (!signal.aborted) {
      const waiting = await counted(findWaiting(db, claimer))
      const second = waiting.second && running <= 1 ? await counted(claimVantage(db, claimer, part.leaseSeconds)) : null
      if (second !== null) throw new Error('nobody asked for a second vantage')
      const evidence = waiting.static && running < 1 ? await counted(claimNext(db, claimer, part.leaseSeconds)) : null
      if (evidence === null) return
      waits.push(Date.now() - evidence.createdAt.getTime())
      running += 1
      captures.push(
        capture(evidence)
          .catch(failed)
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
      failed(error)
    }
    await lookout.wait()
  }
  await lookout.deafen()
  await Promise.all(captures)
  clearInterval(beats)
  clearInterval(looksAtItself)
}

const ending = new AbortController()
setMaxListeners(0, ending.signal)
const all = Array.from(
  { length: part.to - part.from },
  async (_, n) => await simulateMachine(`machine-${String(part.from + n)}`, ending.signal),
)
parentPort?.on('message', (word: FleetWord) => {
  void (async () => {
    if (word === 'begin') [waits, errors, statements] = [[], 0, 0]
    if (word === 'end') {
      ending.abort()
      await Promise.all(all)
      await db.destroy()
    }
    parentPort?.postMessage({ waits, errors, statements } satisfies FleetReport, [])
    if (word === 'end') parentPort?.close()
  })()
})
