import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { InstalmentStatus } from '../../domain/invoice/status.ts'
import { priced, type Amount, type Cents } from '../../domain/money/money.ts'
import { creditLeft, lockCustomerOf, type Customer } from '../customer/customer-store.ts'
import { readBuyer, vatFor } from '../customer/read-buyer.ts'
import { assertDraftIssuable } from '../issue/assert-issuable.ts'
import { insertInstalment } from '../invoice/instalment-store.ts'
import { insertDraft } from '../invoice/invoice-store.ts'
import type { BillingDeps } from '../seller/deps.ts'
import { findPurchase, insertPurchase, type Bought } from './purchase-store.ts'
import { settlePurchase } from './settle-purchase.ts'

export type Wanted = Bought & {
  /** Of one, without VAT. */
  readonly netCents: Cents
  readonly quantity?: number
  /** Who is said to have referred the customer, as it was chosen (H-24). */
  readonly referral?: string | null
}

export type Opened = {
  readonly invoiceId: string
  readonly instalmentId: string
  readonly amount: Amount
  /** What is left of it to be paid; nothing where it was all to the customer's credit. */
  readonly toPay: Cents
  readonly status: InstalmentStatus
}

/** @throws DomainError `billing.vat_unchecked` */
async function draftOf(tx: Tx, deps: BillingDeps, customer: Customer, wanted: Wanted) {
  const { category, netCents, quantity = 1 } = wanted
  const buyer = await readBuyer(tx, customer)
  const vat = vatFor(customer, buyer, deps.vatRate)
  if (vat.kind === 'wait') throw new DomainError('unavailable', 'billing.vat_unchecked')
  const amount = priced(netCents * quantity, vat.rate)
  const line = { plan: null, cycle: null, part: null, parts: null, covers: null, vatRate: vat.rate }
  const draft = {
    id: randomUUIDv7(),
    customerId: customer.id,
    subscriptionId: null,
    kind: 'invoice',
    category,
    credits: null,
    covers: null,
    vatTreatment: vat.treatment,
    vatRate: vat.rate,
    amount,
    creditUsed: Math.min(await creditLeft(tx, customer.id), amount.gross),
    createdAt: deps.clock.now(),
    lines: [{ ...line, item: category, quantity, unitCents: netCents, netCents: amount.net, vatCents: amount.vat }],
    buyer,
    salt: randomBytes(16),
  } as const
  await insertDraft(tx, draft)
  return draft
}

/**
 * A draft invoice of one thing, with the one payment that it waits for; of the same thing the same again, however often it is asked for. It has no
 * number until it is paid. Once it is, `deps.purchases[category].paid` is told in the same transaction; at once, before this returns, where
 * all of it was to the customer's credit. Whoever also holds rows of the thing holds the customer first (`holdPayer`).
 * @throws DomainError `billing.profile_incomplete` (V-45), `billing.vat_unchecked`
 */
export async function openPurchase(tx: Tx, deps: BillingDeps, accountId: string, wanted: Wanted): Promise<Opened> {
  const now = deps.clock.now()
  const customer = await lockCustomerOf(tx, accountId, now)
  const before = await findPurchase(tx, wanted)
  if (before !== null) {
    const { invoiceId, instalmentId, amount, toPay, instalmentStatus: status } = before
    return { invoiceId, instalmentId, amount, toPay, status }
  }
  const draft = await draftOf(tx, deps, customer, wanted)
  const { category, subjectId, quantity = 1, netCents: unitCents, referral = null } = wanted
  const instalment = await insertInstalment(
    tx,
    {
      customerId: customer.id,
      subscriptionId: null,
      invoiceId: draft.id,
      part: 1,
      parts: 1,
      plan: null,
      cycle: null,
      span: null,
      periodFrom: null,
      vatTreatment: draft.vatTreatment,
      vatRate: draft.vatRate,
      amount: draft.amount,
      toPay: draft.amount.gross - draft.creditUsed,
      ofChange: false,
      status: 'due',
    },
    now,
  )
  const bought = { category, subjectId, customerId: customer.id, unitCents, quantity, invoiceId: draft.id, referral }
  await insertPurchase(tx, bought, now)
  await assertDraftIssuable(tx, deps, draft.id)
  const { amount, toPay } = instalment
  const opened = { invoiceId: draft.id, instalmentId: instalment.id, amount, toPay }
  if (toPay > 0) return { ...opened, status: 'due' }
  await settlePurchase(tx, deps, instalment)
  return { ...opened, status: 'paid' }
}

/** Held before any row of what is bought, so that whoever pays and whoever changes the thing wait for each other in one order. */
export async function holdPayer(tx: Tx, deps: Pick<BillingDeps, 'clock'>, accountId: string): Promise<void> {
  await lockCustomerOf(tx, accountId, deps.clock.now())
}
