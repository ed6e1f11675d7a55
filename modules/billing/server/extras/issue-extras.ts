import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../../../../platform/db/database.ts'
import { addDays, type Day } from '../../domain/calendar/calendar.ts'
import { sumOf } from '../../domain/money/money.ts'
import { creditLeft, lockCustomer, type Customer } from '../customer/customer-store.ts'
import { readBuyer } from '../customer/read-buyer.ts'
import { changeStatus, insertInstalment } from '../invoice/instalment-store.ts'
import { insertDraft, type Line } from '../invoice/invoice-store.ts'
import { issueInvoice } from '../issue/issue-invoice.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { setAlarm } from '../subscription/set-alarm.ts'
import { findCurrent } from '../subscription/subscription-store.ts'
import { listAccrued, setInvoiced, type Extra } from './extra-store.ts'

const lineOf = ({ category, on, quantity, unitCents, amount, vatRate }: Extra): Line => ({
  item: category,
  plan: null,
  cycle: null,
  part: null,
  parts: null,
  covers: { from: on, to: addDays(on, 1) },
  quantity,
  unitCents,
  netCents: amount.net,
  vatRate,
  vatCents: amount.vat,
})

/** One invoice: of one month, and one VAT. Without a plan of its own, and of the subscription whose dunning it shares. */
async function issueOne(
  tx: Tx,
  deps: BillingDeps,
  customer: Customer,
  subscriptionId: string | null,
  [first, ...rest]: readonly [Extra, ...Extra[]],
): Promise<void> {
  const now = deps.clock.now()
  const all = [first, ...rest]
  const { vatTreatment, vatRate } = first
  const amount = sumOf(all.map((each) => each.amount))
  const creditUsed = Math.min(await creditLeft(tx, customer.id), amount.gross)
  const id = randomUUIDv7()
  await insertDraft(tx, {
    id,
    customerId: customer.id,
    // Its days are those of things, not of a plan: nothing of it is given back when that is changed.
    subscriptionId: null,
    kind: 'invoice',
    category: all.some(({ category }) => category === 'evidence') ? 'evidence' : first.category,
    credits: null,
    covers: { from: first.on, to: addDays(all.at(-1)?.on ?? first.on, 1) },
    vatTreatment,
    vatRate,
    amount,
    creditUsed,
    createdAt: now,
    lines: all.map(lineOf),
    buyer: await readBuyer(tx, customer),
    salt: randomBytes(16),
  })
  const toPay = amount.gross - creditUsed
  const instalment = await insertInstalment(
    tx,
    {
      customerId: customer.id,
      subscriptionId,
      invoiceId: id,
      part: 1,
      parts: 1,
      plan: null,
      cycle: null,
      span: null,
      periodFrom: null,
      vatTreatment,
      vatRate,
      amount,
      toPay,
      ofChange: false,
      status: 'due',
    },
    now,
  )
  await issueInvoice(tx, deps, id)
  await setInvoiced(
    tx,
    all.map((each) => each.id),
    id,
    now,
  )
  if (toPay === 0) await changeStatus(tx, instalment, 'paid', now)
}

/** By month and by VAT, in the order in which they were agreed to. */
function sorted(extras: readonly Extra[]): readonly [Extra, ...Extra[]][] {
  const byInvoice = new Map<string, [Extra, ...Extra[]]>()
  for (const extra of extras) {
    const key = `${extra.monthFrom} ${extra.vatTreatment} ${String(extra.vatRate)}`
    const before = byInvoice.get(key)
    if (before === undefined) byInvoice.set(key, [extra])
    else before.push(extra)
  }
  return [...byInvoice.values()]
}

/**
 * H-36: what a customer bought beyond his plan and what is on no invoice yet is invoiced, each month by itself, and due at once. A second time
 * there is nothing.
 * @param month what is of months before it, and all of whose plan or mandate ended; null: all
 * @returns how many invoices were issued
 * @throws DomainError `billing.profile_incomplete`; InvoiceBreaksRules
 */
export async function issueExtras(tx: Tx, deps: BillingDeps, customerId: string, month: Day | null): Promise<number> {
  const customer = await lockCustomer(tx, customerId)
  const invoices = sorted(await listAccrued(tx, customerId, month))
  if (invoices.length === 0) return 0
  const held = await findCurrent(tx, customerId)
  for (const extras of invoices) await issueOne(tx, deps, customer, held?.id ?? null, extras)
  if (held !== null) await setAlarm(tx, held, deps.clock.now())
  return invoices.length
}
