import type { Day } from '../calendar/calendar.ts'
import type { Amount, BasisPoints } from '../money/money.ts'
import { monthsOf } from '../plan/plan.ts'
import type { Subscription } from './machine.ts'
import { partsOfPeriod, type TermsOn } from './quote.ts'

export type Foretold = { readonly on: Day; readonly amount: Amount }

/**
 * The first invoice that is to come by itself: the next part of the present period, else the first of the one after, by what is to come then
 * (S-12). @param scheduled the next part that has no invoice yet @returns null: none is to come
 */
export function nextInvoiceOf(
  { status, formula, pending, anchoredOn, monthsBefore }: Subscription,
  scheduled: Foretold | null,
  terms: TermsOn,
  rate: BasisPoints,
): Foretold | null {
  if ((status !== 'active' && status !== 'past_due') || formula.plan === 'unit' || anchoredOn === null) return null
  if (scheduled !== null) return scheduled
  const to = pending?.kind === 'term' ? pending.to : formula
  if (to.plan === 'unit') return null
  const after = { anchoredOn, monthsBefore: monthsBefore + monthsOf[formula.cycle] }
  const [first] = partsOfPeriod(to, terms, rate, after)
  return first === undefined ? null : { on: first.span.from, amount: first.amount }
}
