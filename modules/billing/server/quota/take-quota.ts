import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { dayOf, monthsAfter, monthsUntil, type Span } from '../../domain/calendar/calendar.ts'
import { periodOf } from '../../domain/subscription/machine.ts'
import type { Plan } from '../../domain/plan/plan.ts'
import type { Cents } from '../../domain/money/money.ts'
import { findCustomer, findPayerOf, lockCustomer, type Customer } from '../customer/customer-store.ts'
import { listTerms, termsOf } from '../plan/plan-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { findCurrent } from '../subscription/subscription-store.ts'
import { findUsed, insertTaken, listTaken, useSome, type Counted } from './quota-store.ts'

/** As the database holds it. */
const anyNumber = 2_147_483_647

export type Quota = {
  readonly plan: Plan
  /** The month that is counted from the anchor; null: no plan runs. */
  readonly month: Span | null
  readonly used: number
  /** null: any number. */
  readonly included: number | null
  /** What one beyond them costs. */
  readonly netCents: Cents
}

/**
 * What the plan of a customer includes of a kind, and what is used of it. Prices and quotas of a period are those of its first day (H-34).
 * @throws DomainError `billing.suspended` (S-10), `billing.custom_by_quote`
 */
export async function readQuota(
  tx: Tx,
  deps: Pick<BillingDeps, 'clock'>,
  customer: Pick<Customer, 'id'> | null,
  kind: Counted,
): Promise<Quota & { readonly subscriptionId: string | null }> {
  const today = dayOf(deps.clock.now())
  const terms = termsOf(await listTerms(tx, customer?.id ?? null))
  const held = customer === null ? null : await findCurrent(tx, customer.id)
  if (held?.state.status === 'suspended') throw new DomainError('conflict', 'billing.suspended')
  const period = held === null ? null : periodOf(held.state)
  const plan = held?.state.formula.plan ?? 'unit'
  const inForce = terms(plan, period?.from ?? today)
  const netCents = (kind === 'evidence' ? inForce?.reportCents : inForce?.timestampCents) ?? null
  if (inForce === null || netCents === null) throw new DomainError('conflict', 'billing.custom_by_quote')
  const anchor = held?.state.anchoredOn ?? null
  if (held === null || anchor === null) return { plan, month: null, used: 0, included: 0, netCents, subscriptionId: null }
  const before = monthsUntil(anchor, today)
  const month = { from: monthsAfter(anchor, before), to: monthsAfter(anchor, before + 1) }
  const included = kind === 'evidence' ? inForce.reportsPerMonth : inForce.timestampsPerMonth
  return { plan, month, used: await findUsed(tx, held.id, kind, month.from), included, netCents, subscriptionId: held.id }
}

export type Taken = {
  /** Those of the things asked for, in their order, that the plan includes. */
  readonly covered: readonly string[]
  /** What each of the others costs, net. */
  readonly netCents: Cents
}

/**
 * Takes reports or time stamps from the quota of the account's plan, of the month that is counted from its anchor, or from that of the
 * owner of its group; once for each, however often it is asked. What no quota covers has a price (H-34).
 * @throws DomainError `billing.suspended` (S-10)
 */
export async function takeQuota(
  tx: Tx,
  deps: Pick<BillingDeps, 'clock'>,
  accountId: string,
  { kind, subjectIds }: { readonly kind: Counted; readonly subjectIds: readonly string[] },
): Promise<Taken> {
  const now = deps.clock.now()
  const customer = await findCustomer(tx, await findPayerOf(tx, accountId))
  if (customer !== null) await lockCustomer(tx, customer.id)
  const { subscriptionId, month, included, netCents } = await readQuota(tx, deps, customer, kind)
  if (subscriptionId === null || month === null) return { covered: [], netCents }
  const before = await listTaken(tx, subjectIds)
  const fresh = subjectIds.filter((id) => !before.has(id))
  const of = { subscriptionId, kind, month: month.from }
  // What is without bound is counted too: a plan may be left for one that is not, within a month.
  const some = await useSome(tx, { ...of, quota: included ?? anyNumber }, fresh.length)
  const taken = new Set([...before, ...fresh.slice(0, some)])
  await insertTaken(tx, { ...of, subjectIds: fresh.slice(0, some) }, now)
  return { covered: subjectIds.filter((id) => taken.has(id)), netCents }
}
