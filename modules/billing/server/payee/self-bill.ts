/** The invoice of somebody whom we pay, made out for him (CGI, art. 289, I, 2), and what takes it back where his bank sent the money back. */
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { defaultLocale, type Locale } from '../../../../kernel/locale.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Day } from '../../domain/calendar/calendar.ts'
import type { InvoiceDocument, Period } from '../../domain/document/invoice-document.ts'
import { brokenRules } from '../../domain/document/rules/broken-rules.ts'
import { numberIn } from '../../domain/invoice/number.ts'
import type { Source } from '../../domain/journal/entry.ts'
import type { Amount, BasisPoints, Cents } from '../../domain/money/money.ts'
import { buyerOf, sellerOf, type KeptBuyer } from '../document/issued/parties-of-invoice.ts'
import { makeInvoices, type MadeInvoice, type MakeInvoicesDeps } from '../document/make-invoices.ts'
import { documentWords } from '../document/words/document-words.ts'
import { writeDocument } from '../document/write/write-document.ts'
import { digestBuyer } from '../invoice/compose-content.ts'
import { holdNumbers, setLastHash, takeNumber } from '../invoice/number-store.ts'
import { InvoiceBreaksRules } from '../issue/assert-issuable.ts'
import type { Seller } from '../seller/deps.ts'

export type SelfBillKind = 'self_billed' | 'self_billed_credit'

/** Who is paid, as he was when it was reserved. */
export type PayeeParty = KeptBuyer & { readonly company_type: 'business' | 'organization' | 'soletrader' | null }

export type SelfBill = {
  readonly kind: SelfBillKind
  readonly payee: PayeeParty
  /** Who pays, and makes it out. */
  readonly operator: Omit<Seller, 'iban' | 'bic'>
  readonly paidOn: Day
  /** When what is paid was earned. */
  readonly period: Period
  /** Less than nothing: what had been paid, and went back since. */
  readonly earned: readonly { readonly source: Source; readonly cents: Cents }[]
  readonly vat: { readonly treatment: 'standard' | 'reverse_charge'; readonly rate: BasisPoints }
  readonly amount: Amount
  /** What a credit note takes back. */
  readonly credits: { readonly number: string; readonly issuedOn: Day } | null
  readonly test: boolean
}
type Named = { readonly number: string; readonly issuedOn: Day }
export type TakenBill = Named & {
  readonly series: string
  readonly place: number
  readonly content: Buffer
  readonly sha256: Buffer
}

/** Series of their own, numbered from 1 every year. */
const letters = { self_billed: 'P', self_billed_credit: 'PA' } as const satisfies Record<SelfBillKind, string>
const seriesOf = (kind: SelfBillKind, on: Day): string => `${letters[kind]}${on.slice(0, 4)}`

function writeSelfBill(bill: SelfBill, { number, issuedOn }: Named, locale: Locale): InvoiceDocument {
  const { kind, payee, earned, vat, amount, credits } = bill
  const { t } = documentWords(locale)
  const isCredit = kind === 'self_billed_credit'
  const taxed = { category: vat.treatment === 'standard' ? 'S' : 'AE', rate: vat.rate } as const
  const { kind: _, ...party } = buyerOf(payee)
  const facts = {
    type: kind,
    number,
    issuedOn,
    dueOn: isCredit ? null : bill.paidOn,
    vatDue: 'payment',
    preceding: credits === null ? [] : [credits],
    // Its capital and its register are not among what a firm tells of itself here.
    seller: {
      ...party,
      legal: { form: t(`billing.document.form.${payee.company_type ?? 'business'}`), capital: null, register: null },
    },
    buyer: { ...sellerOf(bill.operator), kind: 'business' },
    order: null,
    suppliedOn: null,
    period: bill.period,
    means: null,
    schedule: null,
    allowances: earned
      .filter(({ cents }) => cents < 0)
      .map(({ source, cents }) => ({ amount: -cents, reason: t(`billing.document.earned.back.${source}`), ...taxed })),
    lines: earned
      .filter(({ cents }) => cents > 0)
      .map(({ source, cents }, at) => ({
        id: String(at + 1),
        name: t(`billing.document.earned.${source}`),
        description: null,
        quantity: 1,
        unit: 'C62' as const,
        unitPrice: cents,
        net: cents,
        period: null,
        ...taxed,
      })),
    vat: [{ ...taxed, taxable: amount.net, tax: amount.vat }],
    paid: isCredit ? 0 : amount.gross,
    settled: isCredit ? 'returned' : null,
    test: bill.test,
  } as const
  return writeDocument(facts, locale)
}

/** Which rules it would break: asked before any money moves. */
export function brokenBySelfBill(bill: SelfBill): readonly string[] {
  const named = { number: numberIn(seriesOf(bill.kind, bill.paidOn), 0), issuedOn: bill.paidOn }
  return brokenRules(writeSelfBill(bill, named, defaultLocale))
}

/**
 * Its number, its bytes and its place in the chain, in the transaction that keeps them. What breaks a rule takes no number.
 * @throws InvoiceBreaksRules
 */
export async function takeSelfBill(tx: Tx, bill: SelfBill, salt: Buffer, today: Day): Promise<TakenBill> {
  await holdNumbers(tx)
  const series = seriesOf(bill.kind, today)
  const { number: place, on: issuedOn, lastSha256 } = await takeNumber(tx, series, today)
  const number = numberIn(series, place)
  const broken = brokenRules(writeSelfBill(bill, { number, issuedOn }, defaultLocale))
  if (broken.length > 0) throw new InvoiceBreaksRules(number, broken)
  const text = canonicalize({
    format: 'probant-self-bill-1',
    kind: bill.kind,
    number,
    currency: 'EUR',
    issued_on: issuedOn,
    paid_on: bill.paidOn,
    period: bill.period,
    credits: bill.credits?.number ?? null,
    payee_sha256: digestBuyer(bill.payee, salt),
    operator: bill.operator,
    earned: bill.earned,
    vat: bill.vat,
    net_cents: bill.amount.net,
    vat_cents: bill.amount.vat,
    gross_cents: bill.amount.gross,
    previous_sha256: lastSha256?.toString('hex') ?? null,
  })
  const content = Buffer.from(text ?? '')
  const sha256 = createHash('sha256').update(content).digest()
  await setLastHash(tx, series, sha256)
  return { series, place, number, issuedOn, content, sha256 }
}

/** @throws InvoiceBreaksRules; what typesetting and signing throw */
export async function makeSelfBill(bill: SelfBill, named: Named, locale: Locale, deps: MakeInvoicesDeps): Promise<MadeInvoice> {
  const [made] = await makeInvoices([{ document: writeSelfBill(bill, named, locale), locale }], deps)
  if (made === undefined) throw new Error(`nothing was made of ${named.number}`)
  return made
}
