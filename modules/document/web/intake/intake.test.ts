import { expect, test } from 'vitest'
import type { FoundFile } from '../../../../ui/files/found-files.ts'
import type { HashOutcome, HashPool } from '../../../../ui/hash/hash-pool.ts'
import { makeIntake, mostFiles } from './intake.ts'

type Asked = {
  readonly file: File
  readonly progress: (done: number) => void
  readonly settle: (outcome: HashOutcome) => void
  paused: boolean
}

function makePool(): { pool: HashPool; asked: Asked[] } {
  const asked: Asked[] = []
  const pool: HashPool = {
    hash: (file, progress) => {
      const { promise, resolve } = Promise.withResolvers<HashOutcome>()
      const job: Asked = { file: file as File, progress, settle: resolve, paused: false }
      asked.push(job)
      return {
        outcome: promise,
        pause: () => {
          job.paused = true
        },
        resume: () => {
          job.paused = false
        },
        cancel: () => resolve({ ok: false, reason: 'cancelled' }),
      }
    },
    end: () => undefined,
  }
  return { pool, asked }
}

const intakeOf = (pool: HashPool) =>
  makeIntake(
    pool,
    () => 0,
    (show) => show(),
    () => Promise.resolve(),
  )
const file = (name: string, text: string, lastModified = 1) => new File([text], name, { lastModified })
const found = (given: File, again: FoundFile['again'] = null): FoundFile => ({ path: given.name, file: given, again })
const prints = (digit: string): HashOutcome => ({ ok: true, sha256: digit.repeat(64), sha512: digit.repeat(128) })
/** Whatever was awaited before is settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('files are hashed and counted; the same content twice is said', async () => {
  const { pool, asked } = makePool()
  const intake = intakeOf(pool)
  await intake.add([found(file('a.txt', 'one')), found(file('b.txt', 'one')), found(file('c.txt', 'three'))])
  await settled()
  asked[0]?.settle(prints('a'))
  asked[1]?.settle(prints('a'))
  asked[2]?.progress(2)
  await settled()
  expect(intake.glance()).toMatchObject({
    counts: { hashed: 2, hashing: 1 },
    total: 3,
    twins: 1,
    bytes: { total: 11, done: 8 },
  })
  expect(intake.fileAt(1)?.twin).toBe('a.txt')
  expect(intake.hashed(true).map(({ path }) => path)).toEqual(['a.txt'])
  expect(intake.hashed(false).map(({ path }) => path)).toEqual(['a.txt', 'b.txt'])
  intake.letGo(intake.hashed(true))
  expect(intake.glance()).toMatchObject({ total: 1, counts: { hashed: 0, hashing: 1 }, twins: 0 })
  asked[2]?.settle(prints('c'))
  await settled()
  expect(intake.hashed(true).map(({ path }) => path)).toEqual(['c.txt'])
})

test('of one content the first is that which stands first, whichever was hashed first', async () => {
  const { pool, asked } = makePool()
  const intake = intakeOf(pool)
  await intake.add([found(file('a', 'x')), found(file('b', 'x'))])
  await settled()
  for (const job of asked.toReversed()) {
    job.settle(prints('a'))
    await settled()
  }
  expect([intake.fileAt(0)?.twin, intake.fileAt(1)?.twin]).toEqual([null, 'a'])
  expect(intake.hashed(true).map(({ path }) => path)).toEqual(['a'])
})

test('the first of a content is removed: the second takes its place', async () => {
  const { pool, asked } = makePool()
  const intake = intakeOf(pool)
  await intake.add([found(file('a', 'x')), found(file('b', 'x'))])
  await settled()
  for (const job of asked) job.settle(prints('a'))
  await settled()
  intake.remove(intake.fileAt(0)?.id ?? 0)
  expect(intake.fileAt(0)).toMatchObject({ path: 'b', twin: null })
  expect(intake.hashed(true)).toHaveLength(1)
})

test('a file that changed while it was read has no fingerprint, until it is read again', async () => {
  const { pool, asked } = makePool()
  const intake = intakeOf(pool)
  let now = file('a', 'before', 1)
  await intake.add([found(now, () => Promise.resolve(now))])
  await settled()
  now = file('a', 'after it', 2)
  asked[0]?.settle(prints('a'))
  await settled()
  expect(intake.fileAt(0)).toMatchObject({ state: 'failed', reason: 'changed', hashes: null })
  intake.again(intake.fileAt(0)?.id ?? 0)
  await settled()
  expect(await asked[1]?.file.text()).toBe('after it')
  asked[1]?.settle(prints('b'))
  await settled()
  expect(intake.fileAt(0)).toMatchObject({ state: 'hashed', size: 8 })
  expect(intake.glance().bytes).toEqual({ total: 8, done: 8 })
})

test('a chosen file that can no longer be read after its hashing has changed', async () => {
  const { pool, asked } = makePool()
  const intake = intakeOf(pool)
  const chosen = file('a', 'text')
  await intake.add([found(chosen)])
  await settled()
  chosen.slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }) as unknown as Blob
  asked[0]?.settle(prints('a'))
  await settled()
  expect(intake.fileAt(0)).toMatchObject({ state: 'failed', reason: 'changed' })
})

test('an unreadable file fails alone, also one that a folder did not give', async () => {
  const { pool, asked } = makePool()
  const intake = intakeOf(pool)
  const taken = await intake.addAll(async function* (onUnreadable) {
    onUnreadable('folder/locked')
    yield await Promise.resolve([found(file('a', 'x')), found(file('b', 'x'), () => Promise.reject(new Error('gone')))])
  })
  // Told at once, whatever the list shows by then.
  expect(taken).toBe(3)
  expect(await intake.add([])).toBe(0)
  await settled()
  asked[0]?.settle({ ok: false, reason: 'unreadable' })
  await settled()
  expect([0, 1, 2].map((at) => intake.fileAt(at)?.reason)).toEqual(['unreadable', 'unreadable', 'unreadable'])
  expect(intake.glance().counts).toMatchObject({ failed: 3, waiting: 0, hashing: 0 })
})

test('one is paused before it is begun and while it runs, and all of them', async () => {
  const { pool, asked } = makePool()
  const intake = intakeOf(pool)
  const large = (name: string): FoundFile => {
    const given = file(name, 'x')
    Object.defineProperty(given, 'size', { value: 5_000_000 })
    return found(given)
  }
  await intake.add(['a', 'b', 'c', 'd'].map(large))
  await settled()
  expect(asked.map((job) => job.file.name)).toEqual(['a', 'b'])
  intake.pause(intake.fileAt(2)?.id ?? 0)
  intake.pause(intake.fileAt(0)?.id ?? 0)
  await settled()
  expect(asked.map((job) => [job.file.name, job.paused])).toEqual([
    ['a', true],
    ['b', false],
    ['d', false],
  ])
  intake.pauseAll()
  expect(intake.glance().counts).toMatchObject({ paused: 4 })
  intake.resumeAll()
  await settled()
  expect(intake.glance().counts).toMatchObject({ paused: 0, hashing: 3, waiting: 1 })
  expect(asked.map((job) => job.paused)).toEqual([false, false, false])
  asked[0]?.settle(prints('a'))
  await settled()
  intake.clear()
  await settled()
  expect(intake.glance()).toMatchObject({ total: 0, bytes: { total: 0, done: 0 } })
})

test('a hundred thousand are taken, and how many more there were is said', async () => {
  const { pool } = makePool()
  const intake = intakeOf(pool)
  const one = found(file('a', ''))
  await intake.add(Array.from({ length: mostFiles + 7 }, () => one))
  expect(intake.glance()).toMatchObject({ total: mostFiles, leftOut: 7 })
})

test('the page answers while many are taken, and what was cancelled takes no more', async () => {
  const { pool } = makePool()
  let now = 0
  const between: number[] = []
  const intake = makeIntake(
    pool,
    // Each look at a file takes its time.
    () => (now += 30),
    (show) => show(),
    () => {
      between.push(intake.glance().total)
      if (between.length === 3) intake.clear()
      return Promise.resolve()
    },
  )
  const taken = await intake.add(Array.from({ length: 100 }, (_, i) => found(file(`${i}`, ''))))
  expect(taken).toBeNull()
  expect(between.length).toBe(3)
  expect(between.every((total, i) => total > (between[i - 1] ?? 0) && total < 100)).toBe(true)
  expect(intake.glance()).toMatchObject({ total: 0, finding: false })
})

test('a large file is alone while no other large one waits or is hashed', async () => {
  const { pool, asked } = makePool()
  const alone: (boolean | undefined)[] = []
  const intake = intakeOf({
    ...pool,
    hash: (given, progress, options) => {
      alone.push(options?.alone)
      return pool.hash(given, progress, options)
    },
  })
  const large = (name: string): FoundFile => {
    const given = file(name, 'x')
    Object.defineProperty(given, 'size', { value: 5_000_000 })
    return found(given)
  }
  await intake.add([large('a'), found(file('small', 'x'))])
  expect(alone).toEqual([true, true])
  for (const job of asked) job.settle(prints('a'))
  await settled()
  await intake.add([large('b'), large('c')])
  await settled()
  expect(alone.slice(2)).toEqual([false, false])
  intake.remove(intake.fileAt(3)?.id ?? 0)
  intake.pause(intake.fileAt(2)?.id ?? 0)
  await intake.add([large('d')])
  await settled()
  expect(alone.slice(4)).toEqual([true])
  expect(intake.glance()).toMatchObject({ total: 4, counts: { paused: 1 }, bytes: { total: 15_000_001 } })
})
