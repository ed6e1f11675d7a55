import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { dayOf, type Day } from '../../domain/calendar/calendar.ts'
import { plans, type Plan, type PlanTerms } from '../../domain/plan/plan.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { insertTerms, listTerms, termsOf } from './plan-store.ts'

export type PlanChange = Partial<Omit<PlanTerms, 'plan' | 'effectiveFrom'>>

/**
 * Changes what a plan costs or holds, from a day on that is not over: what was invoiced stays, and each period has the prices of its first day.
 * By the operator, at the command line.
 * @throws DomainError `billing.plan_unknown`, `billing.plan_day_over`
 */
export async function setPlan(
  { db, clock }: Pick<BillingDeps, 'db' | 'clock'>,
  plan: Plan,
  from: Day,
  change: PlanChange,
): Promise<PlanTerms> {
  return await db.transaction().execute(async (tx) => {
    const now = clock.now()
    if (from < dayOf(now)) throw new DomainError('invalid', 'billing.plan_day_over', { from })
    const before = termsOf(await listTerms(tx))(plan, from)
    if (before === null) throw new DomainError('not_found', 'billing.plan_unknown')
    const terms = { ...before, ...change, effectiveFrom: from }
    await insertTerms(tx, terms, now)
    await recordAct(tx, now, { action: 'billing.set_plan', actor: null, subject: { type: 'plan', id: plan }, data: { from } })
    return terms
  })
}

/** As they are in force today. */
export async function listPlans({ db, clock }: Pick<BillingDeps, 'db' | 'clock'>): Promise<PlanTerms[]> {
  const inForce = termsOf(await listTerms(db))
  return plans.flatMap((plan) => inForce(plan, dayOf(clock.now())) ?? [])
}
