import { randomUUID } from 'node:crypto'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { Cents } from '../../domain/money/money.ts'
import { changeCredit } from '../customer/customer-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { askRefundsJob } from './jobs.ts'
import { findRefund, insertRefund, listRefundable, type Refund } from './refund-store.ts'

type Owed = Pick<Refund, 'customerId' | 'attemptId' | 'invoiceId' | 'creditNoteId' | 'amount' | 'channel' | 'realm'>

/**
 * Money that is to the customer's credit begins its way back: it is no longer to his credit, and the job that asks for it comes with it, before
 * anybody is asked. The caller holds the customer.
 */
export async function beginRefund(tx: Tx, deps: Pick<BillingDeps, 'clock'>, owed: Owed): Promise<Refund> {
  await changeCredit(tx, owed.customerId, -owed.amount)
  const id = await insertRefund(tx, { ...owed, key: randomUUID() }, deps.clock.now())
  await enqueue(tx, askRefundsJob, {}, { key: askRefundsJob.name })
  const refund = await findRefund(tx, id)
  if (refund === null) throw new Error('a refund is gone as it begins')
  return refund
}

/**
 * What a credit note has put to the customer's credit is given back, by the way that it came: never more than was paid of the invoice and not
 * yet given back, than was credited of it, or than is to his credit. The caller holds the customer.
 * @param cents null: as much as may be
 * @throws DomainError `billing.not_refundable`, `billing.refund_processing`
 */
export async function startRefund(
  tx: Tx,
  deps: Pick<BillingDeps, 'clock'>,
  invoiceId: string,
  cents: Cents | null,
): Promise<Refund> {
  const [refundable] = await listRefundable(tx, [invoiceId])
  if (refundable === undefined) throw new DomainError('conflict', 'billing.not_refundable')
  const { cents: most, busy, ...of } = refundable
  // How much is left of it is known once that one is over.
  if (busy) throw new DomainError('conflict', 'billing.refund_processing')
  const amount = cents ?? most
  if (amount > most) throw new DomainError('conflict', 'billing.not_refundable')
  return await beginRefund(tx, deps, { ...of, amount })
}
