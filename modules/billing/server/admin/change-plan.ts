import { sql } from 'kysely'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { PlanChangeOnTheWire } from '../../contract/administration.ts'
import { dayOf, type Day } from '../../domain/calendar/calendar.ts'
import type { Plan, PlanTerms } from '../../domain/plan/plan.ts'
import { lockCustomer } from '../customer/customer-store.ts'
import { setPlan, type PlanChange } from '../plan/set-plan.ts'
import { insertCustomTerms, listTerms, termsOf } from '../plan/plan-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { doOrShow, Shown } from '../seller/do-or-show.ts'
import { assertShown } from './carry-out.ts'
import { nameOfShown } from './consequence.ts'
import { insertIntervention } from './intervention-store.ts'
import { presentTerms } from './present-terms.ts'

/** Whose next period begins with these prices, and when the first does. */
async function foreseeRenewals(
  tx: Tx,
  { plan, from, customerId }: { readonly plan: Plan; readonly from: Day; readonly customerId: string | null },
): Promise<{ readonly renewing: number; readonly first_renewal: Day | null }> {
  const { rows } = await sql<{ renewing: number; first_renewal: Day | null }>`
    select count(*)::integer as renewing, min(greatest(period_to, ${from}::date)) as first_renewal from subscription
    where status in ('active', 'past_due') and coalesce(pending_plan, plan) = ${plan}
      and (${customerId}::uuid is null or customer_id = ${customerId}::uuid)`.execute(tx)
  return rows[0] ?? { renewing: 0, first_renewal: null }
}

function conclude(
  accepted: string | undefined,
  told: Omit<PlanChangeOnTheWire, 'done' | 'shown'>,
  more: Readonly<Record<string, string>> = {},
): PlanChangeOnTheWire {
  // Who renews meanwhile changes a count, and nothing of what is decided.
  const shown = nameOfShown({ before: told.before, after: told.after, ...more })
  if (accepted === undefined) throw new Shown<PlanChangeOnTheWire>({ done: false, shown, ...told })
  assertShown(accepted, shown)
  return { done: true, shown, ...told }
}

/**
 * From the page, by the very use case of the command.
 * @throws DomainError `billing.plan_unknown`, `billing.plan_day_over`, `billing.consequence_changed`
 */
export async function changePlan(
  deps: BillingDeps,
  actor: Actor,
  { plan, from, change, accepted }: { plan: Plan; from: Day; change: PlanChange; accepted: string | undefined },
): Promise<PlanChangeOnTheWire> {
  return await doOrShow(deps, async (tx) => {
    const before = termsOf(await listTerms(tx, null))(plan, from)
    const after = await setPlan(tx, deps, { plan, from, change, actor })
    const renewals = await foreseeRenewals(tx, { plan, from, customerId: null })
    return conclude(accepted, {
      before: before === null ? null : presentTerms(before),
      after: presentTerms(after),
      ...renewals,
    })
  })
}

/** H-35. @throws DomainError `billing.customer_unknown`, `billing.plan_day_over`, `billing.consequence_changed` */
export async function quoteCustomPlan(
  deps: BillingDeps,
  actor: Actor,
  customerId: string,
  quoted: { from: Day; terms: Omit<PlanTerms, 'plan' | 'effectiveFrom'>; reason: string; accepted: string | undefined },
): Promise<PlanChangeOnTheWire> {
  const { from, reason } = quoted
  return await doOrShow(deps, async (tx) => {
    const now = deps.clock.now()
    await lockCustomer(tx, customerId)
    if (from < dayOf(now)) throw new DomainError('invalid', 'billing.plan_day_over', { from })
    const before = termsOf(await listTerms(tx, customerId))('custom', from)
    const after: PlanTerms = { plan: 'custom', effectiveFrom: from, ...quoted.terms }
    await insertCustomTerms(tx, customerId, after, now)
    const why = { kind: 'custom_plan', invoiceId: null, amount: null, reference: null, reason } as const
    await insertIntervention(tx, { customerId, ...why }, actor.userId, now)
    const renewals = await foreseeRenewals(tx, { plan: 'custom', from, customerId })
    const told = { before: before === null ? null : presentTerms(before), after: presentTerms(after), ...renewals }
    const answer = conclude(quoted.accepted, told, { reason, customer: customerId })
    const subject = { type: 'customer', id: customerId }
    await recordAct(tx, now, { action: 'billing.quoted_custom_plan', actor, subject, data: { from } })
    return answer
  })
}
