import * as fc from '../../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { addDays, beginOf, dayOf, daysIn, monthsAfter, monthsUntil, partsOf, spanAfter, type Day } from './calendar.ts'

const day = fc
  .date({ min: new Date('2020-01-01T12:00:00Z'), max: new Date('2099-12-31T12:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

/** Invariant 9. */
const tiles = (after: typeof monthsAfter) =>
  fc.property(day, fc.constantFrom(1, 12), fc.integer({ min: 2, max: 60 }), (anchor, months, count) => {
    const ends: Day[] = [anchor]
    for (let index = 0; index < count; index += 1) {
      const [from, to] = [after(anchor, months * index), after(anchor, months * (index + 1))]
      expect(from).toBe(ends.at(-1))
      expect(to > from).toBe(true)
      ends.push(to)
    }
    // Wherever the month is long enough, the anchor's own day is kept.
    const own = anchor.slice(8)
    for (const end of ends) expect(end.slice(8) === own || (end.slice(8) < own && addDays(end, 1).endsWith('-01'))).toBe(true)
  })

test('H-35 S-14 periods tile without gap or overlap, and keep their anchor', () => {
  fc.assert(tiles(monthsAfter))
})

test('… which a chain of months would break: 31 January would stay at 28', () => {
  const chained = (anchor: Day, months: number) => {
    let at = anchor
    for (let month = 0; month < months; month += 1) at = monthsAfter(at, 1)
    return at
  }
  expect(fc.check(tiles(chained), { numRuns: 500 }).failed).toBe(true)
})

test('31 January and 29 February, as they come', () => {
  const of = (anchor: Day, months: readonly number[]) => months.map((each) => monthsAfter(anchor, each))
  expect(of('2027-01-31', [1, 2, 3, 12, 13])).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2028-01-31', '2028-02-29'])
  expect(of('2028-02-29', [12, 24, 48])).toEqual(['2029-02-28', '2030-02-28', '2032-02-29'])
  expect(partsOf('2026-11-30', 0, 12, 4).map(({ from }) => from)).toEqual([
    '2026-11-30',
    '2027-02-28',
    '2027-05-30',
    '2027-08-30',
  ])
})

test('a day is one of Paris: the hour before midnight in winter, two in summer', () => {
  expect([dayOf(new Date('2026-12-31T22:59:59Z')), dayOf(new Date('2026-12-31T23:00:00Z'))]).toEqual(['2026-12-31', '2027-01-01'])
  expect([dayOf(new Date('2026-06-30T21:59:59Z')), dayOf(new Date('2026-06-30T22:00:00Z'))]).toEqual(['2026-06-30', '2026-07-01'])
  expect(beginOf('2026-03-29').toISOString()).toBe('2026-03-28T23:00:00.000Z')
  expect(beginOf('2026-03-30').toISOString()).toBe('2026-03-29T22:00:00.000Z')
  fc.assert(
    fc.property(day, (each) => {
      expect(dayOf(beginOf(each))).toBe(each)
      expect(dayOf(new Date(beginOf(each).getTime() - 1))).toBe(addDays(each, -1))
      const hours = (beginOf(addDays(each, 1)).getTime() - beginOf(each).getTime()) / 3_600_000
      expect([23, 24, 25]).toContain(hours)
    }),
  )
})

test('days are counted on the calendar, not in hours: the days on which clocks change are days too', () => {
  expect(daysIn({ from: '2026-03-01', to: '2026-04-01' })).toBe(31)
  expect(daysIn({ from: '2026-10-01', to: '2026-11-01' })).toBe(31)
  expect(daysIn({ from: '2028-01-31', to: '2029-01-31' })).toBe(366)
})

test('the month in which a day lies is the one that contains it', () => {
  fc.assert(
    fc.property(day, fc.nat({ max: 4000 }), (anchor, days) => {
      const at = addDays(anchor, days)
      const { from, to } = spanAfter(anchor, monthsUntil(anchor, at), 1)
      expect(from <= at && at < to).toBe(true)
    }),
  )
  expect(monthsUntil('2027-01-31', '2027-02-28')).toBe(1)
  expect(() => monthsUntil('2027-01-31', '2027-01-30')).toThrow(RangeError)
})
