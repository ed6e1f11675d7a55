import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { addDays, dayOf } from '../../domain/calendar/calendar.ts'
import { nextAttemptAfter } from '../../domain/invoice/status.ts'
import { entryOfPayment, entryOfReversal, type Channel } from '../../domain/journal/entry.ts'
import type { Cents } from '../../domain/money/money.ts'
import { monthsOf } from '../../domain/plan/plan.ts'
import { fallDue, settle } from '../../domain/subscription/machine.ts'
import { lockCustomer } from '../customer/customer-store.ts'
import { changeStatus, findInstalment, listOpen, setOwed, type Instalment } from '../invoice/instalment-store.ts'
import { holdNumbers } from '../invoice/number-store.ts'
import { postEntry } from '../journal/journal-store.ts'
import { settlePurchase } from '../purchase/settle-purchase.ts'
import { notifyFailure } from '../notice/notify.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { activatePaid } from '../subscription/activate-paid.ts'
import { beginPeriod } from '../subscription/begin-period.ts'
import { dropOpen } from '../subscription/drop-open.ts'
import { setAlarm } from '../subscription/set-alarm.ts'
import { findSubscription, saveSubscription, type Held } from '../subscription/subscription-store.ts'

/** What a payment came by, and which attempt brought it; null: none of ours did. */
export type Means = { readonly channel: Channel; readonly attemptId: string | null }

/** Held with its customer, so that two who bring the same news wait for each other. @throws DomainError `billing.instalment_unknown` */
export async function holdInstalment(tx: Tx, id: string): Promise<Instalment> {
  const before = await findInstalment(tx, id)
  if (before === null) throw new DomainError('not_found', 'billing.instalment_unknown')
  await lockCustomer(tx, before.customerId)
  const held = await findInstalment(tx, id)
  if (held === null) throw new DomainError('not_found', 'billing.instalment_unknown')
  return held
}

/** What came for an instalment, or went again. */
export async function postMoney(
  tx: Tx,
  deps: BillingDeps,
  instalment: Pick<Instalment, 'customerId' | 'invoiceId'>,
  kind: 'payment' | 'reversal',
  cents: Cents,
  { channel, attemptId }: Means,
): Promise<void> {
  await holdNumbers(tx)
  const entry = kind === 'payment' ? entryOfPayment : entryOfReversal
  const occasion = { kind, customerId: instalment.customerId, invoiceId: instalment.invoiceId, attemptId }
  await postEntry(tx, entry(cents, channel), occasion, deps.clock.now())
}

/**
 * It is paid; a second time nothing happens. What was kept of payments that were taken back in part is of it again.
 * @returns whether it was not yet
 */
export async function settleInstalment(tx: Tx, deps: BillingDeps, id: string, means: Means): Promise<boolean> {
  const held = await holdInstalment(tx, id)
  if (held.status === 'paid') return false
  const { toPay } = held
  if (held.kept > 0) await setOwed(tx, id, toPay + held.kept, 0)
  const instalment: Instalment = { ...held, toPay: toPay + held.kept, kept: 0 }
  const now = deps.clock.now()
  const subscription = instalment.subscriptionId === null ? null : await findSubscription(tx, instalment.subscriptionId)
  if (instalment.ofChange && subscription !== null) {
    await activatePaid(tx, deps, subscription, instalment)
    await postMoney(tx, deps, instalment, 'payment', toPay, means)
    return true
  }
  if (!(await settlePurchase(tx, deps, instalment))) await changeStatus(tx, instalment, 'paid', now, { nextAttemptOn: null })
  await postMoney(tx, deps, instalment, 'payment', toPay, means)
  if (subscription !== null) await settleSubscription(tx, deps, subscription)
  return true
}

