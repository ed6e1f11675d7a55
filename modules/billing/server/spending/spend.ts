import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { dayOf, monthOf, type Span } from '../../domain/calendar/calendar.ts'
import { findPayerOf, lockCustomerOf } from '../customer/customer-store.ts'
import { accrueExtra } from '../extras/accrue-extra.ts'
import { openPurchase, type Opened } from '../purchase/open-purchase.ts'
import { findPurchase } from '../purchase/purchase-store.ts'
import { takeQuota } from '../quota/take-quota.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { holdersOf, insertSpenders, readCeiling, type Holder } from './spending-store.ts'

/** What a ceiling is of. */
export const monthNow = ({ clock }: Pick<BillingDeps, 'clock'>): Span => monthOf(dayOf(clock.now()))

/** Held before any row of what is agreed to, so that whoever pays and whoever changes the thing wait for each other in one order. */
export async function holdPayerOf(tx: Tx, deps: Pick<BillingDeps, 'clock'>, accountId: string): Promise<void> {
  await lockCustomerOf(tx, await findPayerOf(tx, accountId), deps.clock.now())
}

export type Spent = {
  /** Those that go on at once: the plan includes them, or they are on the invoice of the month. */
  readonly covered: readonly string[]
  /** What the others wait for; null: they are none. Where it is paid, they were handed over already. */
  readonly opened: Opened | null
}

export type ToSpend = {
  readonly category: 'evidence' | 'document'
  /** Of the account whose they are; those that its plan includes are taken from that first. */
  readonly subjectIds: readonly string[]
  /** What the purchase of the others is of. They wait for it already. */
  purchaseId(this: void, others: readonly string[]): Promise<string>
}

/** @throws DomainError `billing.ceiling_reached` */
async function assertWithin(tx: Tx, deps: BillingDeps, holders: readonly Holder[]): Promise<void> {
  for (const holder of holders) {
    // The purchase is in it already.
    const { ceiling, spent } = await readCeiling(tx, holder, monthNow(deps))
    if (spent > ceiling)
      throw new DomainError('conflict', 'billing.ceiling_reached', { holder: holder.kind, ceiling_cents: ceiling })
  }
}

/**
 * What was agreed to is taken from the plan, or bought: on the invoice of the month, or paid for first; by whom the account's plan is paid, the account itself or the owner of its group. The
 * caller holds that one (`holdPayerOf`), so of several who spend at once each is counted.
 * @param ownerId whose account the things are of
 * @throws DomainError `billing.profile_incomplete` (V-45), `billing.ceiling_reached`, `billing.suspended`, `billing.vat_unchecked`,
 * `billing.invoice_unpaid`
 */
export async function spend(tx: Tx, deps: BillingDeps, actor: Actor, ownerId: string, wanted: ToSpend): Promise<Spent> {
  const { category, subjectIds } = wanted
  const { covered, netCents } = await takeQuota(tx, deps, ownerId, { kind: category, subjectIds })
  const included = new Set(covered)
  const others = subjectIds.filter((id) => !included.has(id))
  if (others.length === 0) return { covered, opened: null }
  const payerId = await findPayerOf(tx, ownerId)
  const subjectId = await wanted.purchaseId(others)
  const bought = { category, subjectId }
  const asked = { ...bought, netCents, quantity: others.length }
  const holders = holdersOf(actor, payerId)
  const hold = async () => {
    await insertSpenders(tx, bought, holders)
    await assertWithin(tx, deps, holders)
  }
  if (await accrueExtra(tx, deps, payerId, asked)) {
    await hold()
    return { covered: subjectIds, opened: null }
  }
  const before = await findPurchase(tx, bought)
  const opened = await openPurchase(tx, deps, payerId, asked)
  // Who asked first for what waits already is counted.
  if (before === null) await hold()
  return { covered, opened }
}
