import { expect, test } from 'vitest'
import { parts } from '../../../kernel/proof-of-work.ts'
import { priceOf } from './work-price.ts'

test('H-34 the price grows with each further preview of the day and with those who wait, up to a bound', () => {
  for (let beyond = 0; beyond < 16; beyond += 1) expect(priceOf(beyond + 1, 0)).toBeGreaterThan(priceOf(beyond, 0))
  expect(priceOf(0, 40)).toBe(3 * priceOf(0, 0))
  expect(priceOf(3, 19)).toBe(priceOf(3, 0))
  expect(priceOf(400, 1e6)).toBe(2 ** 26)
  expect(priceOf(-1, 0)).toBe(2 ** 18)
  expect(priceOf(5, 7) % parts).toBe(0)
})