/** Once nothing is overdue, all is as before; after a suspension over the end of a period, a new cycle begins. */
async function settleSubscription(tx: Tx, deps: BillingDeps, held: Held): Promise<void> {
  const now = deps.clock.now()
  const today = dayOf(now)
  const { status } = held.state
  const open = await listOpen(tx, held.id)
  const overdue = open.some((each) => each.status === 'failed' || (each.dueOn !== null && each.dueOn < today))
  if ((status !== 'past_due' && status !== 'suspended') || overdue) {
    if (status !== 'cancelled') await setAlarm(tx, held, now)
    return
  }
  const { subscription: state, begun } = settle(held.state, today)
  const settled: Held = { ...held, state }
  const isBegun = begun && (await beginCycle(tx, deps, settled, now))
  const { formula } = state
  // As though a period ended today: what could not be invoiced now is tried again each day.
  const waiting = begun && !isBegun && formula.plan !== 'unit' ? { monthsBefore: -monthsOf[formula.cycle] } : {}
  const after: Held = { ...held, state: { ...state, ...waiting } }
  await saveSubscription(tx, held.id, after.state, 'settled', now)
  await setAlarm(tx, after, now, begun && !isBegun)
}

/** What was still to be invoiced of the old cycle is dropped. @returns whether the new one could be: what was paid is paid in any case */
async function beginCycle(tx: Tx, deps: BillingDeps, settled: Held, now: Date): Promise<boolean> {
  await dropOpen(tx, settled.id, now)
  try {
    return await beginPeriod(tx, deps, settled, now)
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
  }
}

/**
 * A charge failed: nothing is taken away yet, and it is tried again.
 * @param isPresent the customer tried it himself: he may try again at once, and what is not overdue does not become so
 */
export async function failInstalment(tx: Tx, deps: BillingDeps, id: string, isPresent = false): Promise<void> {
  const instalment = await holdInstalment(tx, id)
  const now = deps.clock.now()
  const today = dayOf(now)
  const failures = instalment.failures + (isPresent ? 0 : 1)
  const wait = failures === 0 ? null : nextAttemptAfter(failures - 1)
  await changeStatus(tx, instalment, 'failed', now, { failures, nextAttemptOn: wait === null ? null : addDays(today, wait) })
  // Whoever tried it himself was told on the page.
  if (!isPresent) await notifyFailure(tx, instalment, now)
  const isEarly = isPresent && instalment.dueOn !== null && today <= instalment.dueOn
  if (!instalment.ofChange && !isEarly) await fallBehind(tx, deps, instalment)
}

/**
 * The bank took it back, or a part of it: that is owed again.
 * @param cents null: all of it
 * @throws DomainError `billing.illegal_transition`: so much of it was not paid
 */
export async function reverseInstalment(
  tx: Tx,
  deps: BillingDeps,
  id: string,
  means: Means,
  cents: Cents | null = null,
): Promise<void> {
  const instalment = await holdInstalment(tx, id)
  const { status, toPay, kept } = instalment
  const isPaid = status === 'paid'
  const paid = isPaid ? toPay : kept
  const taken = cents ?? paid
  if (isPaid) await changeStatus(tx, instalment, 'due', deps.clock.now())
  if (taken > paid || taken === 0) throw new DomainError('conflict', 'billing.illegal_transition', { from: status, to: 'due' })
  await setOwed(tx, id, isPaid ? taken : toPay + taken, paid - taken)
  await postMoney(tx, deps, instalment, 'reversal', taken, means)
  await fallBehind(tx, deps, instalment)
}

async function fallBehind(tx: Tx, deps: BillingDeps, { subscriptionId }: Instalment): Promise<void> {
  const held = subscriptionId === null ? null : await findSubscription(tx, subscriptionId)
  if (held === null) return
  const now = deps.clock.now()
  const late: Held = { ...held, state: fallDue(held.state, dayOf(now)) }
  if (late.state !== held.state) await saveSubscription(tx, held.id, late.state, 'overdue', now)
  if (late.state.status !== 'cancelled') await setAlarm(tx, late, now)
}
