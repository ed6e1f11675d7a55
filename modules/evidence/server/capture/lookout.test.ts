import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { delayOfCare, fewEnough, mostListeners } from '../../domain/pace.ts'
import { createLookout } from './lookout.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A lookout whose luck is always the same, and what it has open. */
function start(luck: number) {
  const ears = new Set<(payload: string) => void>()
  const lookout = createLookout(
    async (hear) => {
      ears.add(hear)
      return await Promise.resolve({
        close: async () => {
          ears.delete(hear)
          await Promise.resolve()
        },
      })
    },
    () => luck,
  )
  const say = (payload: string) => {
    for (const hear of ears) hear(payload)
  }
  /** Waits for the next look from now on. */
  const next = () => {
    lookout.begin()
    const looked = vi.fn()
    void lookout.wait().then(looked)
    return looked
  }
  return { lookout, ears, say, next }
}

test('of few, each looks the moment something is asked for', async () => {
  const { lookout, say, next } = start(1)
  await lookout.countIn(4)
  const looked = next()
  say('an id')
  say('queue')
  await vi.advanceTimersByTimeAsync(0)
  expect(looked).not.toHaveBeenCalled()
  say('work')
  await vi.advanceTimersByTimeAsync(0)
  expect(looked).toHaveBeenCalledOnce()
})

test('of more, one looks after its turn, once for all that was asked for meanwhile', async () => {
  const { lookout, say, next } = start(0.5)
  await lookout.countIn(44)
  const looked = next()
  say('work')
  await vi.advanceTimersByTimeAsync(40)
  say('work')
  await vi.advanceTimersByTimeAsync(39)
  expect(looked).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(looked).toHaveBeenCalledOnce()
  const again = next()
  await vi.advanceTimersByTimeAsync(100)
  expect(again).not.toHaveBeenCalled()
})

test('whoever hears nothing looks by the clock; who has room again, at once', async () => {
  const { lookout, next } = start(0)
  const looked = next()
  await vi.advanceTimersByTimeAsync(1_999)
  expect(looked).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(looked).toHaveBeenCalledOnce()
  const again = next()
  lookout.look()
  await vi.advanceTimersByTimeAsync(0)
  expect(again).toHaveBeenCalledOnce()
})

test('of very many none listens, and few again do', async () => {
  const { lookout, ears, next } = start(0)
  await lookout.countIn(mostListeners)
  expect(ears.size).toBe(0)
  await lookout.countIn(fewEnough)
  expect(ears.size).toBe(1)
  // What was asked for before it listened was told to nobody.
  lookout.begin()
  await lookout.countIn(mostListeners)
  expect(ears.size).toBe(1)
  await lookout.countIn(mostListeners + 1)
  expect(ears.size).toBe(0)
  await lookout.countIn(fewEnough + 1)
  expect(ears.size).toBe(0)
  lookout.begin()
  const wait = lookout.wait()
  await lookout.countIn(fewEnough)
  await wait
  await lookout.deafen()
  expect(ears.size).toBe(0)
  await lookout.countIn(1)
  expect(ears.size).toBe(0)
  expect(next()).not.toHaveBeenCalled()
})

test('the larger the fleet, the less often each releases and counts', async () => {
  const { lookout } = start(0.5)
  expect(lookout.isCareDue()).toBe(true)
  await lookout.countIn(1_000)
  expect(delayOfCare(1_000, 0.5)).toBe(20_000)
  await vi.advanceTimersByTimeAsync(19_999)
  expect(lookout.isCareDue()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(lookout.isCareDue()).toBe(true)
  await lookout.countIn(4)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(lookout.isCareDue()).toBe(true)
})
