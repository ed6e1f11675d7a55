import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Answered } from '../../contract/administration.ts'
import { lockCustomer } from '../customer/customer-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { doOrShow, Shown } from '../seller/do-or-show.ts'
import { readBooks } from './books-of-customer.ts'
import { consequenceOf, nameOfShown } from './consequence.ts'
import { insertIntervention, type Intervention } from './intervention-store.ts'

/** @throws DomainError `billing.consequence_changed` */
export function assertShown(accepted: string, shown: string): void {
  if (accepted !== shown) throw new DomainError('conflict', 'billing.consequence_changed')
}

/** As the record of acts names them. */
const acts = {
  credit_note: { action: 'billing.credited_invoice' },
  settlement: { action: 'billing.settled_invoice' },
  retry: { action: 'billing.retried_payment' },
  refund: { action: 'billing.refunded_payment' },
  refund_paid: { action: 'billing.paid_refund' },
  refund_dropped: { action: 'billing.dropped_refund' },
} as const

type Why = Omit<Intervention, 'customerId' | 'kind'> & { readonly kind: keyof typeof acts }

/**
 * An act of staff on what one customer has. Without `accepted` all of it is done and rolled back, and its consequence told; with it, that
 * very consequence comes to be, with who did it and why, or nothing does.
 * @throws DomainError `billing.consequence_changed`
 */
export async function carryOut(
  deps: BillingDeps,
  actor: Actor,
  customerId: string,
  accepted: string | undefined,
  act: (tx: Tx) => Promise<Why>,
): Promise<Answered> {
  return await doOrShow(deps, async (tx) => {
    await lockCustomer(tx, customerId)
    const before = await readBooks(tx, customerId)
    const why = await act(tx)
    const after = await readBooks(tx, customerId, new Set(before.entries.map(({ id }) => id)))
    const consequence = consequenceOf(before, after)
    // The act is part of the name: what was shown of one is not accepted of another that brings the same.
    const shown = nameOfShown({ ...why, consequence })
    if (accepted === undefined) throw new Shown<Answered>({ done: false, shown, consequence })
    assertShown(accepted, shown)
    const now = deps.clock.now()
    await insertIntervention(tx, { ...why, customerId }, actor.userId, now)
    const subject = why.invoiceId === null ? { type: 'customer', id: customerId } : { type: 'invoice', id: why.invoiceId }
    await recordAct(tx, now, { ...acts[why.kind], actor, subject, data: { cents: why.amount } })
    return { done: true, shown, consequence }
  })
}
