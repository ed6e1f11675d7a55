/** Each rule of invoices, with a document and a change of it that breaks it: what is tried on our rules and on those that others published. */
import { everyKind, instalment } from './invoices.test-data.ts'
import { writeDocument } from './write/write-document.ts'
import type { InvoiceDocument, VatCategory } from '../../domain/document/invoice-document.ts'

export const documents = Object.fromEntries(
  Object.entries(everyKind).map(([name, facts]) => [name, writeDocument(facts, 'fr')] as const),
) as Readonly<Record<keyof typeof everyKind, InvoiceDocument>>
const { ordinary, monthly, reverseCharge, outsideUnion, creditNote, selfBilled } = documents

type Change = Partial<InvoiceDocument>
const first = (of: InvoiceDocument, change: Partial<InvoiceDocument['lines'][number]>): Change => ({
  lines: of.lines.map((line, at) => (at === 0 ? { ...line, ...change } : line)),
})
const seller = (of: InvoiceDocument, change: Partial<InvoiceDocument['seller']>): Change => ({
  seller: { ...of.seller, ...change },
})
const buyer = (of: InvoiceDocument, change: Partial<InvoiceDocument['buyer']>): Change => ({ buyer: { ...of.buyer, ...change } })
const totals = (of: InvoiceDocument, change: Partial<InvoiceDocument['totals']>): Change => ({
  totals: { ...of.totals, ...change },
})
export const group = (of: InvoiceDocument, change: Partial<InvoiceDocument['vat'][number]>): Change => ({
  vat: of.vat.map((each) => ({ ...each, ...change })),
})
const off = (of: InvoiceDocument, change: Partial<InvoiceDocument['allowances'][number]>): Change => ({
  allowances: of.allowances.map((each) => ({ ...each, ...change })),
})
const without = (of: InvoiceDocument, subject: string): Change => ({ notes: of.notes.filter((note) => note.subject !== subject) })
const noted = (of: InvoiceDocument, subject: string, text: string): Change => ({
  notes: of.notes.map((note) => (note.subject === subject ? { ...note, text } : note)),
})

/** The same trade under another category, with something taken off, and nothing broken. */
export function taxedAs(category: VatCategory): InvoiceDocument {
  const rate = category === 'O' ? null : category === 'S' ? 2_000 : 0
  const identified = category === 'O' ? null : 'DE136695976'
  const tax = category === 'S' ? 14_353 : 0
  const net = 71_767
  return {
    ...reverseCharge,
    seller: { ...reverseCharge.seller, vatId: category === 'O' ? null : reverseCharge.seller.vatId },
    buyer: { ...reverseCharge.buyer, vatId: identified },
    lines: reverseCharge.lines.map((line) => ({ ...line, category, rate })),
    allowances: [{ amount: 1_333, reason: 'Remise', category, rate }],
    vat: [
      {
        category,
        rate,
        taxable: net,
        tax,
        exemption: category === 'S' || category === 'Z' ? null : { code: 'VATEX-EU-AE', text: 'Autoliquidation, 2006/112/CE' },
      },
    ],
    totals: { lines: 73_100, allowances: 1_333, net, vat: tax, gross: net + tax, paid: 0, due: net + tax },
  }
}
export const categories = ['S', 'Z', 'AE', 'G', 'O'] as const satisfies readonly VatCategory[]

const ofCategory = (category: (typeof categories)[number]): readonly (readonly [string, InvoiceDocument, Change])[] => {
  const of = taxedAs(category)
  const wrongRate = category === 'S' ? 0 : 550
  const unidentified: Change =
    category === 'O' ? seller(of, { vatId: 'FR44732829320' }) : { ...seller(of, { vatId: null }), ...buyer(of, { vatId: null }) }
  const none: Change = { allowances: [] }
  const named = (number: string): string => `BR-${category}-${number}`
  const all: (readonly [string, InvoiceDocument, Change])[] = [
    [named('01'), of, { vat: [] }],
    [named('02'), { ...of, ...none }, unidentified],
    [named('03'), { ...of, lines: [] }, unidentified],
    [named('05'), of, first(of, { rate: wrongRate })],
    [named('06'), of, off(of, { rate: wrongRate })],
    [named('08'), of, group(of, { taxable: of.totals.net + 1 })],
    [named('09'), of, group(of, { tax: 1 })],
    [
      named('10'),
      of,
      group(of, { exemption: category === 'S' || category === 'Z' ? { code: 'VATEX-EU-AE', text: 'CGI' } : null }),
    ],
  ]
  return all.filter(([id]) => id !== 'BR-S-09')
}

