import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { finishRefund, holdRefund } from '../settlement/finish-refund.ts'
import { findRefund, isOpen, type Refund } from '../settlement/refund-store.ts'

/** @throws DomainError `billing.refund_unknown` */
export async function findRefunded({ db }: Pick<BillingDeps, 'db'>, id: string): Promise<Refund> {
  const refund = await findRefund(db, id)
  if (refund === null) throw new DomainError('not_found', 'billing.refund_unknown')
  return refund
}

/**
 * Whoever was to transfer it says that he did, or that he will not. Of what the provider makes, the provider tells.
 * @throws DomainError `billing.refund_unknown`, `billing.refund_not_by_hand`
 */
export async function settleRefund(
  tx: Tx,
  deps: Pick<BillingDeps, 'clock'>,
  id: string,
  outcome: Parameters<typeof finishRefund>[3],
): Promise<Refund> {
  const refund = await holdRefund(tx, id)
  if (refund.channel !== 'bank' || !isOpen(refund)) throw new DomainError('conflict', 'billing.refund_not_by_hand')
  await finishRefund(tx, deps, refund, outcome)
  return refund
}
