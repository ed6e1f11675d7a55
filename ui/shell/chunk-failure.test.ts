import { expect, test } from 'vitest'
import { mayReload } from './chunk-failure.ts'

test('X-03 K-32: reloads once, then not within 60 seconds', () => {
  expect(mayReload(null, 1_000_000)).toBe(true)
  expect(mayReload('1000000', 1_059_999)).toBe(false)
  expect(mayReload('1000000', 1_060_000)).toBe(true)
  expect(mayReload('not a number', 1_000_000)).toBe(true)
  // A clock set back must not forbid reloading for ever.
  expect(mayReload('1000000', 900_000)).toBe(true)
})
