import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Span } from '../../domain/calendar/calendar.ts'
import type { VatTreatment } from '../../domain/invoice/vat.ts'
import type { BasisPoints, Cents } from '../../domain/money/money.ts'
import type { Choice } from '../../domain/plan/plan.ts'
import type { Credit, Part } from '../../domain/subscription/quote.ts'
import { creditLeft, lockCustomer, type Customer } from '../customer/customer-store.ts'
import { readBuyer, type Buyer } from '../customer/read-buyer.ts'
import { changeStatus, insertInstalment, tieInvoice, type Instalment } from '../invoice/instalment-store.ts'
import { findBuyer, insertDraft, listLines, lockInvoice, type Line } from '../invoice/invoice-store.ts'
import { issueInvoice } from '../issue/issue-invoice.ts'
import type { BillingDeps } from '../seller/deps.ts'

export type Taxed = { readonly treatment: VatTreatment; readonly rate: BasisPoints }

/** The payments of a period, none of which has an invoice yet. */
export async function scheduleParts(
  tx: Tx,
  of: { readonly customerId: string; readonly subscriptionId: string },
  choice: Choice,
  parts: readonly Part[],
  vat: Taxed,
  now: Date,
  ofChange = false,
): Promise<Instalment[]> {
  const made: Instalment[] = []
  for (const { part, parts: all, span, amount } of parts)
    made.push(
      await insertInstalment(
        tx,
        {
          ...of,
          invoiceId: null,
          part,
          parts: all,
          plan: choice.plan,
          cycle: choice.cycle,
          span,
          periodFrom: parts[0]?.span.from ?? null,
          vatTreatment: vat.treatment,
          vatRate: vat.rate,
          amount,
          toPay: amount.gross,
          ofChange,
          status: 'scheduled',
        },
        now,
      ),
    )
  return made
}

/** What the invoice of an instalment says that it is for. */
export const lineOfPart = ({ plan, cycle, part, parts, span, amount, vatRate }: Instalment): Line => ({
  item: 'plan',
  plan,
  cycle,
  part,
  parts,
  covers: span,
  quantity: 1,
  unitCents: amount.net,
  netCents: amount.net,
  vatRate,
  vatCents: amount.vat,
})

/** The draft of an instalment's invoice; it is due. @param creditUsed what is taken off it */
export async function draftInvoice(
  tx: Tx,
  customer: Customer,
  instalment: Instalment,
  creditUsed: Cents,
  now: Date,
): Promise<Instalment & { readonly invoiceId: string }> {
  const id = randomUUIDv7()
  const { amount, span, vatRate } = instalment
  await insertDraft(tx, {
    id,
    customerId: customer.id,
    subscriptionId: instalment.subscriptionId,
    kind: 'invoice',
    category: 'subscription',
    credits: null,
    covers: span,
    vatTreatment: instalment.vatTreatment,
    vatRate,
    amount,
    creditUsed,
    createdAt: now,
    lines: [lineOfPart(instalment)],
    buyer: await readBuyer(tx, customer),
    salt: randomBytes(16),
  })
  const toPay = amount.gross - creditUsed
  await tieInvoice(tx, instalment.id, id, toPay)
  await changeStatus(tx, { ...instalment, invoiceId: id }, 'due', now)
  return { ...instalment, invoiceId: id, toPay, status: 'due' }
}

/** The invoice of an instalment whose day has come. What is to the customer's credit is taken off it; of nothing, nobody is asked. */
export async function issuePart(tx: Tx, deps: BillingDeps, instalment: Instalment, now: Date): Promise<void> {
  const customer = await lockCustomer(tx, instalment.customerId)
  const used = Math.min(await creditLeft(tx, customer.id), instalment.amount.gross)
  const due = await draftInvoice(tx, customer, instalment, used, now)
  await issueInvoice(tx, deps, due.invoiceId)
  if (due.toPay === 0) await changeStatus(tx, due, 'paid', now)
}

/** A credit note for what is left of an invoice, in the words and to the buyer of that invoice. */
export async function issueCredit(
  tx: Tx,
  deps: BillingDeps,
  { invoiceId, span, amount }: Pick<Credit, 'invoiceId' | 'amount'> & { readonly span: Span | null },
  now: Date,
): Promise<void> {
  const invoice = await lockInvoice(tx, invoiceId)
  const [lines, whose] = [await listLines(tx, invoiceId), await findBuyer(tx, invoiceId)]
  const [first] = lines
  if (whose === null || first === undefined) throw new Error(`invoice ${invoiceId} cannot be credited`)
  const buyer: Buyer = whose.buyer
  const line: Line = { ...first, covers: span, quantity: 1, unitCents: amount.net, netCents: amount.net, vatCents: amount.vat }
  const id = randomUUIDv7()
  await insertDraft(tx, {
    ...invoice,
    id,
    kind: 'credit_note',
    credits: invoiceId,
    covers: span,
    amount,
    creditUsed: 0,
    createdAt: now,
    lines: [line],
    buyer,
    salt: randomBytes(16),
  })
  await issueInvoice(tx, deps, id)
}
