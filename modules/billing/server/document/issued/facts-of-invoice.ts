/** An invoice as it was issued and kept, as what its document is written from. */
import type { Locale } from '../../../../../kernel/locale.ts'
import { addDays, type Day, type Span } from '../../../domain/calendar/calendar.ts'
import type { Line, PaymentMeans, Period, Schedule, VatCategory } from '../../../domain/document/invoice-document.ts'
import type { VatTreatment } from '../../../domain/invoice/vat.ts'
import type { Amount, BasisPoints, Cents } from '../../../domain/money/money.ts'
import type { InvoiceRow, Line as KeptLine } from '../../invoice/invoice-store.ts'
import { type DocumentWords, documentWords } from '../words/document-words.ts'
import type { InvoiceFacts } from '../write/invoice-facts.ts'
import type { Seller } from '../../seller/deps.ts'
import { buyerOf, type KeptBuyer, sellerOf } from './parties-of-invoice.ts'

export type IssuedInvoice = {
  readonly invoice: Pick<InvoiceRow, 'kind' | 'covers' | 'vatTreatment' | 'vatRate' | 'creditUsed'> & {
    readonly amount: Amount
  }
  readonly number: string
  readonly issuedOn: Day
  readonly dueOn: Day | null
  readonly lines: readonly KeptLine[]
  readonly seller: Omit<Seller, 'iban' | 'bic'>
  readonly buyer: KeptBuyer
  /** What a credit note takes from. */
  readonly credits: { readonly number: string; readonly issuedOn: Day } | null
  readonly schedule: Schedule | null
  /** Before it was issued, beside what was to the customer's credit; null: it is yet to be paid. */
  readonly paid: { readonly on: Day; readonly amount: Cents } | null
  readonly means: PaymentMeans | null
  readonly test: boolean
}

/** The last day of a span is the one before it ends; of a period it is in it. */
const periodOf = (span: Span | null): Period | null => (span === null ? null : { from: span.from, to: addDays(span.to, -1) })

const categories = { standard: 'S', reverse_charge: 'AE', outside: 'O' } as const satisfies Record<VatTreatment, VatCategory>

function lineOf(
  line: KeptLine,
  at: number,
  taxed: { readonly category: VatCategory; readonly rate: BasisPoints | null },
  words: DocumentWords,
): Line {
  const { part, parts, plan, cycle } = line
  return {
    id: String(at + 1),
    name: words.t(`billing.document.item.${line.item}`, { plan: plan ?? 'none', cycle: cycle ?? 'none' }),
    description:
      part === null || parts === null || parts < 2 ? null : words.t('billing.document.item.part', { number: part, count: parts }),
    quantity: line.quantity,
    unit: 'C62',
    unitPrice: line.unitCents,
    net: line.netCents,
    period: periodOf(line.covers),
    ...taxed,
  }
}

export function factsOfInvoice(issued: IssuedInvoice, locale: Locale): InvoiceFacts {
  const { invoice, issuedOn, paid } = issued
  const words = documentWords(locale)
  const isCredit = invoice.kind === 'credit_note'
  const category = categories[invoice.vatTreatment]
  const taxed = { category, rate: category === 'O' ? null : invoice.vatRate }
  return {
    type: invoice.kind,
    number: issued.number,
    issuedOn,
    dueOn: paid?.on ?? issued.dueOn,
    vatDue: 'payment',
    preceding: issued.credits === null ? [] : [issued.credits],
    seller: sellerOf(issued.seller),
    buyer: buyerOf(issued.buyer),
    order: null,
    suppliedOn: invoice.covers === null ? issuedOn : null,
    period: periodOf(invoice.covers),
    means: isCredit ? null : issued.means,
    schedule: issued.schedule,
    allowances: [],
    lines: issued.lines.map((line, at) => lineOf(line, at, taxed, words)),
    vat: [{ ...taxed, taxable: invoice.amount.net, tax: invoice.amount.vat }],
    paid: isCredit ? 0 : invoice.creditUsed + (paid?.amount ?? 0),
    settled: isCredit ? 'deducted' : null,
    test: issued.test,
  }
}
