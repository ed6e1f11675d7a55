/** UN/CEFACT Cross Industry Invoice (D16B, and as it is D22B) after EN 16931, as Factur-X 1.0 attaches it. */
import { typeCodes, type InvoiceDocument } from '../invoice-document.ts'
import { line } from './line.ts'
import { buyerParty, sellerParty } from './parties.ts'
import { settlement } from './settlement.ts'
import { dateTime } from './values.ts'
import { element, xmlOf, type XmlNode } from './xml.ts'

const standard = 'urn:un:unece:uncefact:data:standard:'
const namespaces = {
  'xmlns:rsm': `${standard}CrossIndustryInvoice:100`,
  'xmlns:ram': `${standard}ReusableAggregateBusinessInformationEntity:100`,
  'xmlns:qdt': `${standard}QualifiedDataType:100`,
  'xmlns:udt': `${standard}UnqualifiedDataType:100`,
}
/** BT-24. */
const guideline = 'urn:cen.eu:en16931:2017'

const context = ({ mode }: InvoiceDocument): XmlNode | null =>
  element('rsm:ExchangedDocumentContext', [
    element('ram:BusinessProcessSpecifiedDocumentContextParameter', [element('ram:ID', mode)]),
    element('ram:GuidelineSpecifiedDocumentContextParameter', [element('ram:ID', guideline)]),
  ])

const head = ({ number, type, issuedOn, notes }: InvoiceDocument): XmlNode | null =>
  element('rsm:ExchangedDocument', [
    element('ram:ID', number),
    element('ram:TypeCode', typeCodes[type]),
    dateTime('ram:IssueDateTime', issuedOn),
    ...notes.map(({ subject, text }) =>
      element('ram:IncludedNote', [element('ram:Content', text), element('ram:SubjectCode', subject)]),
    ),
  ])

const agreement = ({ seller, buyer, order }: InvoiceDocument): XmlNode | null =>
  element('ram:ApplicableHeaderTradeAgreement', [
    sellerParty(seller),
    buyerParty(buyer),
    element('ram:BuyerOrderReferencedDocument', [element('ram:IssuerAssignedID', order)]),
  ])

/** The schema wants it though it be empty. */
const delivery = ({ suppliedOn }: InvoiceDocument): XmlNode | null =>
  element('ram:ApplicableHeaderTradeDelivery', [
    element('ram:ActualDeliverySupplyChainEvent', [dateTime('ram:OccurrenceDateTime', suppliedOn)]),
  ]) ?? { name: 'ram:ApplicableHeaderTradeDelivery', attributes: {}, of: [] }

/** The same bytes for the same document. */
export function crossIndustryInvoice(document: InvoiceDocument): Uint8Array {
  const transaction = element('rsm:SupplyChainTradeTransaction', [
    ...document.lines.map(line),
    agreement(document),
    delivery(document),
    settlement(document),
  ])
  const root = element('rsm:CrossIndustryInvoice', [context(document), head(document), transaction], namespaces)
  if (root === null) throw new TypeError('a document has a head')
  return new TextEncoder().encode(xmlOf(root))
}
