import type { Cents } from '../money/money.ts'
import type { Day } from '../calendar/calendar.ts'

/** E-47, S-08, from the least to the most. */
export const plans = ['unit', 'essential', 'comfort', 'custom'] as const
export type Plan = (typeof plans)[number]

/** S-14. */
export const cycles = ['month', 'year'] as const
export type Cycle = (typeof cycles)[number]

export const monthsOf = { month: 1, year: 12 } as const satisfies Readonly<Record<Cycle, number>>

/** What can be had of a plan, and for how much, from one day on. Prices are net; null: there is none to be had so. */
export type PlanTerms = {
  readonly plan: Plan
  readonly effectiveFrom: Day
  readonly monthCents: Cents | null
  readonly yearCents: Cents | null
  /** Of a report and of a time stamp beyond what is included. */
  readonly reportCents: Cents | null
  readonly timestampCents: Cents | null
  /** A month; null: any number. */
  readonly reportsPerMonth: number | null
  readonly timestampsPerMonth: number | null
  /** H-34. */
  readonly drafts: number
  readonly seats: number
}

/** What is subscribed to; Custom at prices that were agreed with one customer. Of a year, the payment may be in four parts (K-15). */
export type Choice = { readonly plan: 'essential' | 'comfort' | 'custom'; readonly cycle: Cycle; readonly instalments: 1 | 4 }
/** What there is, or what is wished for. */
export type Formula = Choice | { readonly plan: 'unit' }

export const unit: Formula = { plan: 'unit' }

export function sameFormula(one: Formula, other: Formula): boolean {
  if (one.plan === 'unit' || other.plan === 'unit') return one.plan === other.plan
  return one.plan === other.plan && one.cycle === other.cycle && one.instalments === other.instalments
}

/**
 * More at once, less at the end of what is paid for: a higher plan is more, whatever its cycle, and so is a year of the same one. How a year
 * is paid changes nothing before it ends.
 */
export function kindOfChange(from: Formula, to: Formula): 'none' | 'upgrade' | 'downgrade' {
  if (sameFormula(from, to)) return 'none'
  if (from.plan === 'unit') return 'upgrade'
  if (to.plan === 'unit') return 'downgrade'
  const steps = plans.indexOf(to.plan) - plans.indexOf(from.plan)
  if (steps !== 0) return steps > 0 ? 'upgrade' : 'downgrade'
  return from.cycle === 'month' && to.cycle === 'year' ? 'upgrade' : 'downgrade'
}

export function priceOf(terms: PlanTerms, cycle: Cycle): Cents | null {
  return cycle === 'month' ? terms.monthCents : terms.yearCents
}
