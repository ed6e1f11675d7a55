/** What has to add up: BR-DEC (whole cents), BR-CO and the amounts of a line. */
import { vatOf } from '../../money/money.ts'
import { isCreditNote, type Allowance, type InvoiceDocument, type Line } from '../invoice-document.ts'
import { totalsOf } from '../total.ts'
import { isSaid, type Rule } from './rule.ts'

const whole = Number.isSafeInteger
const expected = (document: InvoiceDocument): InvoiceDocument['totals'] => totalsOf(document, document.totals.paid)

type Taxed = { readonly category: Line['category']; readonly rate: Line['rate'] }
export const sameVat = (a: Taxed, b: Taxed): boolean => a.category === b.category && a.rate === b.rate

/**
 * VAT is rounded for each line, and of a price in parts the last takes what is left: so it is as far from the rate of the sum as half a cent for
 * each amount that was rounded, and a cent for each part. The published rule leaves less than a euro: a credit note is held to that alone, for
 * it gives back shares of net and of VAT, and at last what earlier ones left of both; that it gives back no more is for the books to hold.
 */
function isNearRate(document: InvoiceDocument): boolean {
  const { lines, allowances, schedule, type } = document
  return document.vat.every((group) => {
    const rounded = [...lines, ...allowances].filter((each) => sameVat(each, group)).length
    const room = isCreditNote(type) ? 99 : rounded / 2 + (schedule?.current == null ? 0 : schedule.parts.length)
    if (group.rate === null) return true
    // What is owed back is a credit note of its own.
    return whole(group.taxable) && group.taxable >= 0 && Math.abs(group.tax - vatOf(group.taxable, group.rate)) <= room
  })
}

export const amountRules: readonly Rule[] = [
  ['BR-DEC-01', ({ allowances }) => allowances.every(({ amount }) => whole(amount))],
  ['BR-DEC-09', ({ totals }) => whole(totals.lines)],
  ['BR-DEC-10', ({ totals }) => whole(totals.allowances)],
  ['BR-DEC-12', ({ totals }) => whole(totals.net)],
  ['BR-DEC-13', ({ totals }) => whole(totals.vat)],
  ['BR-DEC-14', ({ totals }) => whole(totals.gross)],
  ['BR-DEC-16', ({ totals }) => whole(totals.paid)],
  ['BR-DEC-18', ({ totals }) => whole(totals.due)],
  ['BR-DEC-19', ({ vat }) => vat.every(({ taxable }) => whole(taxable))],
  ['BR-DEC-20', ({ vat }) => vat.every(({ tax }) => whole(tax))],
  ['BR-DEC-23', ({ lines }) => lines.every(({ net, unitPrice }) => whole(net) && whole(unitPrice))],
  // BT-131, EN 16931-1 §7.5: no rule of the list says it.
  ['BT-131', ({ lines }) => lines.every(({ net, quantity, unitPrice }) => net === quantity * unitPrice)],
  ['BR-CO-10', (document) => document.totals.lines === expected(document).lines],
  ['BR-CO-11', (document) => document.totals.allowances === expected(document).allowances],
  ['BR-CO-13', ({ totals }) => totals.net === totals.lines - totals.allowances],
  ['BR-CO-14', (document) => document.totals.vat === expected(document).vat],
  ['BR-CO-15', ({ totals }) => totals.gross === totals.net + totals.vat],
  ['BR-CO-16', ({ totals }) => totals.due === totals.gross - totals.paid],
  ['BR-CO-17', isNearRate],
  ['BR-CO-18', ({ vat }) => vat.length > 0],
  ['BR-CO-25', ({ totals, dueOn, terms }) => totals.due <= 0 || dueOn !== null || (terms !== null && isSaid(terms))],
]

/** Of the lines and what is taken off them. */
export function taxableOf(
  document: { readonly lines: readonly Line[]; readonly allowances: readonly Allowance[] },
  of: Taxed,
): number {
  const lines = document.lines.filter((line) => sameVat(line, of)).reduce((all, { net }) => all + net, 0)
  return document.allowances.filter((each) => sameVat(each, of)).reduce((all, { amount }) => all - amount, lines)
}
