import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { dayOf } from '../../domain/calendar/calendar.ts'
import type { Cents } from '../../domain/money/money.ts'
import { setNextAttempt } from '../invoice/instalment-store.ts'
import { isChargeable } from '../payment/attempt/chargeable-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { findDue } from './settle-invoice.ts'

/**
 * Whoever collects tries today what was to be tried later, or no more.
 * @throws DomainError as {@link findDue} does; `billing.not_chargeable`: it is charged to nothing, or its payer disputed it and pays it himself
 */
export async function retryPayment(tx: Tx, { clock }: Pick<BillingDeps, 'clock'>, invoiceId: string): Promise<Cents> {
  const instalment = await findDue(tx, invoiceId)
  if (!(await isChargeable(tx, instalment.id))) throw new DomainError('conflict', 'billing.not_chargeable')
  await setNextAttempt(tx, instalment.id, dayOf(clock.now()))
  return instalment.toPay
}
