import { expect, test } from 'vitest'
import { makeHashPool, type HashWorker } from './hash-pool.ts'
import type { HashAnswer, HashRequest } from './hash.worker.ts'

/** A worker that does as it is told by the test. */
function makeWorkers() {
  const all: { asked: HashRequest[]; answer: (answer: HashAnswer) => void; fail: () => void; ended: boolean }[] = []
  const start = (): HashWorker => {
    const listeners = { message: [] as ((event: { data: HashAnswer }) => void)[], error: [] as (() => void)[] }
    const worker = {
      asked: [] as HashRequest[],
      ended: false,
      answer: (data: HashAnswer) => listeners.message.forEach((listener) => listener({ data })),
      fail: () => listeners.error.forEach((listener) => listener()),
    }
    all.push(worker)
    return {
      postMessage: (request) => worker.asked.push(request),
      addEventListener: (type: 'message' | 'error', listener: never) => listeners[type].push(listener),
      terminate: () => {
        worker.ended = true
      },
    }
  }
  return { all, start }
}
const file = (size: number) => ({ size }) as Blob
const MiB = 1024 * 1024
const none = () => undefined
const hashed = (id: number): HashAnswer => ({ kind: 'hashed', id, hashes: { sha256: `a${id}`, sha512: `b${id}` } })
const ids = (asked: readonly HashRequest[]) => asked.filter(({ kind }) => kind === 'hash').map(({ id }) => id)

test('large files have a worker each, two at most; the next one begins when one is done', async () => {
  const { all, start } = makeWorkers()
  const pool = makeHashPool(start, 100 * MiB)
  const jobs = [1, 2, 3].map(() => pool.hash(file(50 * MiB), none, { alone: false }))
  expect(all.map(({ asked }) => ids(asked))).toEqual([[1], [2]])
  all[1]?.answer(hashed(2))
  expect(await jobs[1]?.outcome).toEqual({ ok: true, sha256: 'a2', sha512: 'b2' })
  expect(all.map(({ asked }) => ids(asked))).toEqual([[1], [2, 3]])
})

test('small files go several at once, where there is least to do, and beside a large one before they wait', () => {
  const { all, start } = makeWorkers()
  const pool = makeHashPool(start, 100 * MiB)
  pool.hash(file(50 * MiB), none, { alone: false })
  for (let i = 0; i < 12; i += 1) pool.hash(file(10), none, { alone: false })
  expect(all.map(({ asked }) => ids(asked).length)).toEqual([5, 8])
  for (let i = 0; i < 12; i += 1) pool.hash(file(10), none, { alone: false })
  expect(all.map(({ asked }) => ids(asked).length)).toEqual([9, 8])
})

test('a large file that is alone goes to both workers, a fingerprint each; progress is what both have read', async () => {
  const { all, start } = makeWorkers()
  const pool = makeHashPool(start, 100 * MiB)
  const told: number[] = []
  const job = pool.hash(file(50 * MiB), (done) => told.push(done))
  expect(all.map(({ asked }) => asked.map((each) => each.kind === 'hash' && [each.names, each.held]))).toEqual([
    [[['sha256'], true]],
    [[['sha512'], true]],
  ])
  job.pause()
  job.resume()
  expect(all.map(({ asked }) => asked.slice(1).map(({ kind }) => kind))).toEqual([
    ['pause', 'resume'],
    ['pause', 'resume'],
  ])
  all[0]?.answer({ kind: 'progress', id: 1, done: 50 })
  all[1]?.answer({ kind: 'progress', id: 1, done: 20 })
  all[0]?.answer({ kind: 'hashed', id: 1, hashes: { sha256: 'a' } })
  // Still held: the other may need it. What comes now waits for neither, and is not held beyond what there is room for.
  pool.hash(file(60 * MiB), none)
  expect(all[0]?.asked.at(-1)).toMatchObject({ id: 2, names: ['sha256', 'sha512'], held: false })
  all[1]?.answer({ kind: 'progress', id: 1, done: 30 })
  all[1]?.answer({ kind: 'hashed', id: 1, hashes: { sha512: 'b' } })
  expect(await job.outcome).toEqual({ ok: true, sha256: 'a', sha512: 'b' })
  expect(told).toEqual([0, 20, 30])
})

