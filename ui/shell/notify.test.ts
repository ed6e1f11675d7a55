import { expect, test } from 'vitest'
import { isRepeat } from './notify.ts'

test('H-14: an error is said once in 5 s; error-force and successes always', () => {
  const shown = new Map<string, number>()
  expect(isRepeat('error', 'No network', 1000, shown)).toBe(false)
  expect(isRepeat('error', 'No network', 5999, shown)).toBe(true)
  expect(isRepeat('error', 'Something else', 5999, shown)).toBe(false)
  expect(isRepeat('error', 'No network', 6000, shown)).toBe(false)
  expect(isRepeat('error-force', 'No network', 6001, shown)).toBe(false)
  expect(isRepeat('success', 'Saved', 1, shown)).toBe(false)
  expect(isRepeat('success', 'Saved', 2, shown)).toBe(false)
})
