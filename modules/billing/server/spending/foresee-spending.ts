import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { SpendingOutlook } from '../../contract/spending.ts'
import { standardRate } from '../../domain/invoice/vat.ts'
import { priced, type Cents } from '../../domain/money/money.ts'
import { findCustomer, findPayerOf, type Customer } from '../customer/customer-store.ts'
import { missingOf, readBuyer, vatFor } from '../customer/read-buyer.ts'
import { readCredit } from '../extras/read-credit.ts'
import { readQuota } from '../quota/take-quota.ts'
import type { Counted } from '../quota/quota-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { monthNow } from './spend.ts'
import { holdersOf, nameOfPayer, readCeiling } from './spending-store.ts'

/** By the rules and figures by which it is then spent. @throws DomainError `billing.custom_by_quote`, `billing.invoice_unpaid` */
export async function foreseeSpending(
  deps: BillingDeps,
  actor: Actor,
  asked: { readonly category: Counted; readonly quantity: number },
): Promise<SpendingOutlook> {
  return await deps.db.transaction().execute(async (tx) => {
    const payerId = await findPayerOf(tx, actor.accountId)
    const customer = await findCustomer(tx, payerId)
    const quota = await readQuota(tx, deps, customer, asked.category)
    const left = quota.included === null ? asked.quantity : Math.max(0, quota.included - quota.used)
    const covered = quota.month === null ? 0 : Math.min(left, asked.quantity)
    const quantity = asked.quantity - covered
    const rate = await rateFor(tx, deps, customer)
    const amount = priced(quota.netCents * quantity, rate ?? standardRate)
    const ceilings = []
    for (const holder of holdersOf(actor, payerId)) ceilings.push(await readCeiling(tx, holder, monthNow(deps)))
    const [tightest] = ceilings.toSorted((a, b) => a.ceiling - a.spent - (b.ceiling - b.spent))
    const own = payerId === actor.accountId
    const paidBy = !own ? 'group' : actor.delegation === null ? 'account' : 'owner'
    return {
      plan: quota.plan,
      quota:
        quota.month === null || quota.included === 0
          ? null
          : { used: quota.used, included: quota.included, renewed_on: quota.month.to },
      covered,
      quantity,
      unit_cents: quota.netCents,
      net_cents: amount.net,
      vat_cents: amount.vat,
      gross_cents: amount.gross,
      vat_known: rate !== null,
      missing: [...(await missingOf(tx, payerId))],
      paid_by: paidBy,
      owner: paidBy === 'account' ? null : await nameOfPayer(tx, payerId),
      may_pay: own && (actor.delegation === null || actor.delegation.scope === 'manage') && actor.apiKey === undefined,
      extras: await extrasOf(tx, deps, customer, amount.gross, paidBy === 'account'),
      ceiling: tightest === undefined ? null : { ceiling_cents: tightest.ceiling, spent_cents: tightest.spent },
    }
  })
}

/** @throws DomainError `billing.invoice_unpaid` */
async function extrasOf(
  tx: Tx,
  deps: BillingDeps,
  customer: Customer | null,
  gross: Cents,
  own: boolean,
): Promise<SpendingOutlook['extras']> {
  const line = customer === null || gross === 0 ? null : await readCredit(tx, deps, customer.id)
  if (line === null) return null
  const { month, owed, limit } = line
  // What an account owes is nobody else's to know.
  return { on: month.to, owed_cents: own ? owed : null, limit_cents: own ? limit : null, within: owed + gross <= limit }
}

/** null: it cannot be told today, of a number that is not checked yet or a profile that is not complete. */
async function rateFor(tx: Tx, deps: BillingDeps, customer: Customer | null): Promise<number | null> {
  if (customer === null) return null
  try {
    const vat = vatFor(customer, await readBuyer(tx, customer), deps.vatRate)
    return vat.kind === 'wait' ? null : vat.rate
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}
