import { describe, expect, test } from 'vitest'
import { everyKind, frenchFirm } from '../../../server/document/invoices.test-data.ts'
import { writeDocument } from '../../../server/document/write/write-document.ts'
import type { InvoiceDocument } from '../invoice-document.ts'
import { breaks, categories, documents, group, parts, taxedAs } from '../../../server/document/breaks.test-data.ts'
import { brokenRules, rules } from './broken-rules.ts'

const { creditNote } = documents

test('an invoice of each kind, in both languages, breaks no rule', () => {
  for (const facts of Object.values(everyKind))
    for (const locale of ['en', 'fr'] as const)
      expect([facts.number, brokenRules(writeDocument(facts, locale))]).toEqual([facts.number, []])
  for (const category of categories) expect([category, brokenRules(taxedAs(category))]).toEqual([category, []])
})

describe('each rule has a document that breaks it', () => {
  test('none is missing, and none stands twice', () => {
    expect(new Set(rules.map(([id]) => id)).size).toBe(rules.length)
    expect([...new Set(breaks.map(([id]) => id))].toSorted()).toEqual(rules.map(([id]) => id).toSorted())
  })
  test.each(breaks)('%s', (id, document, change) => {
    expect(brokenRules(document)).not.toContain(id)
    expect(brokenRules({ ...document, ...change })).toContain(id)
  })
})

test('a schedule is the price: no part is missing, out of order or of another amount than is asked for', () => {
  const of = documents.instalment
  const scheduled = (change: Partial<NonNullable<InvoiceDocument['schedule']>>) =>
    brokenRules({ ...of, schedule: { current: 0, parts, ...change } })
  expect(scheduled({})).toEqual([])
  expect(scheduled({ parts: parts.toReversed() })).toContain('CCOM-L441-9/INSTALMENTS')
  expect(scheduled({ parts: parts.slice(0, 1) })).toContain('CCOM-L441-9/INSTALMENTS')
  expect(scheduled({ current: null })).toContain('CCOM-L441-9/INSTALMENTS')
  expect(scheduled({ parts: parts.map((part) => ({ ...part, vat: part.vat + 1 })) })).toContain('CCOM-L441-9/INSTALMENTS')
})

test('a part that takes what is left may be some cents from the rate, and no more', () => {
  const of = documents.instalment
  const withTax = (tax: number): readonly string[] => brokenRules({ ...of, ...group(of, { tax }) })
  expect(withTax(23_952 + 4)).not.toContain('BR-CO-17')
  expect(withTax(23_952 + 5)).toContain('BR-CO-17')
})

test('what is given back by the day is of net and of VAT each: some cents from the rate are no fault, a euro is', () => {
  const [{ tax } = { tax: 0 }] = creditNote.vat
  const withTax = (off: number): readonly string[] => brokenRules({ ...creditNote, ...group(creditNote, { tax: tax + off }) })
  expect(withTax(-1)).not.toContain('BR-CO-17')
  expect(withTax(100)).toContain('BR-CO-17')
})

test('a price of nothing is no fault, and a million is none', () => {
  const free = { ...everyKind.ordinary, lines: everyKind.ordinary.lines.map((line) => ({ ...line, unitPrice: 0, net: 0 })) }
  expect(
    brokenRules(writeDocument({ ...free, vat: [{ category: 'S', rate: 2_000, taxable: 0, tax: 0 }], paid: 0 }, 'en')),
  ).toEqual([])
  const dear = { ...everyKind.monthly, buyer: frenchFirm, allowances: [] }
  const lines = dear.lines.slice(0, 1).map((line) => ({ ...line, unitPrice: 100_000_000, net: 100_000_000 }))
  const vat = [{ category: 'S' as const, rate: 2_000, taxable: 100_000_000, tax: 20_000_000 }]
  expect(brokenRules(writeDocument({ ...dear, lines, vat }, 'fr'))).toEqual([])
})
