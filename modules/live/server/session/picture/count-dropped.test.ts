import { expect, test } from 'vitest'
import { countDropped } from './count-dropped.ts'

const pictures = (...ms: readonly number[]) => ms.map((time) => ({ time: time * 1000, duration: 40_000 }))

test('pictures that are late are not missing; those that are missing are counted, but for gaps', () => {
  expect(countDropped([], [])).toBe(0)
  expect(countDropped(pictures(0), [])).toBe(0)
  expect(countDropped(pictures(0, 40, 80, 120), [])).toBe(0)
  // The second 32 ms late, the third on time; and the last late.
  expect(countDropped(pictures(0, 72, 80, 120, 185), [])).toBe(0)
  // Set aside for 160 ms: of four times one has a picture.
  expect(countDropped(pictures(0, 40, 200, 240), [])).toBe(3)
  expect(countDropped(pictures(0, 70, 80, 120, 200, 240, 320), [])).toBe(2)
  // Known as a gap, and told as one; what is missing on either side counts.
  expect(countDropped(pictures(0, 40, 2_003, 2_043), [{ to_us: 2_003_000 }])).toBe(0)
  expect(countDropped(pictures(0, 40, 120, 2_003, 2_043, 2_163), [{ to_us: 2_003_000 }])).toBe(3)
})
