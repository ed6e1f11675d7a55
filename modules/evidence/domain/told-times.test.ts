import { expect, test } from 'vitest'
import { finalizingMinutes, isLate, preparingMinutes } from './told-times.ts'

const since = '2026-11-23T09:00:00.000Z'
const after = (seconds: number) => Date.parse(since) + seconds * 1000

test('K-02 K-25 a minute is told for preparing and ten for the report; what takes longer is late from then on', () => {
  expect(finalizingMinutes / preparingMinutes).toBe(10)
  expect([59, 60, 60.001].map((each) => isLate(since, after(each), preparingMinutes))).toEqual([false, false, true])
  expect([61, 600, 600.001].map((each) => isLate(since, after(each), finalizingMinutes))).toEqual([false, false, true])
  // A clock of the browser that goes behind makes nothing late.
  expect(isLate(since, after(-30), preparingMinutes)).toBe(false)
})
