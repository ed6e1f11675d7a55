/** What French law wants to be said on an invoice, whatever its format, and what no list of rules has. */
import { isCreditNote, isSelfBilled, type InvoiceDocument } from '../invoice-document.ts'
import { daysBetween, isSaid, type Rule } from './rule.ts'

const says = ({ notes }: InvoiceDocument, words: RegExp): boolean => notes.some(({ text }) => words.test(text))

/** The parts of a price are the price, and what is asked for now is one of them (L441-9: the date, and the amount). */
function keepsSchedule({ schedule, totals, dueOn }: InvoiceDocument): boolean {
  if (schedule === null) return true
  const { parts, current } = schedule
  const adds = parts.every(({ net, vat, gross }) => gross === net + vat && gross > 0)
  // In no order: one that is invoiced late, after a failure of ours or of a payment, is due later than it was planned, even than those after it.
  const dated = parts.every(({ dueOn: day }) => day !== '')
  const of = (part: 'net' | 'vat' | 'gross'): number => parts.reduce((all, each) => all + each[part], 0)
  const now = current === null ? undefined : parts[current]
  const asked = current === null ? { net: of('net'), vat: of('vat'), gross: of('gross'), dueOn: parts.at(-1)?.dueOn } : now
  const same = asked?.net === totals.net && asked.vat === totals.vat && asked.gross === totals.gross && asked.dueOn === dueOn
  return parts.length > 1 && adds && dated && same
}

export const frenchLawRules: readonly Rule[] = [
  // CGI ann. II 242 nonies A I 10°: the day, or the days, of what was supplied.
  ['CGI-242-NONIES-A/SUPPLIED', ({ suppliedOn, period }) => suppliedOn !== null || period !== null],
  // C. com. R123-237, R123-238: register, legal form, capital.
  ['CCOM-R123-237', ({ seller }) => isSaid(seller.legalText)],
  // CGI ann. II 242 nonies A I 13°: this word, in French.
  [
    'CGI-242-NONIES-A/REVERSE',
    ({ vat }) => vat.every(({ category, exemption }) => category !== 'AE' || /autoliquidation/i.test(exemption?.text ?? '')),
  ],
  // CGI ann. II 242 nonies A I 14°: and this one.
  ['CGI-242-NONIES-A/SELF-BILLED', (document) => !isSelfBilled(document.type) || says(document, /autofacturation/i)],
  // CGI ann. II 242 nonies A I 12°: why no VAT is paid, by the text that says so.
  [
    'CGI-242-NONIES-A/EXEMPT',
    ({ vat }) => vat.every(({ exemption }) => exemption === null || /CGI|2006\/112/.test(exemption.text)),
  ],
  // C. com. L441-10 I: sixty days after the invoice at most.
  [
    'CCOM-L441-10/TERM',
    ({ issuedOn, dueOn, schedule }) => dueOn === null || schedule?.current === null || daysBetween(issuedOn, dueOn) <= 60,
  ],
  // C. com. L441-9 I: the rate of penalties, and of those in trade 40 EUR (D441-5).
  [
    'CCOM-D441-5',
    (document) =>
      document.buyer.kind === 'private' || document.notes.some(({ subject, text }) => subject === 'PMT' && /\b40\b/.test(text)),
  ],
  // C. com. L441-9 I: when it is to be paid.
  ['CCOM-L441-9/DUE', ({ dueOn, type }) => dueOn !== null || isCreditNote(type)],
  ['CCOM-L441-9/INSTALMENTS', keepsSchedule],
]