export const parts = instalment.schedule?.parts ?? []

/** Each rule, and one change that breaks it. */
export const breaks: readonly (readonly [string, InvoiceDocument, Change])[] = [
  ['BR-02', ordinary, { number: ' ' }],
  ['BR-03', ordinary, { issuedOn: '2026-02-30' }],
  ['BR-06', ordinary, seller(ordinary, { name: '' })],
  ['BR-07', ordinary, buyer(ordinary, { name: '\t' })],
  ['BR-08', ordinary, seller(ordinary, { address: { ...ordinary.seller.address, lines: [] } })],
  ['BR-09', ordinary, seller(ordinary, { address: { ...ordinary.seller.address, country: '' } })],
  ['BR-10', ordinary, buyer(ordinary, { address: { ...ordinary.buyer.address, city: '' } })],
  ['BR-11', ordinary, buyer(ordinary, { address: { ...ordinary.buyer.address, country: 'France' } })],
  ['BR-16', ordinary, { lines: [] }],
  ['BR-21', monthly, first(monthly, { id: '2' })],
  ['BR-22', ordinary, first(ordinary, { quantity: 1.5 })],
  ['BR-25', ordinary, first(ordinary, { name: '' })],
  ['BR-27', ordinary, first(ordinary, { unitPrice: -1 })],
  ['BR-29', monthly, { period: { from: '2026-11-22', to: '2026-10-23' } }],
  ['BR-30', monthly, first(monthly, { period: { from: '2026-11-22', to: '2026-10-23' } })],
  ['BR-33', monthly, off(monthly, { reason: '' })],
  ['BR-50', monthly, { means: { kind: 'transfer', iban: '', bic: null, holder: 'A', reference: 'R' } }],
  ['BR-51', ordinary, { means: { kind: 'card', lastDigits: '4242424242424242' } }],
  ['BR-55', creditNote, { preceding: [{ number: '', issuedOn: '2026-11-23' }] }],
  ['BR-DEC-01', monthly, off(monthly, { amount: 13.5 })],
  ['BR-DEC-09', ordinary, totals(ordinary, { lines: 99.5 })],
  ['BR-DEC-10', ordinary, totals(ordinary, { allowances: 0.5 })],
  ['BR-DEC-12', ordinary, totals(ordinary, { net: Number.NaN })],
  ['BR-DEC-13', ordinary, totals(ordinary, { vat: 1_980.2 })],
  ['BR-DEC-14', ordinary, totals(ordinary, { gross: Number.POSITIVE_INFINITY })],
  ['BR-DEC-16', ordinary, totals(ordinary, { paid: 0.1 })],
  ['BR-DEC-18', ordinary, totals(ordinary, { due: 0.1 })],
  ['BR-DEC-19', ordinary, group(ordinary, { taxable: 9_900.5 })],
  ['BR-DEC-20', ordinary, group(ordinary, { tax: 1_980.5 })],
  ['BR-DEC-23', ordinary, first(ordinary, { net: 2 ** 53 })],
  ['BT-131', ordinary, first(ordinary, { quantity: 2 })],
  ['BR-CO-09', reverseCharge, buyer(reverseCharge, { vatId: '136695976' })],
  ['BR-CO-10', ordinary, totals(ordinary, { lines: 9_901 })],
  ['BR-CO-11', monthly, totals(monthly, { allowances: 0 })],
  ['BR-CO-13', monthly, totals(monthly, { net: monthly.totals.lines })],
  ['BR-CO-14', ordinary, totals(ordinary, { vat: 1_981 })],
  ['BR-CO-15', ordinary, totals(ordinary, { gross: 9_900 })],
  ['BR-CO-16', monthly, totals(monthly, { due: 0 })],
  ['BR-CO-17', monthly, group(monthly, { tax: 14_356 })],
  ['BR-CO-18', ordinary, { vat: [] }],
  ['BR-CO-25', monthly, { dueOn: null, terms: null }],
  ['BR-CO-26', outsideUnion, seller(outsideUnion, { registration: null, vatId: null })],
  ['BR-62', ordinary, seller(ordinary, { electronic: { scheme: '0225', id: '' } })],
  ['BR-63', ordinary, buyer(ordinary, { electronic: { scheme: 'EM', id: ' ' } })],
  ...categories.flatMap(ofCategory),
  ['BR-O-11', outsideUnion, { vat: [...outsideUnion.vat, ...ordinary.vat] }],
  ['BR-O-12', outsideUnion, { lines: [...outsideUnion.lines, ...ordinary.lines] }],
  ['BR-O-13', outsideUnion, { allowances: monthly.allowances }],
  ['BR-FR-01', ordinary, { number: 'F'.repeat(36) }],
  ['BR-FR-02', ordinary, { number: 'F 2026' }],
  ['BR-FR-03', ordinary, { suppliedOn: '1999-12-31' }],
  ['BR-FR-05/PMT', ordinary, without(ordinary, 'PMT')],
  ['BR-FR-05/PMD', ordinary, { notes: [...ordinary.notes, { subject: 'PMD', text: 'Twice' }] }],
  ['BR-FR-05/AAB', ordinary, noted(ordinary, 'AAB', ' ')],
  ['BR-FR-10', ordinary, seller(ordinary, { registration: { scheme: null, id: '732829320' } })],
  ['BR-FR-11', ordinary, buyer(ordinary, { registration: null })],
  ['BR-FR-12', ordinary, buyer(ordinary, { electronic: null })],
  ['BR-FR-13', ordinary, seller(ordinary, { electronic: null })],
  ['BR-FR-16', ordinary, { ...first(ordinary, { rate: 1_900 }), ...group(ordinary, { rate: 1_900 }) }],
  ['BR-FR-20', ordinary, noted(ordinary, 'BAR', 'B2X')],
  ['BR-FR-21', ordinary, buyer(ordinary, { electronic: { scheme: '0225', id: '732829320' } })],
  ['BR-FR-23', ordinary, buyer(ordinary, { electronic: { scheme: '0225', id: '552100554 A' } })],
  ['BR-FR-25', reverseCharge, buyer(reverseCharge, { electronic: { scheme: 'EM', id: `${'a'.repeat(125)}@b.example` } })],
  ['BR-FR-32', ordinary, buyer(ordinary, { registration: { scheme: '0002', id: '55210055' } })],
  ['BR-FR-CO-05', creditNote, { preceding: [] }],
  ['BR-FR-CO-07', monthly, { dueOn: '2026-11-22' }],
  ['BR-FR-CO-09', ordinary, totals(ordinary, { paid: 0, due: 11_880 })],
  ['FR-SIREN', ordinary, seller(ordinary, { registration: { scheme: '0002', id: '732829321' } })],
  ['FR-VAT-ID', ordinary, seller(ordinary, { vatId: 'FR45732829320' })],
  ['CGI-242-NONIES-A/SUPPLIED', ordinary, { suppliedOn: null }],
  ['CCOM-R123-237', ordinary, seller(ordinary, { legalText: '' })],
  ['CGI-242-NONIES-A/REVERSE', reverseCharge, group(reverseCharge, { exemption: { code: 'VATEX-EU-AE', text: '2006/112/EC' } })],
  ['CGI-242-NONIES-A/SELF-BILLED', selfBilled, without(selfBilled, 'REG')],
  [
    'CGI-242-NONIES-A/EXEMPT',
    reverseCharge,
    group(reverseCharge, { exemption: { code: 'VATEX-EU-AE', text: 'Autoliquidation' } }),
  ],
  ['CCOM-L441-10/TERM', monthly, { dueOn: '2027-01-23' }],
  ['CCOM-D441-5', ordinary, noted(ordinary, 'PMT', 'Une indemnité')],
  ['CCOM-L441-9/DUE', monthly, { dueOn: null }],
  ['CCOM-L441-9/INSTALMENTS', documents.instalment, { schedule: { current: 4, parts } }],
]
