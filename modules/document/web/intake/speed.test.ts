import { expect, test } from 'vitest'
import { makeSpeed } from './speed.ts'

test('a speed is what was read over the last seconds, and none while nothing is', () => {
  let now = 0
  const speed = makeSpeed(() => now)
  expect(speed.now()).toBeNull()
  for (let i = 0; i <= 20; i += 1) {
    speed.add(1_000)
    now += 250
  }
  // 4,000 bytes a second.
  expect(speed.now()).toBeGreaterThan(3_500)
  expect(speed.now()).toBeLessThanOrEqual(4_000)
  now += 60_000
  expect(speed.now()).toBeNull()
})
