import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { entryOfRefund } from '../../domain/journal/entry.ts'
import { changeCredit, lockCustomer } from '../customer/customer-store.ts'
import { holdNumbers } from '../invoice/number-store.ts'
import { postEntry } from '../journal/journal-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { changeRefund, findRefund, isOpen, type Refund } from './refund-store.ts'

/** Held with its customer, so that two who bring the same news wait for each other. @throws DomainError `billing.refund_unknown` */
export async function holdRefund(tx: Tx, id: string): Promise<Refund> {
  const before = await findRefund(tx, id)
  if (before === null) throw new DomainError('not_found', 'billing.refund_unknown')
  await lockCustomer(tx, before.customerId)
  const held = await findRefund(tx, id)
  if (held === null) throw new DomainError('not_found', 'billing.refund_unknown')
  return held
}

/**
 * The money has gone: booked, and told to the customer, once; or it has not, and is to his credit as before. Said again, nothing changes. The
 * caller holds the refund.
 * @returns whether it was news
 */
export async function finishRefund(
  tx: Tx,
  deps: Pick<BillingDeps, 'clock'>,
  refund: Refund,
  outcome: { readonly succeeded: true } | { readonly succeeded: false; readonly failure: string },
): Promise<boolean> {
  if (!isOpen(refund)) return false
  const now = deps.clock.now()
  const { customerId, invoiceId, attemptId, amount, channel } = refund
  if (!outcome.succeeded) {
    await changeRefund(tx, refund, 'failed', now, outcome.failure)
    await changeCredit(tx, customerId, amount)
    return true
  }
  await changeRefund(tx, refund, 'succeeded', now)
  await holdNumbers(tx)
  await postEntry(tx, entryOfRefund(amount, channel), { kind: 'refund', customerId, invoiceId, attemptId }, now)
  return true
}
