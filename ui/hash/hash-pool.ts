import { hashNames, type FileHashes, type HashName } from './hash-blob.ts'
import type { HashFailureReason } from './hash-failure.ts'
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
  /**
   * At once, if need be behind others: whoever wants an order submits one after the other.
   * @param options.alone no other large file waits for it: both workers may have it; so it is, unless said
   * @param options.size its length, where that is known: of a file that was chosen a browser may ask the disk each time
   */
  readonly hash: (
    file: Blob,
    onProgress: (done: number) => void,
    options?: { readonly alone?: boolean; readonly size?: number },
  ) => HashJob
  readonly end: () => void
}

/** Small files are mostly waited for: several go side by side in one worker, if need be between the pieces of a large one. */
const smallBytes = 1024 * 1024
const smallAtOnce = 8
export const isLarge = (size: number): boolean => size > smallBytes

/** Beside so many others a file would wait: whoever has many of them gives no more. */
export const worthBeginning = (size: number): number => (isLarge(size) ? 2 : 2 * smallAtOnce)

/** What a worker has of a job. */
type Part = { readonly seat: Seat; done: number; over: boolean }
type Job = {
  readonly id: number
  readonly file: Blob
  readonly size: number
  readonly alone: boolean
  /** Keeps no seat from others. */
  paused: boolean
  readonly parts: Part[]
  hashes: Partial<FileHashes>
  readonly onProgress: (done: number) => void
  readonly settle: (outcome: HashOutcome) => void
}
type Seat = { readonly worker: HashWorker; readonly running: Map<number, Job> }

/**
 * Hashes files in workers, two at most, so that the machine stays usable. They are started at once: what was loaded once hashes
 * without a network. A large file that is alone goes to both, one fingerprint each.
 * @param most bytes of files held in memory at one time, over all workers; what does not fit is hashed in pieces
 */
export function makeHashPool(start: () => HashWorker, most: number, workers = 2): HashPool {
  const seats: Seat[] = []
  const waiting: Job[] = []
  const held = new Map<number, number>()
  let last = 0
  const heldBytes = () => [...held.values()].reduce((sum, each) => sum + each, 0)

  const takeSeat = (): Seat => {
    const seat: Seat = { worker: start(), running: new Map() }
    seat.worker.addEventListener('message', ({ data }) => hear(seat, data))
    // One that could not be loaded, or that ran out of memory: what it had in hand failed, and another takes its place.
    seat.worker.addEventListener('error', () => {
      seat.worker.terminate()
      const at = seats.indexOf(seat)
      if (at >= 0) seats.splice(at, 1)
      for (const job of seat.running.values()) leave(job, seat, 'no_hashes')
      next()
    })
    seats.push(seat)
    return seat
  }
  const hear = (seat: Seat, answer: HashAnswer): void => {
    const job = seat.running.get(answer.id)
    const part = job?.parts.find((each) => each.seat === seat)
    if (job === undefined || part === undefined) return
    if (answer.kind === 'progress') {
      part.done = answer.done
      // Of two fingerprints, what both have read.
      job.onProgress(Math.min(...job.parts.map(({ done }) => done)))
      return
    }
    if (answer.kind === 'hashed') {
      part.done = job.size
      job.hashes = { ...job.hashes, ...answer.hashes }
      leave(job, seat, null)
    } else leave(job, seat, answer.reason)
    next()
  }
  /** A worker is done with its part. Where one fails the other need not go on. */
  const leave = (job: Job, seat: Seat, failed: (HashOutcome & { ok: false })['reason'] | null): void => {
    seat.running.delete(job.id)
    for (const part of job.parts) if (part.seat === seat) part.over = true
    const left = job.parts.filter(({ over }) => !over)
    if (left.length === 0) held.delete(job.id)
    if (failed !== null) {
      job.settle({ ok: false, reason: failed })
      for (const part of left) post(part.seat, { kind: 'cancel', id: job.id })
    } else if (left.length === 0) {
      const { sha256, sha512 } = job.hashes
      job.settle(sha256 === undefined || sha512 === undefined ? { ok: false, reason: 'no_hashes' } : { ok: true, sha256, sha512 })
    }
  }
  const post = (seat: Seat, request: HashRequest): void => {
    // A worker has no origin to name; the rule is about windows.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    seat.worker.postMessage(request)
  }
  const busy = ({ running }: Seat): readonly Job[] => [...running.values()].filter(({ paused }) => !paused)
  const load = (seat: Seat): number => busy(seat).reduce((sum, { size }) => sum + (isLarge(size) ? smallAtOnce : 1), 0)
  const fits = (seat: Seat, size: number): boolean =>
    isLarge(size) ? load(seat) === 0 : busy(seat).filter((job) => !isLarge(job.size)).length < smallAtOnce
  /** The one with the least to do. */
  const seatFor = (size: number): Seat | undefined => {
    if (seats.length < workers) return seats.find((seat) => load(seat) === 0) ?? takeSeat()
    return seats.filter((seat) => fits(seat, size)).sort((a, b) => load(a) - load(b))[0]
  }
  const give = (job: Job, seat: Seat, names: readonly HashName[]): void => {
    job.parts.push({ seat, done: 0, over: false })
    seat.running.set(job.id, job)
    post(seat, { kind: 'hash', id: job.id, file: job.file, names, held: held.has(job.id) })
  }
  const next = (): void => {
    for (;;) {
      const at = waiting.findIndex(({ paused }) => !paused)
      const job = waiting[at]
      if (job === undefined) return
      const { size } = job
      const seat = seatFor(size)
      if (seat === undefined) return
      waiting.splice(at, 1)
      if (heldBytes() + size <= most) held.set(job.id, size)
      const other = job.alone && isLarge(size) ? seats.find((each) => each !== seat && load(each) === 0) : undefined
      if (other === undefined) give(job, seat, hashNames)
      else {
        give(job, seat, ['sha256'])
        give(job, other, ['sha512'])
      }
    }
  }
  const tell = (job: Job, kind: 'pause' | 'resume' | 'cancel'): void => {
    job.paused = kind === 'pause'
    for (const { seat, over } of job.parts) if (!over) post(seat, { kind, id: job.id })
    next()
  }
  while (seats.length < workers) takeSeat()
  return {
    hash: (file, onProgress, { alone = true, size = file.size } = {}) => {
      const { promise, resolve } = Promise.withResolvers<HashOutcome>()
      const id = (last += 1)
      const job: Job = { id, file, size, alone, paused: false, parts: [], hashes: {}, onProgress, settle: resolve }
      waiting.push(job)
      next()
      return {
        outcome: promise,
        pause: () => tell(job, 'pause'),
        resume: () => tell(job, 'resume'),
        cancel: () => {
          const at = waiting.indexOf(job)
          if (at >= 0) {
            waiting.splice(at, 1)
            resolve({ ok: false, reason: 'cancelled' })
          } else tell(job, 'cancel')
        },
      }
    },
    end: () => {
      for (const { worker, running } of seats) {
        worker.terminate()
        for (const { settle } of running.values()) settle({ ok: false, reason: 'cancelled' })
      }
      for (const { settle } of waiting.splice(0)) settle({ ok: false, reason: 'cancelled' })
      seats.length = 0
    },
  }
}
