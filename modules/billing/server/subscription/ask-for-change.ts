import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import { priceOf, type Formula } from '../../domain/plan/plan.ts'
import { ask, undo } from '../../domain/subscription/machine.ts'
import { quoteOf, type Quote } from '../../domain/subscription/quote.ts'
import { creditLeft, type Customer } from '../customer/customer-store.ts'
import { readBuyer, vatFor } from '../customer/read-buyer.ts'
import { assertDraftIssuable } from '../issue/assert-issuable.ts'
import { listOwed } from '../invoice/instalment-store.ts'
import { listInvoiced } from '../invoice/invoice-store.ts'
import { listTerms, termsOf } from '../plan/plan-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { activatePaid } from './activate-paid.ts'
import { draftInvoice, scheduleParts, type Taxed } from './draft-parts.ts'
import { dropOpen } from './drop-open.ts'
import { setAlarm } from './set-alarm.ts'
import { saveSubscription, type Held } from './subscription-store.ts'

/** @throws DomainError `billing.payment_processing`, `billing.invoice_unpaid` */
async function assertNothingOwed(tx: Tx, customerId: string): Promise<void> {
  const owed = await listOwed(tx, customerId)
  if (owed.some((status) => status !== 'due' && status !== 'failed'))
    throw new DomainError('conflict', 'billing.payment_processing')
  if (owed.length > 0) throw new DomainError('conflict', 'billing.invoice_unpaid')
}

/**
 * What a change would bring, by the very rules and figures that carry it out. Nothing is changed.
 * @throws DomainError as {@link askForChange} does
 */
export async function foresee(
  tx: Tx,
  deps: BillingDeps,
  customer: Customer,
  held: Pick<Held, 'state'> & { readonly id: string | null },
  to: Formula,
): Promise<{ readonly quote: Quote; readonly vat: Taxed; readonly after: Held['state'] }> {
  const now = deps.clock.now()
  const terms = termsOf(await listTerms(tx, customer.id))
  // Custom is to be had by whom it was quoted to.
  if (to.plan === 'custom') {
    const quoted = terms('custom', dayOf(now))
    if (quoted === null || priceOf(quoted, to.cycle) === null) throw new DomainError('conflict', 'billing.custom_by_quote')
  }
  await assertNothingOwed(tx, customer.id)
  const vat = vatFor(customer, await readBuyer(tx, customer), deps.vatRate)
  if (vat.kind === 'wait') throw new DomainError('unavailable', 'billing.vat_unchecked')
  const today = dayOf(now)
  const after = ask(held.state, to, now, today)
  const invoices = held.id === null ? [] : await listInvoiced(tx, held.id, today)
  const quote = quoteOf(after, terms, vat.rate, { invoices, credit: await creditLeft(tx, customer.id) })
  return { quote, vat, after }
}

/**
 * Asks for another plan: more waits for its payment, less for the end of the period. The caller holds the customer.
 * @param accepted gross, what whoever asks was shown as to be paid now
 * @throws DomainError `billing.invoice_unpaid`, `billing.payment_processing`, `billing.profile_incomplete`, `billing.change_pending`,
 * `billing.same_plan`, `billing.amount_changed`, `billing.vat_unchecked`
 */
export async function askForChange(
  tx: Tx,
  deps: BillingDeps,
  customer: Customer,
  held: Held,
  to: Formula,
  accepted?: number,
): Promise<Held> {
  const { quote, vat, after } = await foresee(tx, deps, customer, held, to)
  if (accepted !== undefined && accepted !== quote.dueNow)
    throw new DomainError('conflict', 'billing.amount_changed', { due_now_cents: quote.dueNow })
  const now = deps.clock.now()
  const asked: Held = { ...held, state: after }
  await saveSubscription(tx, held.id, after, 'asked', now)
  const { pending } = after
  if (pending?.kind !== 'payment') {
    await setAlarm(tx, asked, now)
    return asked
  }
  const [first] = await scheduleParts(
    tx,
    { customerId: customer.id, subscriptionId: held.id },
    pending.to,
    quote.invoices,
    vat,
    now,
    true,
  )
  if (first === undefined) throw new Error('a plan is paid in no part')
  const due = await draftInvoice(tx, customer, first, first.amount.gross - quote.dueNow, now)
  await assertDraftIssuable(tx, deps, due.invoiceId)
  if (due.toPay === 0) return await activatePaid(tx, deps, asked, due)
  await setAlarm(tx, asked, now)
  return asked
}

/** S-13. What waited for its payment never was. @throws DomainError `billing.nothing_pending`, `billing.payment_processing` */
export async function undoChange(tx: Tx, deps: BillingDeps, held: Held, kind: 'undone' | 'lapsed' = 'undone'): Promise<Held> {
  const now = deps.clock.now()
  const undone: Held = { ...held, state: undo(held.state) }
  const { pending } = held.state
  if (pending?.kind === 'payment') {
    await dropOpen(tx, held.id, now, ({ ofChange, status }) => {
      if (ofChange && !['due', 'failed', 'scheduled'].includes(status))
        throw new DomainError('conflict', 'billing.payment_processing')
      return ofChange
    })
  }
  await saveSubscription(tx, held.id, undone.state, kind, now)
  await setAlarm(tx, undone, now)
  return undone
}
