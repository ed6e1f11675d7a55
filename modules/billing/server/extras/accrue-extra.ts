import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { priced } from '../../domain/money/money.ts'
import { lockCustomerOf } from '../customer/customer-store.ts'
import { readBuyer, vatFor } from '../customer/read-buyer.ts'
import { dropPurchase } from '../purchase/drop-purchase.ts'
import type { Wanted } from '../purchase/open-purchase.ts'
import { findPurchase } from '../purchase/purchase-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { insertExtra } from './extra-store.ts'
import { readCredit } from './read-credit.ts'

/**
 * Puts what is bought on the invoice of the month, where whoever pays may have it so: it is his at once, at the price and the VAT of today. What
 * waited for a payment that nobody began waits no more.
 * @returns false: it is paid at once
 * @throws DomainError `billing.invoice_unpaid`, `billing.profile_incomplete` (V-45), `billing.vat_unchecked`
 */
export async function accrueExtra(tx: Tx, deps: BillingDeps, accountId: string, wanted: Wanted): Promise<boolean> {
  const now = deps.clock.now()
  const customer = await lockCustomerOf(tx, accountId, now)
  const line = await readCredit(tx, deps, customer.id)
  if (line === null) return false
  const vat = vatFor(customer, await readBuyer(tx, customer), deps.vatRate)
  if (vat.kind === 'wait') throw new DomainError('unavailable', 'billing.vat_unchecked')
  const { category, subjectId, netCents: unitCents, quantity = 1 } = wanted
  const amount = priced(unitCents * quantity, vat.rate)
  if (line.owed + amount.gross > line.limit) return false
  const before = await findPurchase(tx, wanted)
  if (before !== null && (await dropPurchase(tx, deps, wanted)) !== 'dropped') return false
  await insertExtra(
    tx,
    {
      customerId: customer.id,
      category,
      subjectId,
      unitCents,
      quantity,
      amount,
      vatTreatment: vat.treatment,
      vatRate: vat.rate,
      monthFrom: line.month.from,
    },
    now,
  )
  return true
}
