import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { dayOf, type Day } from '../../domain/calendar/calendar.ts'
import { plans, type Plan, type PlanTerms } from '../../domain/plan/plan.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { insertTerms, listTerms, termsOf } from './plan-store.ts'

export type PlanChange = Partial<Omit<PlanTerms, 'plan' | 'effectiveFrom'>>

/**
 * Changes what a plan costs or holds, from a day on that is not over: what was invoiced stays, and each period has the prices of its first day.
 * @param actor null: the operator, at the command line
 * @throws DomainError `billing.plan_unknown`, `billing.plan_day_over`
 */
export async function setPlan(
  tx: Tx,
  { clock }: Pick<BillingDeps, 'clock'>,
  {
    plan,
    from,
    change,
    actor,
  }: { readonly plan: Plan; readonly from: Day; readonly change: PlanChange; readonly actor: Actor | null },
): Promise<PlanTerms> {
  const now = clock.now()
  if (from < dayOf(now)) throw new DomainError('invalid', 'billing.plan_day_over', { from })
  const before = termsOf(await listTerms(tx, null))(plan, from)
  if (before === null) throw new DomainError('not_found', 'billing.plan_unknown')
  const terms = { ...before, ...change, effectiveFrom: from }
  await insertTerms(tx, terms, now)
  await recordAct(tx, now, { action: 'billing.set_plan', actor, subject: { type: 'plan', id: plan }, data: { from } })
  return terms
}

/** As they are in force today. @param customerId whose own prices count too; null: nobody's */
export async function listPlans(
  { db, clock }: Pick<BillingDeps, 'db' | 'clock'>,
  customerId: string | null = null,
): Promise<PlanTerms[]> {
  const inForce = termsOf(await listTerms(db, customerId))
  return plans.flatMap((plan) => inForce(plan, dayOf(clock.now())) ?? [])
}
