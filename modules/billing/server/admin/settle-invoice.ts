import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Cents } from '../../domain/money/money.ts'
import { findOfInvoice, type Instalment } from '../invoice/instalment-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { settleInstalment } from '../settlement/settle-instalment.ts'

/** What is to be paid of an invoice and is not under way. @throws DomainError `billing.nothing_due`, `billing.payment_processing` */
export async function findDue(tx: Tx, invoiceId: string): Promise<Instalment> {
  const instalment = await findOfInvoice(tx, invoiceId)
  if (instalment === null || instalment.status === 'paid' || instalment.status === 'dropped')
    throw new DomainError('conflict', 'billing.nothing_due')
  if (instalment.status !== 'due' && instalment.status !== 'failed')
    throw new DomainError('conflict', 'billing.payment_processing')
  return instalment
}

/** Money came another way, as much as was to be paid. @throws DomainError as {@link findDue} does */
export async function settleInvoice(tx: Tx, deps: BillingDeps, invoiceId: string): Promise<Cents> {
  const instalment = await findDue(tx, invoiceId)
  await settleInstalment(tx, deps, instalment.id, { channel: 'bank', attemptId: null })
  return instalment.toPay
}
