import type {
  Allowance,
  Buyer,
  Day,
  DocumentType,
  InvoiceDocument,
  Line,
  Party,
  PaymentMeans,
  Period,
  Schedule,
  VatSubtotal,
} from '../../../domain/document/invoice-document.ts'
import type { Cents } from '../../../domain/money/money.ts'

/** Who sells, with what law wants to be said of it (C. com. R123-237, R123-238). */
export type SellerFacts = Party & {
  readonly legal: {
    /** `Société par actions simplifiée`. */
    readonly form: string
    /** `10 000 €`. */
    readonly capital: string | null
    /** `RCS Paris 732 829 320`. */
    readonly register: string | null
  }
}

/** What is known of an invoice when it is issued, without a word of its own: words come with the language. */
export type InvoiceFacts = {
  readonly type: DocumentType
  readonly number: string
  readonly issuedOn: Day
  /** Of what was paid before: the day of payment. */
  readonly dueOn: Day | null
  readonly vatDue: NonNullable<InvoiceDocument['vatDue']>
  readonly preceding: InvoiceDocument['preceding']
  readonly seller: SellerFacts
  readonly buyer: Buyer
  readonly order: string | null
  readonly suppliedOn: Day | null
  readonly period: Period | null
  readonly means: PaymentMeans | null
  readonly schedule: Schedule | null
  readonly allowances: readonly Allowance[]
  readonly lines: readonly Line[]
  /** As the journal has them: rounded for each line, of a price in parts split from the whole. */
  readonly vat: readonly Omit<VatSubtotal, 'exemption'>[]
  /** BT-113. */
  readonly paid: Cents
  /** Of a credit note: what becomes of its amount. */
  readonly settled: 'deducted' | 'refunded' | 'returned' | null
  /** Paid by a provider that moves no money. */
  readonly test: boolean
}
