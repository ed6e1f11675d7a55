/** Invoices of every kind, which break no rule. */
import type { Buyer, Instalment, Line } from '../../domain/document/invoice-document.ts'
import type { InvoiceFacts, SellerFacts } from './write/invoice-facts.ts'

export const seller: SellerFacts = {
  name: 'Probant SAS',
  registration: { scheme: '0002', id: '732829320' },
  vatId: 'FR44732829320',
  address: { lines: ['12 rue de la Preuve'], postcode: '75002', city: 'Paris', country: 'FR' },
  electronic: { scheme: '0225', id: '732829320' },
  legal: { form: 'Société par actions simplifiée', capital: '10 000 €', register: 'RCS Paris 732 829 320' },
}

export const frenchFirm: Buyer = {
  kind: 'business',
  name: 'Œuvres & Cie SARL',
  registration: { scheme: '0002', id: '552100554' },
  vatId: 'FR96552100554',
  address: { lines: ['Bâtiment C', '7 quai Voltaire'], postcode: '69001', city: 'Lyon', country: 'FR' },
  electronic: { scheme: '0225', id: '552100554' },
}
export const germanFirm: Buyer = {
  kind: 'business',
  name: 'Beweis GmbH',
  registration: { scheme: null, id: 'HRB 12345' },
  vatId: 'DE136695976',
  address: { lines: ['Unter den Linden 5'], postcode: '10117', city: 'Berlin', country: 'DE' },
  electronic: { scheme: 'EM', id: 'rechnung@beweis.example' },
}
export const swissFirm: Buyer = {
  ...germanFirm,
  name: 'Beleg AG',
  registration: { scheme: null, id: 'CHE-123.456.788' },
  vatId: null,
  address: { lines: ['Bahnhofstrasse 1'], postcode: '8001', city: 'Zürich', country: 'CH' },
}
export const person: Buyer = {
  kind: 'private',
  name: 'Ada Byron',
  registration: null,
  vatId: null,
  address: { lines: ['3 rue des Lilas'], postcode: '35000', city: 'Rennes', country: 'FR' },
  electronic: { scheme: 'EM', id: 'ada@example.org' },
}

const report: Line = {
  id: '1',
  name: 'Rapport de preuve',
  description: 'Capture de https://example.org/',
  quantity: 1,
  unit: 'C62',
  unitPrice: 9_900,
  net: 9_900,
  period: null,
  category: 'S',
  rate: 2_000,
}
const year = { from: '2026-11-23', to: '2027-11-22' }

/** A report paid by card. */
export const ordinary: InvoiceFacts = {
  type: 'invoice',
  number: 'F2026-000123',
  issuedOn: '2026-11-23',
  dueOn: '2026-11-23',
  vatDue: 'payment',
  preceding: [],
  seller,
  buyer: frenchFirm,
  order: null,
  suppliedOn: '2026-11-23',
  period: null,
  means: { kind: 'card', lastDigits: '4242' },
  schedule: null,
  allowances: [],
  lines: [report],
  vat: [{ category: 'S', rate: 2_000, taxable: 9_900, tax: 1_980 }],
  paid: 11_880,
  settled: null,
  test: false,
}

/** A month of reports, by transfer, with a discount. */
export const monthly: InvoiceFacts = {
  ...ordinary,
  number: 'F2026-000124',
  dueOn: '2026-12-23',
  suppliedOn: null,
  period: { from: '2026-10-23', to: '2026-11-22' },
  order: 'BC-2026/77',
  means: {
    kind: 'transfer',
    iban: 'FR1420041010050500013M02606',
    bic: 'PSSTFRPPPAR',
    holder: 'Probant SAS',
    reference: 'F2026-000124',
  },
  lines: [
    {
      ...report,
      name: 'Abonnement Essentiel',
      description: null,
      unit: 'MON',
      unitPrice: 39_900,
      net: 39_900,
      period: { from: '2026-10-23', to: '2026-11-22' },
    },
    { ...report, id: '2', quantity: 3, net: 29_700, description: null },
    { ...report, id: '3', name: 'Horodatage', description: null, quantity: 7, unitPrice: 500, net: 3_500 },
  ],
  allowances: [{ amount: 1_333, reason: 'Remise de bienvenue', category: 'S', rate: 2_000 }],
  vat: [{ category: 'S', rate: 2_000, taxable: 71_767, tax: 14_353 }],
  paid: 0,
}

