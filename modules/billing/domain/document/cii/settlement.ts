import { meansCodes, type Allowance, type InvoiceDocument, type PaymentMeans, type VatSubtotal } from '../invoice-document.ts'
import { period, rateOf } from './line.ts'
import { amount, amountText, dateTime, formattedDate } from './values.ts'
import { element, type XmlNode } from './xml.ts'

/** BG-16 to BG-19. */
function paymentMeans(of: PaymentMeans): XmlNode | null {
  const account = of.kind === 'transfer' ? of : null
  return element('ram:SpecifiedTradeSettlementPaymentMeans', [
    element('ram:TypeCode', meansCodes[of.kind]),
    element('ram:ApplicableTradeSettlementFinancialCard', [element('ram:ID', of.kind === 'card' ? of.lastDigits : null)]),
    element('ram:PayerPartyDebtorFinancialAccount', [element('ram:IBANID', of.kind === 'direct_debit' ? of.iban : null)]),
    element('ram:PayeePartyCreditorFinancialAccount', [
      element('ram:IBANID', account?.iban ?? null),
      element('ram:AccountName', account?.holder ?? null),
    ]),
    element('ram:PayeeSpecifiedCreditorFinancialInstitution', [element('ram:BICID', account?.bic ?? null)]),
  ])
}

/** UNTDID 2475. */
const dueCodes = { payment: '72', issue: '5' } as const

/** BG-23. */
const vatSubtotal = (of: VatSubtotal, vatDue: InvoiceDocument['vatDue']): XmlNode | null =>
  element('ram:ApplicableTradeTax', [
    amount('ram:CalculatedAmount', of.tax),
    element('ram:TypeCode', 'VAT'),
    element('ram:ExemptionReason', of.exemption?.text ?? null),
    amount('ram:BasisAmount', of.taxable),
    element('ram:CategoryCode', of.category),
    element('ram:ExemptionReasonCode', of.exemption?.code ?? null),
    element('ram:DueDateTypeCode', vatDue === null ? null : dueCodes[vatDue]),
    rateOf(of.rate),
  ])

/** BG-20. */
const allowance = (of: Allowance): XmlNode | null =>
  element('ram:SpecifiedTradeAllowanceCharge', [
    element('ram:ChargeIndicator', [element('udt:Indicator', 'false')]),
    amount('ram:ActualAmount', of.amount),
    element('ram:Reason', of.reason),
    element('ram:CategoryTradeTax', [element('ram:TypeCode', 'VAT'), element('ram:CategoryCode', of.category), rateOf(of.rate)]),
  ])

/** BG-22. */
const totals = ({ totals: of, currency, allowances }: InvoiceDocument): XmlNode | null =>
  element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
    amount('ram:LineTotalAmount', of.lines),
    allowances.length === 0 ? null : amount('ram:AllowanceTotalAmount', of.allowances),
    amount('ram:TaxBasisTotalAmount', of.net),
    element('ram:TaxTotalAmount', amountText(of.vat), { currencyID: currency }),
    amount('ram:GrandTotalAmount', of.gross),
    of.paid === 0 ? null : amount('ram:TotalPrepaidAmount', of.paid),
    amount('ram:DuePayableAmount', of.due),
  ])

export const settlement = (document: InvoiceDocument): XmlNode | null => {
  const { means } = document
  return element('ram:ApplicableHeaderTradeSettlement', [
    element('ram:CreditorReferenceID', means?.kind === 'direct_debit' ? means.creditor : null),
    element('ram:PaymentReference', means?.kind === 'transfer' ? means.reference : null),
    element('ram:InvoiceCurrencyCode', document.currency),
    means === null ? null : paymentMeans(means),
    ...document.vat.map((group) => vatSubtotal(group, document.vatDue)),
    period(document.period),
    ...document.allowances.map(allowance),
    element('ram:SpecifiedTradePaymentTerms', [
      element('ram:Description', document.terms),
      dateTime('ram:DueDateDateTime', document.dueOn),
      element('ram:DirectDebitMandateID', means?.kind === 'direct_debit' ? means.mandate : null),
    ]),
    totals(document),
    ...document.preceding.map(({ number, issuedOn }) =>
      element('ram:InvoiceReferencedDocument', [
        element('ram:IssuerAssignedID', number),
        formattedDate('ram:FormattedIssueDateTime', issuedOn),
      ]),
    ),
  ])
}
