import type { Tx } from '../../../../platform/db/database.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import { activate } from '../../domain/subscription/machine.ts'
import { creditsFor } from '../../domain/subscription/quote.ts'
import { changeStatus, joinPeriod, type Instalment } from '../invoice/instalment-store.ts'
import { listInvoiced } from '../invoice/invoice-store.ts'
import { issueInvoice } from '../issue/issue-invoice.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { issueCredit } from './draft-parts.ts'
import { dropOpen } from './drop-open.ts'
import { setAlarm } from './set-alarm.ts'
import { saveSubscription, type Held } from './subscription-store.ts'

/**
 * What a change waited for is paid: what is left of the old plan is credited, its payments to come are dropped, the first invoice of the new one
 * is issued, and its cycle begins. The caller holds the customer.
 */
export async function activatePaid(tx: Tx, deps: BillingDeps, held: Held, paid: Instalment): Promise<Held> {
  const now = deps.clock.now()
  const { pending } = held.state
  const active: Held = { ...held, state: activate(held.state) }
  const on = pending?.on ?? dayOf(now)
  const credits = creditsFor(await listInvoiced(tx, held.id, on), on)
  for (const credit of credits) await issueCredit(tx, deps, credit, now)
  await dropOpen(tx, held.id, now, ({ ofChange }) => !ofChange)
  await joinPeriod(tx, held.id)
  if (paid.invoiceId === null) throw new Error(`instalment ${paid.id} has no invoice to be paid`)
  await issueInvoice(tx, deps, paid.invoiceId)
  await changeStatus(tx, paid, 'paid', now)
  await saveSubscription(tx, held.id, active.state, 'activated', now)
  await setAlarm(tx, active, now)
  return active
}
