import * as fc from '../../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { addDays, beginOf, type Day, type Span } from '../calendar/calendar.ts'
import { kindOfChange, unit, type Formula } from '../plan/plan.ts'
import {
  activate,
  ask,
  beginning,
  cancel,
  endPeriod,
  fallDue,
  nextEvent,
  periodOf,
  settle,
  subscriptionStatuses,
  subscriptionTransitions,
  suspend,
  undo,
  type Subscription,
} from './machine.ts'

const essential: Formula = { plan: 'essential', cycle: 'month', instalments: 1 }
const comfort: Formula = { plan: 'comfort', cycle: 'month', instalments: 1 }
const yearly: Formula = { plan: 'comfort', cycle: 'year', instalments: 4 }
const essentialYear: Formula = { plan: 'essential', cycle: 'year', instalments: 1 }
const formulas = [unit, essential, comfort, yearly, essentialYear]
const at = (day: Day) => new Date(beginOf(day).getTime() + 36_000_000)
const asked = (subscription: Subscription, to: Formula, day: Day) => ask(subscription, to, at(day), day)
const having = (formula: Formula, day: Day) => activate(asked(beginning, formula, day))

const step = fc.oneof(
  fc.record({ do: fc.constant('ask' as const), to: fc.constantFrom(...formulas) }),
  fc.record({ do: fc.constantFrom('undo', 'pay', 'pay', 'pay', 'fail', 'wait', 'wait', 'wait') }),
)

/** Every state that a customer can bring about, and the periods that he had. */
function live(begin: Day, steps: readonly { readonly do: string; readonly to?: Formula; readonly days?: number }[]) {
  let [subscription, today] = [beginning, begin]
  const spans: Span[] = []
  const seen: { subscription: Subscription; today: Day }[] = []
  const enter = (next: Subscription) => {
    const period = periodOf(next)
    if (period !== null && next.anchoredOn !== null) spans.push(period)
    return next
  }
  for (const each of steps) {
    const { pending } = subscription
    try {
      if (each.do === 'ask' && each.to !== undefined) subscription = asked(subscription, each.to, today)
      else if (each.do === 'undo') subscription = undo(subscription)
      else if (each.do === 'pay' && pending?.kind === 'payment') {
        const last = spans.at(-1)
        if (last !== undefined && last.to > pending.on) spans[spans.length - 1] = { from: last.from, to: pending.on }
        subscription = enter(activate(subscription))
      } else if (each.do === 'fail') subscription = fallDue(subscription, today)
      else if (each.do === 'wait') {
        today = addDays(today, 40)
        // What waits for a payment waits a day.
        if (subscription.pending?.kind === 'payment') subscription = undo(subscription)
        for (;;) {
          const period = periodOf(subscription)
          if (period === null || period.to > today || !['active', 'past_due'].includes(subscription.status)) break
          subscription = enter(endPeriod(subscription))
        }
      }
    } catch (error) {
      expect(String(error)).toMatch(/billing\.[a-z_]+/)
    }
    seen.push({ subscription, today })
  }
  return { seen, spans }
}
const life = fc.tuple(fc.constantFrom('2027-01-31', '2028-02-29', '2026-11-23'), fc.array(step, { minLength: 4, maxLength: 40 }))

/** Invariant 10. */
const undoneIsAsBefore = (take: typeof undo) =>
  fc.property(life, fc.constantFrom(...formulas), ([begin, steps], to) => {
    for (const { subscription, today } of live(begin, steps).seen) {
      let changed: Subscription
      try {
        changed = asked(subscription, to, today)
      } catch {
        continue
      }
      expect(take(changed)).toEqual(subscription)
    }
  })

test('S-13 cancelling a pending change restores exactly what was', () => {
  fc.assert(undoneIsAsBefore(undo))
})
test('… which forgetting that it was incomplete would break', () => {
  const forgetful = (subscription: Subscription) => ({ ...subscription, pending: null })
  expect(fc.check(undoneIsAsBefore(forgetful)).failed).toBe(true)
})

test('H-35 the periods of a subscription tile, through renewals and changes of plan and cycle', () => {
  let renewed = 0
  fc.assert(
    fc.property(life, ([begin, steps]) => {
      const { spans } = live(begin, steps)
      for (const [index, span] of spans.entries()) {
        const before = spans[index - 1]
        // One that was changed on its first day has no day of its own.
        expect(span.to >= span.from).toBe(true)
        if (before === undefined) continue
        expect(before.to <= span.from).toBe(true)
        if (before.to === span.from) renewed += 1
      }
    }),
    // Enough of these go on for long.
    { numRuns: 300, seed: 20_261_123 },
  )
  expect(renewed).toBeGreaterThan(20)
})

