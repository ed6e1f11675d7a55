/** What a customer is told of his subscription ahead, and when: decided by days alone, so that a day that was missed is made up for the next. */
import { addDays, monthsAfter, type Day } from '../calendar/calendar.ts'
import { daysToEnd, daysToSuspension, periodOf, type Subscription } from './machine.ts'

export type Reminder = {
  readonly kind: 'suspension_near' | 'cancellation_near' | 'renewal_near'
  /** On which day what it tells of comes. */
  readonly on: Day
  /** One of each is sent. */
  readonly occasion: string
}

/** Days before a suspension, and before the end, the nearest last. */
const beforeSuspension = [7] as const
const beforeEnd = [14, 3] as const
/**
 * Of what is renewed by itself a consumer is told three months before at most, and one at least (C. consom., art. L215-1); whoever is in trade is
 * told too. Months are counted back from the end of the period.
 */
const monthsBeforeRenewal = 2

function ahead(kind: Reminder['kind'], on: Day, days: readonly number[], today: Day): Reminder[] {
  if (today >= on) return []
  const nearest = days.filter((each) => today >= addDays(on, -each)).at(-1)
  return nearest === undefined ? [] : [{ kind, on, occasion: `${on} ${String(nearest)}` }]
}

export function remindersOn(subscription: Subscription, today: Day): readonly Reminder[] {
  const { status, pastDueSince, formula, pending } = subscription
  if (status === 'past_due' && pastDueSince !== null)
    return ahead('suspension_near', addDays(pastDueSince, daysToSuspension), beforeSuspension, today)
  if (status === 'suspended' && pastDueSince !== null)
    return ahead('cancellation_near', addDays(pastDueSince, daysToEnd), beforeEnd, today)
  const period = periodOf(subscription)
  if (status !== 'active' || period === null || formula.plan === 'unit' || formula.cycle !== 'year') return []
  // Whoever goes back to Unit then is renewed in nothing.
  if (pending?.to.plan === 'unit' || today < monthsAfter(period.to, -monthsBeforeRenewal) || today >= period.to) return []
  return [{ kind: 'renewal_near', on: period.to, occasion: period.to }]
}
