/**
 * An invoice or a credit note after EN 16931-1:2017, whole, as it is issued: its XML and its pages say this and nothing else. Ids of the standard
 * stand beside each field. What of the standard never occurs here (charges, currencies, payees, representatives of sellers) has no place in it.
 */

import type { BasisPoints, Cents } from '../money/money.ts'

/** `YYYY-MM-DD`. */
export type Day = string

/** UNTDID 1001 (BT-3). */
export const typeCodes = { invoice: '380', credit_note: '381', self_billed: '389', self_billed_credit: '261' } as const
export type DocumentType = keyof typeof typeCodes
/** Made out by the buyer, in the name of the seller. */
export const isSelfBilled = (type: DocumentType): boolean => type === 'self_billed' || type === 'self_billed_credit'
/** Takes back what another document asked for. */
export const isCreditNote = (type: DocumentType): boolean => type === 'credit_note' || type === 'self_billed_credit'

/**
 * UNTDID 5305 (BT-118, BT-151): standard rate, zero rate, reverse charge (directive 2006/112/EC 196), export, and what French law does not tax
 * (services to those who are outside the Union, CGI 259). Nothing that is sold is exempt in France (E).
 */
export type VatCategory = 'S' | 'Z' | 'AE' | 'G' | 'O'

/** BG-1. `subject` is of UNTDID 4451 (BT-21): PMD late payment, PMT recovery fee, AAB discount, BAR kind of trade, REG law, AAI anything else. */
export type Note = { readonly subject: 'PMD' | 'PMT' | 'AAB' | 'BAR' | 'REG' | 'AAI'; readonly text: string }

/** BG-5, BG-8. */
export type Address = {
  readonly lines: readonly string[]
  readonly postcode: string
  readonly city: string
  /** ISO 3166-1, two letters (BT-40, BT-55). */
  readonly country: string
}

export type Party = {
  /** BT-27, BT-44. */
  readonly name: string
  /** BT-30, BT-47; scheme 0002 is SIREN (ISO 6523), null where a register of another country gave it. */
  readonly registration: { readonly scheme: '0002' | null; readonly id: string } | null
  /** BT-31, BT-48, with its country before it. */
  readonly vatId: string | null
  readonly address: Address
  /** BT-34, BT-49: scheme 0225 is the French directory, EM an address of e-mail. */
  readonly electronic: { readonly scheme: '0225' | 'EM'; readonly id: string } | null
}

export type Seller = Party & {
  /** BT-33: legal form, capital, register. */
  readonly legalText: string
}
/** Whom French law treats as somebody in trade, or not. */
export type Buyer = Party & { readonly kind: 'business' | 'private' }

/** BG-14, BG-26; both days included. */
export type Period = { readonly from: Day; readonly to: Day }

/** BG-16. */
export type PaymentMeans =
  /** BT-84, BT-85, BT-86; BT-83 is what the payer quotes. */
  | {
      readonly kind: 'transfer'
      readonly iban: string
      readonly bic: string | null
      readonly holder: string
      readonly reference: string
    }
  /** BT-89, BT-90, BT-91: what the provider whose mandate it is does not tell is null. */
  | {
      readonly kind: 'direct_debit'
      readonly mandate: string | null
      readonly creditor: string | null
      readonly iban: string | null
    }
  /** BT-87: the last four digits alone. */
  | { readonly kind: 'card'; readonly lastDigits: string }
export const meansCodes = { transfer: '58', direct_debit: '59', card: '48' } as const satisfies Record<
  PaymentMeans['kind'],
  string
>

/** BG-25. `net` (BT-131) is `quantity` × `unitPrice`. */
export type Line = {
  /** BT-126. */
  readonly id: string
  /** BT-153, BT-154. */
  readonly name: string
  readonly description: string | null
  /** BT-129, in whole units; BT-130 of UN/ECE Recommendation 20: one, month, year. */
  readonly quantity: number
  readonly unit: 'C62' | 'MON' | 'ANN'
  /** BT-146, without VAT. */
  readonly unitPrice: Cents
  readonly net: Cents
  readonly period: Period | null
  /** BT-151. */
  readonly category: VatCategory
  /** BT-152; null where nothing is taxed at all (O). */
  readonly rate: BasisPoints | null
}

/** BG-20: taken off the sum of the lines. */
export type Allowance = {
  /** BT-92. */
  readonly amount: Cents
  /** BT-97. */
  readonly reason: string
  /** BT-95, BT-96. */
  readonly category: VatCategory
  readonly rate: BasisPoints | null
}

/** BG-23. */
export type VatSubtotal = {
  /** BT-118, BT-119. */
  readonly category: VatCategory
  readonly rate: BasisPoints | null
  /** BT-116. */
  readonly taxable: Cents
  /** BT-117. */
  readonly tax: Cents
  /** BT-121 (VATEX) and BT-120; null where VAT is paid. */
  readonly exemption: { readonly code: string; readonly text: string } | null
}

/** BG-22. */
export type Totals = {
  /** BT-106. */
  readonly lines: Cents
  /** BT-107. */
  readonly allowances: Cents
  /** BT-109. */
  readonly net: Cents
  /** BT-110. */
  readonly vat: Cents
  /** BT-112. */
  readonly gross: Cents
  /** BT-113. */
  readonly paid: Cents
  /** BT-115. */
  readonly due: Cents
}

export type Instalment = { readonly dueOn: Day; readonly net: Cents; readonly vat: Cents; readonly gross: Cents }

/** How a price is paid in parts. */
export type Schedule = {
  /** Which of them this document is for, from 0; null: it is for all. */
  readonly current: number | null
  readonly parts: readonly Instalment[]
}

export type InvoiceDocument = {
  readonly type: DocumentType
  /** BT-1. */
  readonly number: string
  /** BT-2. */
  readonly issuedOn: Day
  /** BT-9; of what was paid before it was issued, the day of payment. */
  readonly dueOn: Day | null
  /** BT-5. */
  readonly currency: 'EUR'
  /** BT-23 (XP Z12-012): services invoiced, or invoiced once they were paid for. */
  readonly mode: 'S1' | 'S2'
  /** BT-8 (UNTDID 2475): VAT falls due when it is paid, or when it is invoiced; null where none is asked for. */
  readonly vatDue: 'payment' | 'issue' | null
  readonly notes: readonly Note[]
  /** BG-3: what a credit note takes back (BT-25, BT-26). */
  readonly preceding: readonly { readonly number: string; readonly issuedOn: Day }[]
  readonly seller: Seller
  readonly buyer: Buyer
  /** BT-13. */
  readonly order: string | null
  /** BT-72. */
  readonly suppliedOn: Day | null
  readonly period: Period | null
  readonly means: PaymentMeans | null
  /** BT-20. */
  readonly terms: string | null
  readonly schedule: Schedule | null
  readonly allowances: readonly Allowance[]
  readonly lines: readonly Line[]
  readonly vat: readonly VatSubtotal[]
  readonly totals: Totals
  /** Paid by a provider that moves no money: the document says so on each page, and in a note. */
  readonly test: boolean
}
