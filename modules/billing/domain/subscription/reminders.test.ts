import { expect, test } from 'vitest'
import { addDays } from '../calendar/calendar.ts'
import { activate, ask, beginning, endPeriod, fallDue, suspend, type Subscription } from './machine.ts'
import { remindersOn } from './reminders.ts'

const yearly = { plan: 'comfort', cycle: 'year', instalments: 4 } as const
const begin = (formula: Parameters<typeof ask>[1]): Subscription =>
  activate(ask(beginning, formula, new Date('2026-11-30T09:00:00Z'), '2026-11-30'))
const active = begin(yearly)

/** Each day of two years on which something is told, the first of each occasion alone. */
function toldOf(subscription: Subscription, from: string): [string, string, string][] {
  const told = new Map<string, [string, string, string]>()
  for (let days = 0; days < 730; days += 1)
    for (const { kind, on, occasion } of remindersOn(subscription, addDays(from, days)))
      if (!told.has(`${kind} ${occasion}`)) told.set(`${kind} ${occasion}`, [addDays(from, days), kind, on])
  return [...told.values()]
}

test('of a year that is renewed by itself one is told once, between three months and one before (L215-1)', () => {
  expect(toldOf(active, '2026-11-30')).toEqual([['2027-09-30', 'renewal_near', '2027-11-30']])
  expect(toldOf(endPeriod(active), '2027-11-30')).toEqual([['2028-09-30', 'renewal_near', '2028-11-30']])
  // A worker that stood still tells it late rather than never.
  expect(remindersOn(active, '2027-11-29')).toHaveLength(1)
})

test('of a month, and of what ends, there is nothing to tell', () => {
  expect(toldOf(begin({ plan: 'essential', cycle: 'month', instalments: 1 }), '2026-11-30')).toEqual([])
  const leaving = ask(active, { plan: 'unit' }, new Date('2027-02-01T09:00:00Z'), '2027-02-01')
  expect(toldOf(leaving, '2027-02-01')).toEqual([])
})

test('S-10 days before a suspension, and twice before the end, each once', () => {
  const late = fallDue(active, '2027-01-01')
  expect(toldOf(late, '2027-01-01')).toEqual([['2027-01-15', 'suspension_near', '2027-01-22']])
  expect(toldOf(suspend(late), '2027-01-22')).toEqual([
    ['2027-02-16', 'cancellation_near', '2027-03-02'],
    ['2027-02-27', 'cancellation_near', '2027-03-02'],
  ])
})