test('what fails in one worker ends in the other', async () => {
  const { all, start } = makeWorkers()
  const pool = makeHashPool(start, 100 * MiB)
  const jobs = [pool.hash(file(50 * MiB), none)]
  all[0]?.answer({ kind: 'failed', id: 1, reason: 'changed' })
  expect(await jobs[0]?.outcome).toEqual({ ok: false, reason: 'changed' })
  expect(all[1]?.asked.at(-1)).toEqual({ kind: 'cancel', id: 1 })
  all[1]?.answer({ kind: 'failed', id: 1, reason: 'cancelled' })
  jobs.push(pool.hash(file(50 * MiB), none))
  all[1]?.fail()
  expect(await jobs[1]?.outcome).toEqual({ ok: false, reason: 'no_hashes' })
  expect(all[0]?.asked.at(-1)).toEqual({ kind: 'cancel', id: 2 })
})

test('together no more is held than may be; what does not fit is hashed in slices', () => {
  const { all, start } = makeWorkers()
  const pool = makeHashPool(start, 100 * MiB)
  pool.hash(file(60 * MiB), none, { alone: false })
  pool.hash(file(60 * MiB), none, { alone: false })
  expect(all.map(({ asked }) => asked.map((each) => each.kind === 'hash' && each.held))).toEqual([[true], [false]])
  all[0]?.answer(hashed(1))
  pool.hash(file(60 * MiB), none, { alone: false })
  expect(all[0]?.asked.at(-1)).toMatchObject({ id: 3, held: true })
})

test('one that is paused lets others pass, goes on where it was, and is begun only when wanted', () => {
  const { all, start } = makeWorkers()
  const pool = makeHashPool(start, 100 * MiB)
  const [first, , third] = [1, 2, 3, 4].map(() => pool.hash(file(10 * MiB), none, { alone: false }))
  third?.pause()
  first?.pause()
  expect(all.map(({ asked }) => ids(asked))).toEqual([[1, 4], [2]])
  all[1]?.answer(hashed(2))
  expect(all.map(({ asked }) => ids(asked))).toEqual([[1, 4], [2]])
  third?.resume()
  expect(all.map(({ asked }) => ids(asked))).toEqual([
    [1, 4],
    [2, 3],
  ])
  first?.resume()
  expect(all[0]?.asked.at(-1)).toEqual({ kind: 'resume', id: 1 })
})

test('cancelling ends one that waits at once, and one that runs by its worker', async () => {
  const { all, start } = makeWorkers()
  const pool = makeHashPool(start, 100 * MiB)
  const [first, , third] = [1, 2, 3].map(() => pool.hash(file(10 * MiB), none, { alone: false }))
  third?.cancel()
  expect(await third?.outcome).toEqual({ ok: false, reason: 'cancelled' })
  first?.cancel()
  expect(all[0]?.asked.at(-1)).toEqual({ kind: 'cancel', id: 1 })
  all[0]?.answer({ kind: 'failed', id: 1, reason: 'cancelled' })
  expect(await first?.outcome).toEqual({ ok: false, reason: 'cancelled' })
})

test('a worker that dies loses what it had in hand and nothing else', async () => {
  const { all, start } = makeWorkers()
  const pool = makeHashPool(start, 100 * MiB)
  const jobs = [1, 2, 3].map(() => pool.hash(file(10 * MiB), none, { alone: false }))
  all[0]?.fail()
  expect(await jobs[0]?.outcome).toEqual({ ok: false, reason: 'no_hashes' })
  expect(all.map(({ asked, ended }) => [ids(asked), ended])).toEqual([
    [[1], true],
    [[2], false],
    [[3], false],
  ])
  pool.end()
  expect(await Promise.all(jobs.slice(1).map((job) => job.outcome))).toEqual([
    { ok: false, reason: 'cancelled' },
    { ok: false, reason: 'cancelled' },
  ])
})

test('progress is told of the file that it is of', () => {
  const { all, start } = makeWorkers()
  const pool = makeHashPool(start, 100 * MiB)
  const told: string[] = []
  pool.hash(file(10 * MiB), (done) => told.push(`first ${done}`), { alone: false })
  pool.hash(file(10 * MiB), (done) => told.push(`second ${done}`), { alone: false })
  all[1]?.answer({ kind: 'progress', id: 2, done: 5 })
  all[0]?.answer({ kind: 'progress', id: 1, done: 7 })
  expect(told).toEqual(['second 5', 'first 7'])
})
