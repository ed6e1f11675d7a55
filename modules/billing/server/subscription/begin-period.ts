import type { Tx } from '../../../../platform/db/database.ts'
import { partsOfPeriod } from '../../domain/subscription/quote.ts'
import { lockCustomer } from '../customer/customer-store.ts'
import { readBuyer, vatFor } from '../customer/read-buyer.ts'
import { listTerms, termsOf } from '../plan/plan-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { scheduleParts } from './draft-parts.ts'
import type { Held } from './subscription-store.ts'

/**
 * The payments of the period in which a subscription is now, at the prices of its first day.
 * @returns false: whether VAT is due cannot be told yet, and nothing was made
 */
export async function beginPeriod(tx: Tx, deps: BillingDeps, { id, customerId, state }: Held, now: Date): Promise<boolean> {
  const { formula, anchoredOn, monthsBefore } = state
  if (formula.plan === 'unit' || anchoredOn === null) return true
  const customer = await lockCustomer(tx, customerId)
  const vat = vatFor(customer, await readBuyer(tx, customer), deps.vatRate)
  if (vat.kind === 'wait') return false
  const parts = partsOfPeriod(formula, termsOf(await listTerms(tx, customerId)), vat.rate, { anchoredOn, monthsBefore })
  await scheduleParts(tx, { customerId, subscriptionId: id }, formula, parts, vat, now)
  return true
}
