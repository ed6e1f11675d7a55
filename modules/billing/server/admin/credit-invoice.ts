import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { amountOf, priced, type Amount, type Cents } from '../../domain/money/money.ts'
import { findOfInvoice } from '../invoice/instalment-store.ts'
import { lockInvoice } from '../invoice/invoice-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { takeOff } from '../settlement/take-off.ts'
import { issueCredit } from '../subscription/draft-parts.ts'
import { sumCredited } from './invoice-admin-store.ts'

/** So much net of what is left, with its VAT; all of it takes all of the VAT, to the cent. @throws DomainError `billing.not_creditable` */
export function creditOf(left: Amount, rate: number, net: Cents | null): Amount {
  if (net === null || net === left.net) {
    if (left.gross === 0) throw new DomainError('conflict', 'billing.not_creditable')
    return left
  }
  if (net > left.net) throw new DomainError('conflict', 'billing.not_creditable')
  return amountOf(net, Math.min(priced(net, rate).vat, left.vat))
}

/**
 * A credit note. What is still to be paid of the invoice is taken off first; the rest is to the customer's credit. The caller holds him.
 * @param net null: all that is left
 * @throws DomainError `billing.not_creditable`, `billing.payment_processing`
 */
export async function creditInvoice(tx: Tx, deps: BillingDeps, invoiceId: string, net: Cents | null): Promise<Amount> {
  const invoice = await lockInvoice(tx, invoiceId)
  if (invoice.kind !== 'invoice' || invoice.status !== 'issued') throw new DomainError('conflict', 'billing.not_creditable')
  const credited = await sumCredited(tx, invoiceId)
  const left = amountOf(invoice.amount.net - credited.net, invoice.amount.vat - credited.vat)
  const amount = creditOf(left, invoice.vatRate, net)
  await issueCredit(tx, deps, { invoiceId, span: invoice.covers, amount }, deps.clock.now())
  const due = await findOfInvoice(tx, invoiceId)
  if (due === null || due.status === 'paid') return amount
  if (due.status !== 'due' && due.status !== 'failed') throw new DomainError('conflict', 'billing.payment_processing')
  await takeOff(tx, deps, due, amount.gross)
  return amount
}
