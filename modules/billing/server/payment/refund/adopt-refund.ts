import type { Tx } from '../../../../../platform/db/database.ts'
import { lockCustomer } from '../../customer/customer-store.ts'
import type { Cents } from '../../../domain/money/money.ts'
import { findInstalment } from '../../invoice/instalment-store.ts'
import { findNamed, type Attempt } from '../../settlement/attempt-store.ts'
import { finishRefund } from '../../settlement/finish-refund.ts'
import { findRefundNamed, listRefundable, noteRefund } from '../../settlement/refund-store.ts'
import { beginRefund } from '../../settlement/start-refund.ts'
import { providerOf, type PaymentDeps } from '../means/deps.ts'

/** @returns false: the books have no room for it */
async function book(tx: Tx, deps: PaymentDeps, paid: Attempt, given: { id: string; cents: Cents }): Promise<boolean> {
  const instalment = await findInstalment(tx, paid.instalmentId)
  if (instalment === null || instalment.invoiceId === null) return false
  await lockCustomer(tx, instalment.customerId)
  if ((await findRefundNamed(tx, paid.realm ?? '', given.id)) !== null) return true
  const [refundable] = await listRefundable(tx, [instalment.invoiceId])
  if (refundable === undefined || refundable.attemptId !== paid.id || refundable.busy || refundable.cents < given.cents)
    return false
  const refund = await beginRefund(tx, deps, { ...refundable, amount: given.cents })
  await noteRefund(tx, refund.id, { reference: given.id })
  return await finishRefund(tx, deps, refund, { succeeded: true })
}

/**
 * What somebody gave back of a payment of ours in the provider’s own pages: booked as though it had been asked for here, where a credit note put
 * as much to the customer’s credit. Without one an invoice would say that it was earned: then whoever looks after the books is told of it each
 * night, until there is one.
 * @returns `silent`: it is looked at again
 */
export async function adoptRefund(deps: PaymentDeps, id: string): Promise<'read' | 'silent' | 'none'> {
  const { db, log } = deps
  const { refunds, realm } = providerOf(deps)
  const origin = (await refunds?.originOf?.(id)) ?? null
  if (origin === null) return 'none'
  if (origin === 'unknown') return 'silent'
  const { payment, tag, outcome } = origin
  const paid = await findNamed(db, realm, payment)
  // What was asked for here is known by its tag, and its own job goes on with it.
  if (paid === null || tag?.startsWith('refund ') === true || outcome.state !== 'succeeded') return 'none'
  const { cents } = outcome.amount
  if (await db.transaction().execute(async (tx) => await book(tx, deps, paid, { id, cents }))) return 'read'
  log.error(
    { refund: id, attempt_id: paid.id, cents },
    'given back at the provider and not by us: credit its invoice by as much, and it is booked the next night',
  )
  return 'silent'
}
