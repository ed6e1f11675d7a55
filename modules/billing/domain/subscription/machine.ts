import { DomainError } from '../../../../kernel/errors.ts'
import { addDays, monthsAfter, monthsUntil, spanAfter, type Day, type Span } from '../calendar/calendar.ts'
import { kindOfChange, monthsOf, unit, type Choice, type Formula } from '../plan/plan.ts'

export const subscriptionStatuses = ['unit', 'incomplete', 'active', 'past_due', 'suspended', 'cancelled'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** What may follow what; the database holds the same table (migration 0054). */
export const subscriptionTransitions = {
  unit: ['incomplete', 'cancelled'],
  /** Waits for its first payment, at most a day. */
  incomplete: ['unit', 'active', 'cancelled'],
  active: ['past_due', 'unit', 'cancelled'],
  /** A payment failed: nothing is taken away yet. */
  past_due: ['active', 'suspended', 'unit', 'cancelled'],
  /** S-10: read, export and pay. */
  suspended: ['active', 'cancelled'],
  cancelled: [],
} as const satisfies Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>>

/** How long a change waits for its payment. */
export const paymentWindowMs = 24 * 60 * 60 * 1000
export const daysToSuspension = 21
export const daysToEnd = 60

export type Pending =
  /** Once it is paid, as of the day on which it was asked for. */
  | { readonly kind: 'payment'; readonly to: Choice; readonly on: Day; readonly until: Date }
  /** S-12: at the end of what is paid for. */
  | { readonly kind: 'term'; readonly to: Formula; readonly on: Day }

export type Subscription = {
  readonly status: SubscriptionStatus
  readonly formula: Formula
  /** The day that periods are counted from; null: there are none. */
  readonly anchoredOn: Day | null
  /** Months from there to the beginning of the present period. */
  readonly monthsBefore: number
  readonly pending: Pending | null
  readonly pastDueSince: Day | null
}

export const beginning: Subscription = {
  status: 'unit',
  formula: unit,
  anchoredOn: null,
  monthsBefore: 0,
  pending: null,
  pastDueSince: null,
}

/** @throws DomainError `billing.illegal_transition` */
function become(subscription: Subscription, status: SubscriptionStatus): Subscription {
  const { status: from } = subscription
  const allowed: readonly SubscriptionStatus[] = subscriptionTransitions[from]
  if (from !== status && !allowed.includes(status))
    throw new DomainError('conflict', 'billing.illegal_transition', { from, to: status })
  return { ...subscription, status }
}

/** The present period; null: there is none. */
export function periodOf({ anchoredOn, monthsBefore, formula }: Subscription): Span | null {
  return anchoredOn === null || formula.plan === 'unit' ? null : spanAfter(anchoredOn, monthsBefore, monthsOf[formula.cycle])
}

/**
 * Puts a change before: more waits for its payment, less for the end of the period.
 * @throws DomainError `billing.change_pending`, `billing.same_plan`, `billing.invoice_unpaid`, `billing.subscription_ended`
 */
export function ask(subscription: Subscription, to: Formula, now: Date, today: Day): Subscription {
  const { status, formula, pending } = subscription
  if (status === 'cancelled') throw new DomainError('conflict', 'billing.subscription_ended')
  if (status === 'past_due' || status === 'suspended') throw new DomainError('conflict', 'billing.invoice_unpaid')
  if (pending !== null) throw new DomainError('conflict', 'billing.change_pending')
  const kind = kindOfChange(formula, to)
  if (kind === 'none') throw new DomainError('conflict', 'billing.same_plan')
  const period = periodOf(subscription)
  if (kind === 'downgrade' && period !== null) return { ...subscription, pending: { kind: 'term', to, on: period.to } }
  if (to.plan === 'unit') throw new DomainError('conflict', 'billing.same_plan')
  const waiting: Pending = { kind: 'payment', to, on: today, until: new Date(now.getTime() + paymentWindowMs) }
  return { ...become(subscription, status === 'unit' ? 'incomplete' : status), pending: waiting }
}

/** S-13: as it was before it was asked for. @throws DomainError `billing.nothing_pending` */
export function undo(subscription: Subscription): Subscription {
  if (subscription.pending === null) throw new DomainError('conflict', 'billing.nothing_pending')
  const { status } = subscription
  return { ...become(subscription, status === 'incomplete' ? 'unit' : status), pending: null }
}

/** What waited for its payment is paid: a new cycle begins, on the day on which it was asked for. */
export function activate(subscription: Subscription): Subscription {
  const { pending } = subscription
  if (pending?.kind !== 'payment') throw new DomainError('conflict', 'billing.nothing_pending')
  return {
    ...become(subscription, 'active'),
    formula: pending.to,
    anchoredOn: pending.on,
    monthsBefore: 0,
    pending: null,
    pastDueSince: null,
  }
}

/** The end of a period: what was to come then comes; else it is renewed. The anchor stays, so no day is lost or counted twice. */
export function endPeriod(subscription: Subscription): Subscription {
  const { formula, pending, monthsBefore } = subscription
  if (formula.plan === 'unit' || pending?.kind === 'payment') throw new DomainError('conflict', 'billing.change_pending')
  const to = pending === null ? formula : pending.to
  if (to.plan === 'unit') return { ...beginning, status: become(subscription, 'unit').status }
  return { ...subscription, formula: to, monthsBefore: monthsBefore + monthsOf[formula.cycle], pending: null }
}

/** A payment failed, or its day went by. */
export function fallDue(subscription: Subscription, since: Day): Subscription {
  return subscription.status === 'active' ? { ...become(subscription, 'past_due'), pastDueSince: since } : subscription
}

export const suspend = (subscription: Subscription): Subscription => become(subscription, 'suspended')

/** The end, after sixty days or with the account. */
export const cancel = (subscription: Subscription): Subscription => ({ ...become(subscription, 'cancelled'), pending: null })

/** Where what was paid for and has not begun begins: the month that is running may have been used up on its first day. null: nothing runs. */
export function beginOfUnused({ anchoredOn }: Pick<Subscription, 'anchoredOn'>, today: Day): Day | null {
  return anchoredOn === null || today < anchoredOn ? anchoredOn : monthsAfter(anchoredOn, monthsUntil(anchoredOn, today) + 1)
}

/** All is paid. Of a period that ended while it was suspended nothing is owed: a new cycle begins on that day. */
export function settle(subscription: Subscription, today: Day): { readonly subscription: Subscription; readonly begun: boolean } {
  const active = { ...become(subscription, 'active'), pastDueSince: null }
  const period = periodOf(subscription)
  if (subscription.status !== 'suspended' || period === null || period.to > today) return { subscription: active, begun: false }
  return { subscription: { ...active, anchoredOn: today, monthsBefore: 0 }, begun: true }
}

export type Event = { readonly kind: 'lapse' | 'term' | 'issue' | 'overdue' | 'suspend' | 'end'; readonly on: Day }

/** What the calendar does next to a subscription, the earliest first. */
export function nextEvent(
  subscription: Subscription,
  open: {
    /** When the next of the instalments that have no invoice yet is due to have one. */
    readonly issueOn: Day | null
    /** Until when the oldest unpaid invoice was to be paid. */
    readonly unpaidDueOn: Day | null
    /** The first day of which the time for a payment is over. */
    readonly lapsesOn: Day | null
  },
): Event | null {
  const { status, pastDueSince } = subscription
  const events: Event[] = []
  // Whether it is upgraded is decided first: what is invoiced next depends on it.
  const served = (status === 'active' || status === 'past_due') && subscription.pending?.kind !== 'payment'
  const period = periodOf(subscription)
  if (open.lapsesOn !== null) events.push({ kind: 'lapse', on: open.lapsesOn })
  if (served && period !== null) events.push({ kind: 'term', on: period.to })
  if (served && open.issueOn !== null) events.push({ kind: 'issue', on: open.issueOn })
  if (status === 'active' && open.unpaidDueOn !== null) events.push({ kind: 'overdue', on: addDays(open.unpaidDueOn, 1) })
  if (status === 'past_due' && pastDueSince !== null)
    events.push({ kind: 'suspend', on: addDays(pastDueSince, daysToSuspension) })
  if (status === 'suspended' && pastDueSince !== null) events.push({ kind: 'end', on: addDays(pastDueSince, daysToEnd) })
  return events.reduce<Event | null>((first, each) => (first === null || each.on < first.on ? each : first), null)
}
