/** What the whole installation stands at, read where it is kept whenever somebody asks. Every web process tells the same: `max`, not `sum`. */
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../../kernel/clock.ts'
import { listServerStates } from '../../../modules/capture/server/index.ts'
import { readCaptureQueue } from '../../../modules/evidence/server/index.ts'
import { readLogGrowth } from '../../../modules/sealing/server/index.ts'
import type { BlobStore } from '../../../platform/blobs/blob-store.ts'
import type { Db } from '../../../platform/db/database.ts'
import { readQueue } from '../../../platform/jobs/queue-store.ts'
import type { ReadInTime } from './read-in-time.ts'

const states = ['starting', 'ready', 'set_aside', 'drained', 'stopped', 'lost'] as const

/** @returns what is called before each scrape */
export function tellFacts(
  registry: Registry,
  deps: { readonly db: Db; readonly blobs: BlobStore; readonly clock: Clock; readonly readInTime: ReadInTime },
): () => Promise<void> {
  const { db, clock, readInTime } = deps
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge<Label>({ name: `probant_${name}`, help, labelNames, registers: [registry] })
  const ageOf = (at: Date) => Math.max(0, (clock.now().getTime() - at.getTime()) / 1000)

  const jobs = gauge('jobs', 'Background jobs in the queue by state: waiting (due), later, running, given_up.', ['job', 'state'])
  const oldestJob = gauge('jobs_oldest_age_seconds', 'How long the longest of the background jobs that are due waits.', ['job'])
  const captures = gauge('captures', 'Captures in the queue by state: waiting, under_way.', ['kind', 'state'])
  const oldestCapture = gauge('captures_oldest_age_seconds', 'How long the longest of the waiting captures waits.', ['kind'])
  const servers = gauge('capture_servers', 'Capture servers by state.', ['state'])
  const entries = gauge('log_entries', 'Entries of the public log.')
  const headAge = gauge('log_head_age_seconds', 'Time since the newest head of the public log was signed.')
  const anchors = gauge('anchors_waiting', 'Heads of the public log on their way into a Bitcoin block.')
  const oldestAnchor = gauge('anchors_oldest_age_seconds', 'How long the longest of the waiting anchors waits.')
  const room = gauge('blob_free_bytes', 'Room where blobs are kept, where the store can tell.')

  const readings: Readonly<Record<string, () => Promise<void>>> = {
    async jobs() {
      const queue = await readQueue(db)
      jobs.reset()
      oldestJob.reset()
      for (const { job, waiting, later, running, givenUp, oldestSeconds } of queue) {
        const counts = { waiting, later, running, given_up: givenUp }
        for (const [state, count] of Object.entries(counts)) jobs.set({ job, state }, count)
        oldestJob.set({ job }, oldestSeconds ?? 0)
      }
    },
    async captures() {
      for (const { action: kind, waiting, underWay, oldestSeconds } of await readCaptureQueue(db)) {
        captures.set({ kind, state: 'waiting' }, waiting)
        captures.set({ kind, state: 'under_way' }, underWay)
        oldestCapture.set({ kind }, oldestSeconds ?? 0)
      }
    },
    async servers() {
      const known = await listServerStates(db)
      for (const state of states) servers.set({ state }, known.filter(({ status }) => status === state).length)
    },
    async log() {
      const growth = await readLogGrowth(db)
      entries.set(growth.entries)
      if (growth.headAt === null) headAge.remove()
      else headAge.set(ageOf(growth.headAt))
      anchors.set(growth.anchors.waiting)
      oldestAnchor.set(growth.anchors.oldestAt === null ? 0 : ageOf(growth.anchors.oldestAt))
    },
    async room() {
      const free = await deps.blobs.room()
      if (free === null) room.remove()
      else room.set(free)
    },
  }
  return async () => {
    await Promise.all(Object.entries(readings).map(async ([fact, read]) => await readInTime(fact, read)))
  }
}
