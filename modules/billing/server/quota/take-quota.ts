import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { dayOf, monthsAfter, monthsUntil, type Day } from '../../domain/calendar/calendar.ts'
import { periodOf } from '../../domain/subscription/machine.ts'
import type { Cents } from '../../domain/money/money.ts'
import { findCustomer, findPayerOf, lockCustomer } from '../customer/customer-store.ts'
import { listTerms, termsOf } from '../plan/plan-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { findCurrent } from '../subscription/subscription-store.ts'
import { insertTaken, isTaken, useOne, type Counted } from './quota-store.ts'

/** First day of the month that is counted from the anchor. */
const monthOf = (anchor: Day, today: Day): Day => monthsAfter(anchor, monthsUntil(anchor, today))

export type Taken =
  | { readonly covered: true }
  /** What it costs, net. */
  | { readonly covered: false; readonly netCents: Cents }

/**
 * Takes a report or a time stamp from the quota of the account's plan, of the month that is counted from its anchor, or from that of the
 * owner of its group; once for each, however
 * often it is asked. What no quota covers has a price (H-34).
 * @throws DomainError `billing.suspended` (S-10)
 */
export async function takeQuota(
  tx: Tx,
  deps: Pick<BillingDeps, 'clock'>,
  accountId: string,
  { kind, subjectId }: { readonly kind: Counted; readonly subjectId: string },
): Promise<Taken> {
  const now = deps.clock.now()
  const today = dayOf(now)
  const terms = termsOf(await listTerms(tx))
  const customer = await findCustomer(tx, await findPayerOf(tx, accountId))
  if (customer !== null) await lockCustomer(tx, customer.id)
  const held = customer === null ? null : await findCurrent(tx, customer.id)
  if (held?.state.status === 'suspended') throw new DomainError('conflict', 'billing.suspended')
  const period = held === null ? null : periodOf(held.state)
  // Prices and quotas of a period are those of its first day.
  const inForce = terms(held?.state.formula.plan ?? 'unit', period?.from ?? today)
  const net = (kind === 'evidence' ? inForce?.reportCents : inForce?.timestampCents) ?? null
  if (inForce === null || net === null) throw new DomainError('conflict', 'billing.custom_by_quote')
  if (held === null || held.state.anchoredOn === null) return { covered: false, netCents: net }
  if (await isTaken(tx, subjectId)) return { covered: true }
  const month = monthOf(held.state.anchoredOn, today)
  const quota = kind === 'evidence' ? inForce.reportsPerMonth : inForce.timestampsPerMonth
  const of = { subscriptionId: held.id, kind, month }
  if (quota !== null && !(await useOne(tx, { ...of, quota }))) return { covered: false, netCents: net }
  await insertTaken(tx, { ...of, subjectId }, now)
  return { covered: true }
}