const part = (dueOn: string): Instalment => ({ dueOn, net: 119_760, vat: 23_952, gross: 143_712 })

/** The first of four instalments of Comfort for a year, by direct debit. */
export const instalment: InvoiceFacts = {
  ...ordinary,
  number: 'F2026-000125',
  dueOn: '2026-11-23',
  suppliedOn: null,
  period: year,
  means: {
    kind: 'direct_debit',
    mandate: 'MANDAT-0042',
    creditor: 'FR72ZZZ123456',
    iban: 'FR7630006000011234567890189',
  },
  schedule: { current: 0, parts: [part('2026-11-23'), part('2027-02-23'), part('2027-05-23'), part('2027-08-23')] },
  lines: [
    {
      ...report,
      name: 'Abonnement Confort, un an',
      description: 'Échéance 1 sur 4',
      unitPrice: 119_760,
      net: 119_760,
      period: year,
    },
  ],
  vat: [{ category: 'S', rate: 2_000, taxable: 119_760, tax: 23_952 }],
  paid: 0,
}

export const creditNote: InvoiceFacts = {
  ...ordinary,
  type: 'credit_note',
  number: 'A2026-000007',
  dueOn: null,
  preceding: [{ number: 'F2026-000123', issuedOn: '2026-11-23' }],
  means: null,
  paid: 0,
  settled: 'deducted',
}

/** To a firm of the Union. */
export const reverseCharge: InvoiceFacts = {
  ...monthly,
  number: 'F2026-000126',
  buyer: germanFirm,
  allowances: [],
  lines: monthly.lines.map((line) => ({ ...line, category: 'AE', rate: 0 })),
  vat: [{ category: 'AE', rate: 0, taxable: 73_100, tax: 0 }],
}

/** To a firm outside the Union, by a mandate of which the provider tells its reference alone. */
export const outsideUnion: InvoiceFacts = {
  ...reverseCharge,
  means: { kind: 'direct_debit', mandate: 'UMR-0042', creditor: null, iban: null },
  number: 'F2026-000127',
  buyer: swissFirm,
  lines: monthly.lines.map((line) => ({ ...line, category: 'O', rate: null })),
  vat: [{ category: 'O', rate: null, taxable: 73_100, tax: 0 }],
}

export const toPerson: InvoiceFacts = { ...ordinary, number: 'F2026-000128', buyer: person, test: true }

/** What a firm is paid for whom it sent: made out for it. */
export const selfBilled: InvoiceFacts = {
  ...ordinary,
  type: 'self_billed',
  number: 'P2026-000001',
  dueOn: '2026-12-01',
  seller: {
    ...frenchFirm,
    legal: { form: 'SARL', capital: '5 000 €', register: 'RCS Lyon 552 100 554' },
  },
  buyer: { ...seller, kind: 'business' },
  suppliedOn: null,
  period: { from: '2026-10-01', to: '2026-10-31' },
  means: { kind: 'transfer', iban: 'FR7630006000011234567890189', bic: null, holder: frenchFirm.name, reference: 'P2026-000001' },
  lines: [{ ...report, name: 'Parrainage, octobre 2026', description: null, unitPrice: 12_345, net: 12_345 }],
  vat: [{ category: 'S', rate: 2_000, taxable: 12_345, tax: 2_469 }],
  paid: 0,
}

/** His bank sent it back. */
export const selfBilledCredit: InvoiceFacts = {
  ...selfBilled,
  type: 'self_billed_credit',
  number: 'PA2026-000001',
  dueOn: null,
  preceding: [{ number: 'P2026-000001', issuedOn: '2026-11-23' }],
  means: null,
  settled: 'returned',
}

export const everyKind = {
  ordinary,
  monthly,
  instalment,
  creditNote,
  reverseCharge,
  outsideUnion,
  toPerson,
  selfBilled,
  selfBilledCredit,
} as const satisfies Readonly<Record<string, InvoiceFacts>>
