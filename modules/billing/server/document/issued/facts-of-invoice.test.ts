import { expect, test } from 'vitest'
import { locales } from '../../../../../kernel/locale.ts'
import { brokenRules } from '../../../domain/document/rules/broken-rules.ts'
import { priced, splitAmount } from '../../../domain/money/money.ts'
import type { Line } from '../../invoice/invoice-store.ts'
import { writeDocument } from '../write/write-document.ts'
import { factsOfInvoice, type IssuedInvoice } from './facts-of-invoice.ts'
import type { KeptBuyer } from './parties-of-invoice.ts'

const firm: KeptBuyer = {
  business: true,
  name: 'Ada Byron',
  company_name: 'Œuvres & Cie',
  company_number: '552 100 554 00013',
  vat_number: 'FR 96 552100554',
  address: 'Bâtiment C\n7 quai Voltaire\n',
  zip: '69001',
  city: 'Lyon',
  country: 'FR',
  email: 'ada@example.org',
}
const line: Line = {
  item: 'evidence',
  plan: null,
  cycle: null,
  part: null,
  parts: null,
  covers: null,
  quantity: 2,
  unitCents: 9_900,
  netCents: 19_800,
  vatRate: 2_000,
  vatCents: 3_960,
}
const reports: IssuedInvoice = {
  invoice: {
    kind: 'invoice',
    covers: null,
    vatTreatment: 'standard',
    vatRate: 2_000,
    creditUsed: 0,
    amount: priced(19_800, 2_000),
  },
  number: 'F2026-000001',
  issuedOn: '2026-11-23',
  dueOn: '2026-12-23',
  lines: [line],
  seller: {
    name: 'Probant SAS',
    legalForm: 'SAS',
    capital: '10 000 €',
    siren: '732 829 320',
    vatId: 'FR44 732829320',
    register: 'RCS Paris',
    address: '12 rue de la Preuve',
    zip: '75002',
    city: 'Paris',
    country: 'FR',
  },
  buyer: firm,
  credits: null,
  schedule: null,
  paid: null,
  means: null,
  test: false,
}
const untaxed = (treatment: 'reverse_charge' | 'outside', buyer: Partial<KeptBuyer>): IssuedInvoice => ({
  ...reports,
  invoice: { ...reports.invoice, vatTreatment: treatment, vatRate: 0, amount: priced(19_800, 0) },
  lines: [{ ...line, vatRate: 0, vatCents: 0 }],
  buyer: { ...firm, ...buyer },
})
const german = { company_number: 'HRB 12345', vat_number: 'DE136695976', country: 'DE' }
const covers = { from: '2027-08-23', to: '2027-11-23' }
const parts = splitAmount(priced(383_041, 2_000), 4).map((part, at) => ({
  ...part,
  dueOn: ['2026-12-23', '2027-02-23', '2027-05-23', '2027-08-23'][at] ?? '',
}))
const part = parts[3] ?? expect.fail('four parts')
const last: IssuedInvoice = {
  ...reports,
  invoice: { ...reports.invoice, covers, amount: part },
  issuedOn: '2027-08-01',
  dueOn: part.dueOn,
  lines: [
    {
      ...line,
      item: 'plan',
      plan: 'comfort',
      cycle: 'year',
      part: 4,
      parts: 4,
      covers,
      quantity: 1,
      unitCents: part.net,
      netCents: part.net,
      vatCents: part.vat,
    },
  ],
  schedule: { current: 3, parts },
}

const every: readonly (readonly [string, IssuedInvoice])[] = [
  ['reports, to be paid', reports],
  ['paid before', { ...reports, paid: { on: '2026-11-23', amount: 23_760 }, means: { kind: 'card', lastDigits: '4242' } }],
  ['partly out of what was to the credit', { ...reports, invoice: { ...reports.invoice, creditUsed: 5_000 } }],
  [
    'to somebody who is not in trade',
    { ...reports, buyer: { ...firm, business: false, company_name: null, company_number: null, vat_number: null } },
  ],
  ['reverse charge', untaxed('reverse_charge', german)],
  ['outside the Union', untaxed('outside', { company_number: 'CHE-123.456.788', vat_number: null, country: 'CH' })],
  ['in Guiana', untaxed('outside', { country: 'GF' })],
  ['the last of four, with what is left', last],
  [
    'a credit note',
    {
      ...reports,
      invoice: { ...reports.invoice, kind: 'credit_note' },
      number: 'A2026-000001',
      dueOn: null,
      credits: { number: 'F2026-000001', issuedOn: '2026-11-20' },
    },
  ],
]

test.each(every)('%s: what was kept makes a document that breaks no rule', (_name, issued) => {
  for (const locale of locales) {
    const document = writeDocument(factsOfInvoice(issued, locale), locale)
    expect(brokenRules(document)).toEqual([])
    expect(document.totals).toMatchObject({
      net: issued.invoice.amount.net,
      vat: issued.invoice.amount.vat,
      gross: issued.invoice.amount.gross,
    })
  }
})

test('a SIRET is read as the SIREN that it begins with; another number stays what it was said to be', () => {
  const { buyer } = factsOfInvoice(reports, 'fr')
  expect(buyer.registration).toEqual({ scheme: '0002', id: '552100554' })
  expect(buyer.electronic).toEqual({ scheme: '0225', id: '552100554' })
  expect(buyer.vatId).toBe('FR96552100554')
  expect(buyer.address.lines).toEqual(['Bâtiment C', '7 quai Voltaire'])
  const abroad = factsOfInvoice(untaxed('reverse_charge', german), 'en').buyer
  expect(abroad.registration).toEqual({ scheme: null, id: 'HRB 12345' })
  expect(abroad.electronic).toEqual({ scheme: 'EM', id: 'ada@example.org' })
})

test('lines are named in the language of the document', () => {
  const named = (locale: 'en' | 'fr') => factsOfInvoice(last, locale).lines.map(({ name, description }) => [name, description])
  expect(named('en')).toEqual([['Comfort subscription, one year', 'Instalment 4 of 4']])
  expect(named('fr')).toEqual([['Abonnement Confort, un an', 'Échéance 4 sur 4']])
})

test('a span ends before the day that a period ends with', () => {
  const { period, lines } = factsOfInvoice(last, 'fr')
  expect(period).toEqual({ from: '2027-08-23', to: '2027-11-22' })
  expect(lines[0]?.period).toEqual(period)
})

test('a French firm that gave no SIREN is one to which no invoice may be made out', () => {
  const document = writeDocument(factsOfInvoice({ ...reports, buyer: { ...firm, company_number: '123' } }, 'fr'), 'fr')
  expect(brokenRules(document)).toEqual(['BR-FR-11', 'BR-FR-21'])
})