test('S-12 going back to unit takes effect at the end of what is paid for, not before', () => {
  const had = having(essential, '2027-01-31')
  const leaving = asked(had, unit, '2027-02-03')
  expect(leaving).toMatchObject({ status: 'active', formula: essential, pending: { kind: 'term', to: unit, on: '2027-02-28' } })
  expect(endPeriod(leaving)).toEqual({ ...beginning })
})

test('H-35 more takes effect once it is paid and begins a cycle; less at the end, and keeps the anchor', () => {
  const had = having(essential, '2027-01-31')
  const more = activate(asked(had, yearly, '2027-02-10'))
  expect([more.formula, periodOf(more)]).toEqual([yearly, { from: '2027-02-10', to: '2028-02-10' }])
  const year = having(yearly, '2027-01-31')
  const less = endPeriod(asked(year, comfort, '2027-06-01'))
  expect([less.formula, periodOf(less)]).toEqual([comfort, { from: '2028-01-31', to: '2028-02-29' }])
  expect(periodOf(endPeriod(less))).toEqual({ from: '2028-02-29', to: '2028-03-31' })
})

test('S-14 what is more and what is less: plans first, then a year before a month', () => {
  expect(kindOfChange(essential, comfort)).toBe('upgrade')
  expect(kindOfChange(essentialYear, comfort)).toBe('upgrade')
  expect(kindOfChange(comfort, yearly)).toBe('upgrade')
  expect(kindOfChange(yearly, comfort)).toBe('downgrade')
  expect(kindOfChange(yearly, { ...yearly, instalments: 1 })).toBe('downgrade')
  expect(kindOfChange(comfort, essentialYear)).toBe('downgrade')
  expect(kindOfChange(comfort, unit)).toBe('downgrade')
  expect(kindOfChange(comfort, comfort)).toBe('none')
})

test('one change at a time, and none while an invoice is unpaid', () => {
  const leaving = asked(having(essential, '2027-01-31'), unit, '2027-02-01')
  expect(() => asked(leaving, comfort, '2027-02-02')).toThrow('billing.change_pending')
  const late = fallDue(having(essential, '2027-01-31'), '2027-02-28')
  expect(() => asked(late, comfort, '2027-03-01')).toThrow('billing.invoice_unpaid')
  expect(() => asked(having(essential, '2027-01-31'), essential, '2027-02-01')).toThrow('billing.same_plan')
  expect(() => asked(beginning, unit, '2027-02-01')).toThrow('billing.same_plan')
  expect(() => asked(cancel(beginning), comfort, '2027-02-01')).toThrow('billing.subscription_ended')
  expect(() => undo(beginning)).toThrow('billing.nothing_pending')
})

test('S-09 S-10 a payment that fails takes nothing away for 21 days, then suspends, then ends after 60', () => {
  const late = fallDue(having(essential, '2027-01-31'), '2027-03-02')
  const open = { issueOn: null, unpaidDueOn: null, lapsesOn: null }
  const renewed = endPeriod(late)
  expect(nextEvent(renewed, open)).toEqual({ kind: 'suspend', on: '2027-03-23' })
  const held = suspend(renewed)
  expect(nextEvent(held, open)).toEqual({ kind: 'end', on: '2027-05-01' })
  expect(settle(held, '2027-03-24')).toEqual({ subscription: { ...renewed, status: 'active', pastDueSince: null }, begun: false })
  const after = settle(held, '2027-04-20')
  expect([after.begun, periodOf(after.subscription)]).toEqual([true, { from: '2027-04-20', to: '2027-05-20' }])
  expect(cancel(held).status).toBe('cancelled')
  expect(() => suspend(having(essential, '2027-01-31'))).toThrow('billing.illegal_transition')
})

test('S-08 every status is reached from unit, and only what is cancelled is an end', () => {
  const reached = new Set<keyof typeof subscriptionTransitions>(['unit'])
  for (const status of reached) for (const next of subscriptionTransitions[status]) reached.add(next)
  expect([...reached].toSorted()).toEqual([...subscriptionStatuses].toSorted())
  expect(subscriptionStatuses.filter((status) => subscriptionTransitions[status].length === 0)).toEqual(['cancelled'])
})

test('the earliest of what the calendar brings comes first', () => {
  const had = having(yearly, '2027-01-31')
  expect(nextEvent(had, { issueOn: '2027-04-30', unpaidDueOn: '2027-03-02', lapsesOn: null })).toEqual({
    kind: 'overdue',
    on: '2027-03-03',
  })
  expect(nextEvent(had, { issueOn: '2027-04-30', unpaidDueOn: null, lapsesOn: null })).toEqual({
    kind: 'issue',
    on: '2027-04-30',
  })
  expect(nextEvent(had, { issueOn: null, unpaidDueOn: null, lapsesOn: null })).toEqual({ kind: 'term', on: '2028-01-31' })
  expect(nextEvent(beginning, { issueOn: '2027-04-30', unpaidDueOn: null, lapsesOn: null })).toBeNull()
})
