/** What each category of VAT demands: BR-S, BR-Z, BR-AE, BR-G, BR-O, numbered alike (EN 16931-1:2017 §6.4.3). */
import type { InvoiceDocument, VatCategory } from '../invoice-document.ts'
import { sameVat, taxableOf } from './amounts.ts'
import { isSaid, type Rule } from './rule.ts'

type Use = { readonly category: VatCategory; readonly rate: number | null }
type Demands = {
  readonly rate: (rate: number | null) => boolean
  readonly identified: (document: InvoiceDocument) => boolean
  readonly exempt: boolean
}

const isZero = (rate: number | null): boolean => rate === 0
const sellerHasVat = ({ seller }: InvoiceDocument): boolean => seller.vatId !== null

const demands: Readonly<Record<VatCategory, Demands>> = {
  S: { rate: (rate) => rate !== null && rate > 0, identified: sellerHasVat, exempt: false },
  Z: { rate: isZero, identified: sellerHasVat, exempt: false },
  // The list is content with a register's number; French law is not (CGI ann. II 242 nonies A I 4°).
  AE: { rate: isZero, identified: ({ seller, buyer }) => seller.vatId !== null && buyer.vatId !== null, exempt: true },
  G: { rate: isZero, identified: sellerHasVat, exempt: true },
  O: {
    rate: (rate) => rate === null,
    identified: ({ seller, buyer }) => seller.vatId === null && buyer.vatId === null,
    exempt: true,
  },
}

function rulesOf(category: VatCategory, { rate, identified, exempt }: Demands): readonly Rule[] {
  const of = <Each extends Use>(all: readonly Each[]): readonly Each[] => all.filter((each) => each.category === category)
  const named = (number: string): string => `BR-${category}-${number}`
  return [
    // What is taxed so has its part of the breakdown, and each part something that is taxed so.
    [
      named('01'),
      ({ lines, allowances, vat }) =>
        of([...lines, ...allowances]).every((each) => vat.some((group) => sameVat(group, each))) &&
        of(vat).every((group) => vat.filter((each) => sameVat(each, group)).length === 1) &&
        of(vat).every((group) => [...lines, ...allowances].some((each) => sameVat(each, group))),
    ],
    [named('02'), (document) => of(document.lines).length === 0 || identified(document)],
    [named('03'), (document) => of(document.allowances).length === 0 || identified(document)],
    [named('05'), ({ lines }) => of(lines).every((line) => rate(line.rate))],
    [named('06'), ({ allowances }) => of(allowances).every((each) => rate(each.rate))],
    [named('08'), (document) => of(document.vat).every((group) => group.taxable === taxableOf(document, group))],
    [named('09'), ({ vat }) => of(vat).every((group) => category === 'S' || group.tax === 0)],
    [
      named('10'),
      ({ vat }) => of(vat).every(({ exemption }) => (exempt ? exemption !== null && isSaid(exemption.text) : exemption === null)),
    ],
  ]
}

/** Beside what is not subject to VAT nothing is. */
const alone =
  (of: (document: InvoiceDocument) => readonly Use[]) =>
  (document: InvoiceDocument): boolean =>
    document.vat.every(({ category }) => category !== 'O') || of(document).every(({ category }) => category === 'O')

export const vatRules: readonly Rule[] = [
  ...(Object.keys(demands) as VatCategory[])
    .flatMap((category) => rulesOf(category, demands[category]))
    // The amount of the standard rate is held by BR-CO-17.
    .filter(([id]) => id !== 'BR-S-09'),
  ['BR-O-11', alone(({ vat }) => vat)],
  ['BR-O-12', alone(({ lines }) => lines)],
  ['BR-O-13', alone(({ allowances }) => allowances)],
]
