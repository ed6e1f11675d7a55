import * as fc from '../../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { amountOf, priced, prorate, share, splitAmount, sumOf, vatOf, type Amount } from './money.ts'

const cents = fc.integer({ min: 0, max: 100_000_000_00 })
const rate = fc.constantFrom(0, 210, 550, 850, 1000, 2000)

/** Invariant 3. */
const partsAreTheWhole = (split: typeof splitAmount) =>
  fc.property(cents, rate, fc.integer({ min: 1, max: 12 }), (net, of, parts) => {
    const whole = priced(net, of)
    const made = split(whole, parts)
    expect(made).toHaveLength(parts)
    expect(sumOf(made)).toEqual(whole)
    for (const each of made) expect(each.gross).toBe(each.net + each.vat)
  })

test('H-37 K-15 net, VAT and gross of instalments sum to the total', () => {
  fc.assert(partsAreTheWhole(splitAmount))
})

test('… which VAT rounded in each part would break', () => {
  const roundingEach = ({ net, vat }: Pick<Amount, 'net' | 'vat'>, parts: number) =>
    splitAmount({ net, vat }, parts).map((part) => priced(part.net, net === 0 ? 0 : Math.round((vat * 10_000) / net)))
  expect(fc.check(partsAreTheWhole(roundingEach)).failed).toBe(true)
})

test('K-05 K-10 K-11 K-15 the annual prices of the specification in four, to the cent', () => {
  expect(splitAmount(priced(479_040, 2000), 4)).toEqual(Array(4).fill(amountOf(119_760, 23_952)))
  expect(splitAmount(priced(383_040, 2000), 4)).toEqual(Array(4).fill(amountOf(95_760, 19_152)))
  // Of a month and of a year: a fifth less than twelve of them, and with VAT.
  expect([9900, 39_900, 49_900].map((net) => priced(net, 2000).gross)).toEqual([11_880, 47_880, 59_880])
  expect([383_040, 479_040]).toEqual([39_900, 49_900].map((month) => (month * 12 * 8) / 10))
  expect(splitAmount(amountOf(10, 3), 4)).toEqual([amountOf(2, 0), amountOf(2, 0), amountOf(2, 0), amountOf(4, 3)])
})

test('H-37 VAT is rounded half a cent up', () => {
  expect([vatOf(1, 5000), vatOf(2, 2000), vatOf(3, 2000), vatOf(5, 1000), vatOf(12_345, 2000)]).toEqual([1, 0, 1, 1, 2469])
})

test('shares are monotonous, and of all days everything', () => {
  fc.assert(
    fc.property(cents, rate, fc.integer({ min: 1, max: 366 }), fc.nat({ max: 366 }), (net, of, all, drawn) => {
      const [whole, days] = [priced(net, of), Math.min(drawn, all)]
      expect(prorate(whole, all, all)).toEqual(whole)
      expect(prorate(whole, 0, all)).toEqual(amountOf(0, 0))
      const part = prorate(whole, days, all)
      expect(part.net).toBeLessThanOrEqual(whole.net)
      expect(part.vat).toBeLessThanOrEqual(whole.vat)
    }),
  )
})

test('what is no whole number of cents is refused, not rounded', () => {
  for (const wrong of [0.5, Number.NaN, 2 ** 53, Infinity]) expect(() => amountOf(wrong, 0)).toThrow(RangeError)
  expect(() => share(-1, 1, 2)).toThrow(RangeError)
  expect(() => share(1, 1, 0)).toThrow(RangeError)
  expect(share(9_007_199_254_740_991, 1999, 2000)).toBe(9_002_695_655_113_621)
})
