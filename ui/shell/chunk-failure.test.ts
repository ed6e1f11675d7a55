import { expect, test } from 'vitest'
import { loadChunk, makeReload, mayReload, type Remedies } from './chunk-failure.ts'

test('X-03 K-32: reloads once, then not within 60 seconds', () => {
  expect(mayReload(null, 1_000_000)).toBe(true)
  expect(mayReload('1000000', 1_059_999)).toBe(false)
  expect(mayReload('1000000', 1_060_000)).toBe(true)
  expect(mayReload('not a number', 1_000_000)).toBe(true)
  // A clock set back must not forbid reloading for ever.
  expect(mayReload('1000000', 900_000)).toBe(true)
})

function page(told: { network: boolean[]; typed?: boolean; reload?: boolean; gone?: Promise<void>; leaving?: boolean[] }) {
  const done: string[] = []
  const remedies: Remedies = {
    whenThere: () => told.gone ?? Promise.resolve(),
    reachable: async () => told.network.shift() ?? true,
    isBack: async () => void done.push('waited'),
    isLeaving: () => told.leaving?.shift() ?? false,
    stays: async () => void done.push('stayed'),
    isTyped: () => told.typed ?? false,
    ask: () => void done.push('asked'),
    reload() {
      if (told.reload !== false) done.push('reloaded')
      return told.reload !== false
    },
  }
  return { done, remedies }
}

/** Fails so many times, as `import()` does. */
function chunk(failures: number) {
  let left = failures
  return async () => {
    if (left-- > 0) throw new TypeError('Failed to fetch dynamically imported module')
    return 'loaded'
  }
}

const settled = (promise: Promise<unknown>) =>
  Promise.race([
    promise.then(
      (value) => value,
      () => 'failed',
    ),
    new Promise((resolve) => setImmediate(() => resolve('pending'))),
  ])

test('X-03: without a network nothing is reloaded: it waits until it is back, as often as needed, and goes on', async () => {
  const { done, remedies } = page({ network: [false, false] })
  expect(await loadChunk(chunk(2), remedies)).toBe('loaded')
  expect(done).toEqual(['waited', 'waited'])
})

test('X-03: where the network is known to be gone nothing is asked for before it is back', async () => {
  let comeBack = (): void => undefined
  const { done, remedies } = page({ network: [], gone: new Promise((resolve) => (comeBack = resolve)) })
  let asked = 0
  const loading = loadChunk(async () => await Promise.resolve((asked += 1)), remedies)
  expect([await settled(loading), asked]).toEqual(['pending', 0])
  comeBack()
  expect(await loading).toBe(1)
  expect(done).toEqual([])
})

test('X-03: what failed just as the network came back is asked for once more, and nothing is reloaded', async () => {
  const { done, remedies } = page({ network: [] })
  expect(await loadChunk(chunk(1), remedies)).toBe('loaded')
  expect(done).toEqual([])
})

test('X-03: several chunks that are gone at once have one reload, and none of them an error', async () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  let reloads = 0
  const reload = makeReload(
    () => storage,
    () => (reloads += 1),
  )
  const { remedies } = page({ network: [] })
  const both = [chunk(9), chunk(9)].map((each) => settled(loadChunk(each, { ...remedies, reload })))
  expect(await Promise.all(both)).toEqual(['pending', 'pending'])
  expect(reloads).toBe(1)
  // The page that was reloaded knows, and shows the error.
  expect(
    makeReload(
      () => storage,
      () => (reloads += 1),
    )(),
  ).toBe(false)
  expect(reloads).toBe(1)
})

test('X-03: a chunk that is gone reloads the page; within the guard the error shows', async () => {
  const gone = page({ network: [] })
  expect(await settled(loadChunk(chunk(9), gone.remedies))).toBe('pending')
  expect(gone.done).toEqual(['reloaded'])
  const again = page({ network: [], reload: false })
  expect(await settled(loadChunk(chunk(9), again.remedies))).toBe('failed')
  expect(again.done).toEqual([])
})

test('X-03: what a page gives up because it is left is no failure; should it stay, it is asked for again', async () => {
  const { done, remedies } = page({ network: [], leaving: [true, true, false] })
  const left = { ...remedies, stays: () => new Promise<void>(() => undefined) }
  expect(await settled(loadChunk(chunk(9), left))).toBe('pending')
  expect(await loadChunk(chunk(2), remedies)).toBe('loaded')
  expect(done).toEqual(['stayed'])
})

test('X-03: what was typed is not lost by a reload that nobody asked for', async () => {
  const { done, remedies } = page({ network: [false], typed: true })
  expect(await settled(loadChunk(chunk(9), remedies))).toBe('pending')
  expect(done).toEqual(['waited', 'asked'])
})
