/** How a field of the XML stands on the page, by where it stands in the XML; a field of no kind named here fails. */
import type { Leaf } from './read-leaves.test-data.ts'
import type { DocumentWords } from './words/document-words.ts'

type Shown = (value: string, words: DocumentWords, attributes: Leaf['attributes']) => string | null

const asItIs: Shown = (value) => value
/** What says which standard it is, or repeats what stands beside it. */
const unseen: Shown = () => null
const money: Shown = (value, { money }) => money(Math.round(Number(value) * 100))
const day: Shown = (value, { day }) => day(value.replace(/(....)(..)(..)/, '$1-$2-$3'))
const names: Readonly<Record<string, DocumentWords['t'] extends (id: infer Id) => string ? Id : never>> = {
  '380': 'billing.document.title.invoice',
  '381': 'billing.document.title.credit_note',
  '389': 'billing.document.title.self_billed',
}
const means: Readonly<Record<string, string>> = { '58': 'transfer', '59': 'direct_debit', '48': 'card' }

const kinds: readonly (readonly [RegExp, Shown])[] = [
  [
    /GuidelineSpecified.*\/ID$|TradeTax\/TypeCode$|Exemption.*Code$|SubjectCode$|AllowanceCharge\/ChargeIndicator\/Indicator$/,
    unseen,
  ],
  // Where the rate says it; what is not subject to VAT says it in words.
  [/CategoryCode$/, unseen],
  [/LineID$|ApplicableHeaderTradeDelivery$/, unseen],
  [/BusinessProcess.*\/ID$|ExchangedDocument\/ID$/, asItIs],
  [/ExchangedDocument\/TypeCode$/, (value, { t }) => t(names[value] ?? 'billing.document.number')],
  [/DateTimeString$/, day],
  [
    /DueDateTypeCode$/,
    (value, { t }) => t(value === '72' ? 'billing.document.vat_due.payment' : 'billing.document.vat_due.issue'),
  ],
  [/CountryID$/, (value, { tag }) => new Intl.DisplayNames([tag], { type: 'region' }).of(value) ?? ''],
  [/BilledQuantity$/, (value, { t }, { unitCode }) => t(`billing.document.unit.${unitCode as 'MON'}`, { count: Number(value) })],
  [/RateApplicablePercent$/, (value, { rate }) => rate(Math.round(Number(value) * 100))],
  [/InvoiceCurrencyCode$/, () => '€'],
  [/Amount$/, money],
  [/PaymentMeans\/TypeCode$/, (value, { t }) => t(`billing.document.means.${means[value] as 'card'}`)],
  [/URIID$/, (value, _words, { schemeID }) => (schemeID === 'EM' ? value : `${schemeID}:${value}`)],
  [/Content$|Name$|Description$|Reason$|PostcodeCode$|Line(One|Two|Three)$|(ID|PaymentReference)$/, asItIs],
]

export function shownAs({ path, value, attributes }: Leaf, words: DocumentWords): string | null {
  const [, shown] = kinds.find(([pattern]) => pattern.test(path)) ?? []
  if (shown === undefined) throw new Error(`${path} is of no kind`)
  return shown(value, words, attributes)
}

/** Every amount in the text of a page, laid out as it stands there: columns have more than one space between them. */
export function amountsIn(text: string): readonly string[] {
  return text.match(/€\d{1,3}(?:,\d{3})*\.\d\d|\d{1,3}(?:[\u00a0 ]\d{3})*,\d\d[\u00a0 ]€/g) ?? []
}
