import type { Line, Period } from '../invoice-document.ts'
import { amount, dateTime, percentText } from './values.ts'
import { element, type XmlNode } from './xml.ts'

export const period = (of: Period | null): XmlNode | null =>
  of === null
    ? null
    : element('ram:BillingSpecifiedPeriod', [dateTime('ram:StartDateTime', of.from), dateTime('ram:EndDateTime', of.to)])

export const rateOf = (rate: number | null): XmlNode | null =>
  element('ram:RateApplicablePercent', rate === null ? null : percentText(rate))

/** BG-25. */
export function line(of: Line): XmlNode | null {
  return element('ram:IncludedSupplyChainTradeLineItem', [
    element('ram:AssociatedDocumentLineDocument', [element('ram:LineID', of.id)]),
    element('ram:SpecifiedTradeProduct', [element('ram:Name', of.name), element('ram:Description', of.description)]),
    element('ram:SpecifiedLineTradeAgreement', [
      element('ram:NetPriceProductTradePrice', [amount('ram:ChargeAmount', of.unitPrice)]),
    ]),
    element('ram:SpecifiedLineTradeDelivery', [element('ram:BilledQuantity', String(of.quantity), { unitCode: of.unit })]),
    element('ram:SpecifiedLineTradeSettlement', [
      element('ram:ApplicableTradeTax', [
        element('ram:TypeCode', 'VAT'),
        element('ram:CategoryCode', of.category),
        rateOf(of.rate),
      ]),
      period(of.period),
      element('ram:SpecifiedTradeSettlementLineMonetarySummation', [amount('ram:LineTotalAmount', of.net)]),
    ]),
  ])
}
