import type { FileHashes, HashFailureReason } from './hash-blob.ts'
import type { HashAnswer, HashRequest } from './hash.worker.ts'

export type HashOutcome =
  | ({ readonly ok: true } & FileHashes)
  | { readonly ok: false; readonly reason: HashFailureReason | 'cancelled' }

export type HashJob = {
  readonly outcome: Promise<HashOutcome>
  readonly pause: () => void
  readonly resume: () => void
  readonly cancel: () => void
}

/** What a pool needs of a worker. */
export type HashWorker = {
  postMessage(request: HashRequest): void
  addEventListener(type: 'message', listener: (event: { data: HashAnswer }) => void): void
  addEventListener(type: 'error', listener: () => void): void
  terminate(): void
}

export type HashPool = {
  /** At once, if need be behind others: whoever wants an order submits one after the other. */
  readonly hash: (file: Blob, onProgress: (done: number) => void) => HashJob
  readonly end: () => void
}

/** Small files are mostly waited for: several go side by side in one worker. */
const smallBytes = 1024 * 1024
const smallAtOnce = 8

/** Beside so many others a file would wait: whoever has many of them gives no more. */
export const worthBeginning = (size: number): number => (size <= smallBytes ? 2 * smallAtOnce : 2)

type Running = {
  readonly size: number
  /** Keeps no seat from others. */
  paused: boolean
  readonly on: { progress: (done: number) => void; settle: (outcome: HashOutcome) => void }
}
type Seat = { worker: HashWorker; running: Map<number, Running> }
type Waiting = Running & { readonly id: number; readonly file: Blob }

/**
 * Hashes files in workers, two at most, so that the machine stays usable. They are started at once: what was loaded once hashes
 * without a network.
 * @param most bytes of files held in memory at one time, over all workers; what does not fit is hashed in slices
 */
export function makeHashPool(start: () => HashWorker, most: number, workers = 2): HashPool {
  const seats: Seat[] = []
  const waiting: Waiting[] = []
  const held = new Map<number, number>()
  let last = 0
  const heldBytes = () => [...held.values()].reduce((sum, each) => sum + each, 0)

  const takeSeat = (): Seat => {
    const seat: Seat = { worker: start(), running: new Map() }
    seat.worker.addEventListener('message', ({ data }) => hear(seat, data))
    // One that could not be loaded, or that ran out of memory: what it had in hand failed, and another takes its place.
    seat.worker.addEventListener('error', () => {
      seat.worker.terminate()
      const lost = [...seat.running]
      seat.running.clear()
      for (const [id, { on }] of lost) {
        held.delete(id)
        on.settle({ ok: false, reason: 'no_hashes' })
      }
      const at = seats.indexOf(seat)
      if (at >= 0) seats.splice(at, 1)
      next()
    })
    seats.push(seat)
    return seat
  }
  const hear = (seat: Seat, answer: HashAnswer): void => {
    const running = seat.running.get(answer.id)
    if (running === undefined) return
    if (answer.kind === 'progress') {
      running.on.progress(answer.done)
      return
    }
    seat.running.delete(answer.id)
    held.delete(answer.id)
    running.on.settle(
      answer.kind === 'hashed'
        ? { ok: true, sha256: answer.sha256, sha512: answer.sha512 }
        : { ok: false, reason: answer.reason },
    )
    next()
  }
  const busy = ({ running }: Seat): readonly Running[] => [...running.values()].filter(({ paused }) => !paused)
  const fits = (seat: Seat, size: number): boolean => {
    const now = busy(seat)
    return now.length === 0 || (size <= smallBytes && now.length < smallAtOnce && now.every((each) => each.size <= smallBytes))
  }
  /** The one with the least to do. */
  const seatFor = (size: number): Seat | undefined => {
    if (seats.length < workers) return seats.find((seat) => busy(seat).length === 0) ?? takeSeat()
    return seats.filter((seat) => fits(seat, size)).sort((a, b) => busy(a).length - busy(b).length)[0]
  }
  const next = (): void => {
    for (;;) {
      const at = waiting.findIndex(({ paused }) => !paused)
      const job = waiting[at]
      if (job === undefined) return
      const seat = seatFor(job.size)
      if (seat === undefined) return
      waiting.splice(at, 1)
      const hold = heldBytes() + job.size <= most
      if (hold) held.set(job.id, job.size)
      seat.running.set(job.id, { size: job.size, paused: false, on: job.on })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      seat.worker.postMessage({ kind: 'hash', id: job.id, file: job.file, held: hold })
    }
  }
  const tell = (id: number, kind: 'pause' | 'resume' | 'cancel'): void => {
    for (const job of waiting) if (job.id === id) job.paused = kind === 'pause'
    for (const { running, worker } of seats) {
      const job = running.get(id)
      if (job === undefined) continue
      job.paused = kind === 'pause'
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage({ kind, id })
    }
    next()
  }
  while (seats.length < workers) takeSeat()
  return {
    hash: (file, onProgress) => {
      const id = (last += 1)
      const { promise, resolve } = Promise.withResolvers<HashOutcome>()
      waiting.push({ id, file, size: file.size, paused: false, on: { progress: onProgress, settle: resolve } })
      next()
      return {
        outcome: promise,
        pause: () => tell(id, 'pause'),
        resume: () => tell(id, 'resume'),
        cancel: () => {
          const at = waiting.findIndex((each) => each.id === id)
          if (at >= 0) {
            waiting.splice(at, 1)
            resolve({ ok: false, reason: 'cancelled' })
          } else tell(id, 'cancel')
        },
      }
    },
    end: () => {
      for (const { worker, running } of seats) {
        worker.terminate()
        for (const { on } of running.values()) on.settle({ ok: false, reason: 'cancelled' })
      }
      for (const { on } of waiting.splice(0)) on.settle({ ok: false, reason: 'cancelled' })
      seats.length = 0
    },
  }
}
