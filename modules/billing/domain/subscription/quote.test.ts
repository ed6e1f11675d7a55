import * as fc from '../../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { addDays, beginOf, type Day } from '../calendar/calendar.ts'
import { amountOf, priced, sumOf } from '../money/money.ts'
import { unit, type Formula, type PlanTerms } from '../plan/plan.ts'
import { activate, ask, beginning } from './machine.ts'
import { creditsFor, quoteOf, type Invoiced, type TermsOn } from './quote.ts'

const prices = { essential: [39_900, 383_040], comfort: [49_900, 479_040] } as const
const terms: TermsOn = (plan) => {
  const of: PlanTerms = {
    plan,
    effectiveFrom: '2026-01-01',
    monthCents: null,
    yearCents: null,
    reportCents: 9900,
    timestampCents: 500,
    reportsPerMonth: null,
    timestampsPerMonth: null,
    drafts: 5,
    seats: 1,
  }
  if (plan === 'unit' || plan === 'custom') return of
  const [monthCents, yearCents] = prices[plan]
  return { ...of, monthCents, yearCents }
}
const essential: Formula = { plan: 'essential', cycle: 'month', instalments: 1 }
const inFour: Formula = { plan: 'comfort', cycle: 'year', instalments: 4 }
const at = (day: Day) => new Date(beginOf(day).getTime() + 1)
const nothingHeld = { invoices: [], credit: 0 }

test('K-13 K-15 a year of Comfort in four: 4 × 1,197.60 net, now and every three months, each due within 30 days', () => {
  const quote = quoteOf(ask(beginning, inFour, at('2026-11-30'), '2026-11-30'), terms, 2000, nothingHeld)
  expect(quote.invoices.map(({ issuedOn, dueOn, amount, toPay }) => [issuedOn, dueOn, amount.net, amount.vat, toPay])).toEqual([
    ['2026-11-30', '2026-12-30', 119_760, 23_952, 143_712],
    ['2027-02-28', '2027-03-30', 119_760, 23_952, 143_712],
    ['2027-05-30', '2027-06-29', 119_760, 23_952, 143_712],
    ['2027-08-30', '2027-09-29', 119_760, 23_952, 143_712],
  ])
  expect(quote).toMatchObject({
    when: 'once_paid',
    dueNow: 143_712,
    renewal: { on: '2027-11-30', amount: amountOf(119_760, 23_952) },
  })
})

test('K-14 a year of Comfort in one: 4,790.40 net, all of it now, and the same a year later', () => {
  const inOne: Formula = { plan: 'comfort', cycle: 'year', instalments: 1 }
  const quote = quoteOf(ask(beginning, inOne, at('2026-11-30'), '2026-11-30'), terms, 2000, nothingHeld)
  expect(quote.invoices.map(({ issuedOn, span, amount, toPay }) => [issuedOn, span, amount.net, toPay])).toEqual([
    ['2026-11-30', { from: '2026-11-30', to: '2027-11-30' }, 479_040, 574_848],
  ])
  expect(quote).toMatchObject({ dueNow: 574_848, renewal: { on: '2027-11-30', amount: priced(479_040, 2000) } })
})

test('H-35 more at once: the new plan at its full price, less what is left of the old one by the day', () => {
  const had = activate(ask(beginning, essential, at('2026-11-01'), '2026-11-01'))
  const invoices: Invoiced[] = [
    { id: 'i', span: { from: '2026-11-01', to: '2026-12-01' }, amount: priced(39_900, 2000), credited: amountOf(0, 0) },
  ]
  const more: Formula = { plan: 'comfort', cycle: 'month', instalments: 1 }
  const quote = quoteOf(ask(had, more, at('2026-11-16'), '2026-11-16'), terms, 2000, { invoices, credit: 0 })
  expect(quote.credits).toEqual([
    { invoiceId: 'i', span: { from: '2026-11-16', to: '2026-12-01' }, amount: amountOf(19_950, 3990) },
  ])
  expect(quote.dueNow).toBe(59_880 - 23_940)
  expect(quote.renewal).toEqual({ on: '2026-12-16', amount: priced(49_900, 2000) })
})

test('what is to one’s credit is taken off one invoice after the other, and what is left is kept', () => {
  const quote = quoteOf(ask(beginning, inFour, at('2026-11-30'), '2026-11-30'), terms, 2000, { invoices: [], credit: 200_000 })
  expect(quote.invoices.map(({ toPay }) => toPay)).toEqual([0, 87_424, 143_712, 143_712])
  const small = quoteOf(ask(beginning, essential, at('2026-11-30'), '2026-11-30'), terms, 2000, { invoices: [], credit: 50_000 })
  expect([small.dueNow, small.creditLeft]).toEqual([0, 50_000 - 47_880])
})

test('S-12 less at the end: nothing now, nothing given back, the first invoice on that day', () => {
  const had = activate(ask(beginning, inFour, at('2027-01-31'), '2027-01-31'))
  const less = quoteOf(ask(had, essential, at('2027-02-01'), '2027-02-01'), terms, 2000, nothingHeld)
  expect(less).toMatchObject({ when: 'at_term', on: '2028-01-31', credits: [], dueNow: 0 })
  expect(less.invoices.map(({ issuedOn, span }) => [issuedOn, span.to])).toEqual([['2028-01-31', '2028-02-29']])
  const none = quoteOf(ask(had, unit, at('2027-02-01'), '2027-02-01'), terms, 2000, nothingHeld)
  expect(none).toMatchObject({ when: 'at_term', on: '2028-01-31', invoices: [], renewal: null })
})

/** Invariant 6. */
const neverMore = (credits: typeof creditsFor) =>
  fc.property(
    fc.integer({ min: 0, max: 10_000_000 }),
    fc.constantFrom(0, 550, 850, 2000),
    fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 6 }),
    (net, rate, days) => {
      const invoice = { id: 'i', span: { from: '2027-01-31', to: '2027-02-28' }, amount: priced(net, rate) }
      let credited = amountOf(0, 0)
      for (const day of days) {
        for (const { amount } of credits([{ ...invoice, credited }], addDays('2027-01-25', day)))
          credited = sumOf([credited, amount])
        expect(credited.net).toBeLessThanOrEqual(invoice.amount.net)
        expect(credited.vat).toBeLessThanOrEqual(invoice.amount.vat)
      }
    },
  )
test('credit notes of an invoice never give back more than it was of', () => {
  fc.assert(neverMore(creditsFor))
})
test('… which forgetting the earlier ones would break', () => {
  const forgetful: typeof creditsFor = (invoices, on) =>
    creditsFor(
      invoices.map((each) => ({ ...each, credited: amountOf(0, 0) })),
      on,
    )
  expect(fc.check(neverMore(forgetful)).failed).toBe(true)
})
