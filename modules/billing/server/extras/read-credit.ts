import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { dayOf, monthOf, type Span } from '../../domain/calendar/calendar.ts'
import type { Cents } from '../../domain/money/money.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { findCurrent, type Held } from '../subscription/subscription-store.ts'
import { findOwed, hasMandate, isBehind } from './extra-store.ts'

/** What somebody may have now and be invoiced for later. */
export type CreditLine = {
  readonly held: Held
  readonly month: Span
  /** Before what he asks for now, VAT included. */
  readonly owed: Cents
  readonly limit: Cents
}

/**
 * H-36: of a subscriber whose bank account may be debited. null: he pays at once.
 * @throws DomainError `billing.invoice_unpaid`: before that is paid, nothing more is given on credit
 */
export async function readCredit(tx: Tx, deps: BillingDeps, customerId: string): Promise<CreditLine | null> {
  const { extras, clock } = deps
  if (extras === undefined || extras.limit === 0) return null
  const held = await findCurrent(tx, customerId)
  const isServed = held?.state.status === 'active' || held?.state.status === 'past_due'
  if (held === null || !isServed || !(await hasMandate(tx, customerId, extras.realm))) return null
  const today = dayOf(clock.now())
  if (await isBehind(tx, customerId, today)) throw new DomainError('conflict', 'billing.invoice_unpaid')
  const { accrued, invoiced } = await findOwed(tx, customerId)
  return { held, month: monthOf(today), owed: accrued + invoiced, limit: extras.limit }
}
