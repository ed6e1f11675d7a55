import { describe, expect, test } from 'vitest'
import { everyKind, ordinary } from '../../../server/document/invoices.test-data.ts'
import type { InvoiceFacts } from '../../../server/document/write/invoice-facts.ts'
import { writeDocument } from '../../../server/document/write/write-document.ts'
import { crossIndustryInvoice } from './cross-industry-invoice.ts'
import { amountText, percentText } from './values.ts'

const xmlOf = (facts: InvoiceFacts): string => new TextDecoder().decode(crossIndustryInvoice(writeDocument(facts, 'fr')))

describe('values', () => {
  test('amounts have two decimals, whatever they are', () => {
    expect([0, 1, 10, 99, 100, -5, 123_456_789, Number.MAX_SAFE_INTEGER].map(amountText)).toEqual([
      '0.00',
      '0.01',
      '0.10',
      '0.99',
      '1.00',
      '-0.05',
      '1234567.89',
      '90071992547409.91',
    ])
  })
  test('rates are written as the French list has them', () => {
    expect([0, 90, 210, 550, 850, 1_000, 2_000, 10_000].map(percentText)).toEqual([
      '0',
      '0.9',
      '2.1',
      '5.5',
      '8.5',
      '10',
      '20',
      '100',
    ])
  })
})

test('each kind has its type, the profile is that of EN 16931, and the same document gives the same bytes', () => {
  const types = Object.fromEntries(
    Object.entries(everyKind).map(([name, facts]) => [name, /<ram:TypeCode>(\d{3})</.exec(xmlOf(facts))?.[1]]),
  )
  expect(types).toEqual({
    ordinary: '380',
    monthly: '380',
    instalment: '380',
    creditNote: '381',
    reverseCharge: '380',
    outsideUnion: '380',
    toPerson: '380',
    selfBilled: '389',
    selfBilledCredit: '261',
  })
  for (const facts of Object.values(everyKind)) {
    expect(xmlOf(facts)).toContain('<ram:ID>urn:cen.eu:en16931:2017</ram:ID>')
    expect(xmlOf(facts)).toBe(xmlOf(structuredClone(facts)))
  }
})

test('a credit note names what it takes back, and its day', () => {
  expect(xmlOf(everyKind.creditNote).replaceAll(/\n\s*/g, '')).toContain(
    '<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>F2026-000123</ram:IssuerAssignedID><ram:FormattedIssueDateTime>' +
      '<qdt:DateTimeString format="102">20261123</qdt:DateTimeString></ram:FormattedIssueDateTime></ram:InvoiceReferencedDocument>',
  )
})

test('beside what is not subject to VAT no number of VAT stands but in words, and no rate', () => {
  const xml = xmlOf(everyKind.outsideUnion)
  expect(xml).not.toContain('schemeID="VA"')
  expect(xml).not.toContain('RateApplicablePercent')
  expect(xml).toContain('TVA FR44732829320</ram:Description>')
})

test('markup is text; what XML has no place for is shown by its code', () => {
  const name = '</ram:Name>&amp;<!-- "x" \u0000\u000b\ud83d\uffff\r\u{1f600}'
  expect(xmlOf({ ...ordinary, buyer: { ...ordinary.buyer, name } })).toContain(
    '<ram:Name>&lt;/ram:Name&gt;&amp;amp;&lt;!-- &quot;x&quot; ⟨U+0000⟩⟨U+000B⟩⟨U+D83D⟩⟨U+FFFF⟩&#13;\u{1f600}</ram:Name>',
  )
})
