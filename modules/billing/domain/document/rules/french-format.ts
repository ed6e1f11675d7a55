/** The French rules of electronic invoices (AFNOR XP Z12-012, BR-FR-01 and after), as far as they can be broken here. */
import { isCreditNote, isSelfBilled, type InvoiceDocument, type Note } from '../invoice-document.ts'
import { isSiren } from './identifiers.ts'
import { isDay, isSaid, type Rule } from './rule.ts'

const notesOf = ({ notes }: InvoiceDocument, subject: Note['subject']): readonly Note[] =>
  notes.filter((note) => note.subject === subject && isSaid(note.text))
const isOnce = (document: InvoiceDocument, subject: Note['subject']): boolean =>
  document.notes.filter((note) => note.subject === subject).length === 1 && notesOf(document, subject).length === 1

const numbers = ({ number, preceding }: InvoiceDocument): readonly string[] => [number, ...preceding.map((each) => each.number)]
const daysOf = (document: InvoiceDocument): readonly string[] =>
  [
    document.issuedOn,
    document.dueOn,
    document.suppliedOn,
    document.period?.from,
    document.period?.to,
    ...document.preceding.map(({ issuedOn }) => issuedOn),
    ...document.lines.flatMap(({ period }) => [period?.from, period?.to]),
    ...(document.schedule?.parts ?? []).map(({ dueOn }) => dueOn),
  ].filter((day) => day != null)

/** In percent, as the list has them: today's rates and those that old supplies may still bear. */
const rates = new Set([0, 90, 105, 175, 210, 550, 700, 850, 920, 960, 1000, 1300, 1960, 2000, 2060])
const trades = ['B2B', 'B2BINT', 'B2C', 'B2CINT']

const tradeOf = (document: InvoiceDocument): string | undefined => notesOf(document, 'BAR')[0]?.text
/** Whose platform it is sent to: of what a buyer makes out, the seller's. */
const addressee = ({ type, seller, buyer }: InvoiceDocument): InvoiceDocument['seller'] | InvoiceDocument['buyer'] =>
  isSelfBilled(type) ? seller : buyer

export const frenchFormatRules: readonly Rule[] = [
  ['BR-FR-01', (document) => numbers(document).every((number) => number.length <= 35)],
  ['BR-FR-02', (document) => numbers(document).every((number) => /^[A-Za-z0-9+\-_/]*$/.test(number))],
  ['BR-FR-03', (document) => daysOf(document).every(isDay)],
  ['BR-FR-05/PMT', (document) => isOnce(document, 'PMT')],
  ['BR-FR-05/PMD', (document) => isOnce(document, 'PMD')],
  ['BR-FR-05/AAB', (document) => isOnce(document, 'AAB')],
  // Of a payee abroad there is none: the rule is about sellers in France.
  ['BR-FR-10', ({ seller }) => seller.address.country !== 'FR' || seller.registration?.scheme === '0002'],
  ['BR-FR-11', (document) => tradeOf(document) !== 'B2B' || document.buyer.registration?.scheme === '0002'],
  ['BR-FR-12', ({ buyer }) => buyer.electronic !== null],
  ['BR-FR-13', ({ seller }) => seller.electronic !== null],
  [
    'BR-FR-16',
    ({ lines, allowances, vat }) => [...lines, ...allowances, ...vat].every(({ rate }) => rate === null || rates.has(rate)),
  ],
  ['BR-FR-20', (document) => isOnce(document, 'BAR') && trades.includes(tradeOf(document) ?? '')],
  [
    'BR-FR-21',
    (document) => {
      const { electronic, registration } = addressee(document)
      return tradeOf(document) !== 'B2B' || (electronic?.scheme === '0225' && electronic.id.startsWith(registration?.id ?? '?'))
    },
  ],
  [
    'BR-FR-23',
    ({ seller, buyer }) =>
      [seller, buyer].every(({ electronic }) => electronic?.scheme !== '0225' || /^[A-Za-z0-9+\-_.]+$/.test(electronic.id)),
  ],
  ['BR-FR-25', ({ seller, buyer }) => [seller, buyer].every(({ electronic }) => (electronic?.id.length ?? 0) <= 125)],
  [
    'BR-FR-32',
    ({ seller, buyer }) =>
      [seller, buyer].every(({ registration }) => registration?.scheme !== '0002' || isSiren(registration.id)),
  ],
  ['BR-FR-CO-05', ({ type, preceding }) => !isCreditNote(type) || preceding.length > 0],
  ['BR-FR-CO-07', ({ dueOn, issuedOn, mode }) => dueOn === null || mode === 'S2' || dueOn >= issuedOn],
  [
    'BR-FR-CO-09',
    ({ mode, totals, dueOn }) => mode !== 'S2' || (totals.paid === totals.gross && totals.due === 0 && dueOn !== null),
  ],
]
