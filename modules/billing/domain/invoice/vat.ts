import { isOfCountry } from '../vat/vat-number.ts'
import type { BasisPoints } from '../money/money.ts'

/** As EN 16931 codes it: S standard, AE reverse charge, O outside the scope, Z zero. */
export type VatTreatment = 'standard' | 'reverse_charge' | 'outside'

/** What the register of VAT numbers said; `unreachable`: it was asked and said nothing. */
export type VatCheck = 'valid' | 'invalid' | 'unreachable'

export type VatParty = {
  readonly business: boolean
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly vatNumber: string | null
  /** null: it was never asked. */
  readonly check: VatCheck | null
}

export type VatDecision =
  | { readonly kind: 'decided'; readonly treatment: VatTreatment; readonly rate: BasisPoints }
  /** The number can be neither believed nor not: the invoice waits, nobody guesses. */
  | { readonly kind: 'wait' }

/** Of directive 2006/112/EC, as of 2021: Northern Ireland is in it for goods alone, and this is a service. */
const union: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK MC'.split(' '),
)
/** Monaco is France to VAT (convention of 18 May 1963). */
const french: ReadonlySet<string> = new Set(['FR', 'MC'])
/** CGI art. 296: Guadeloupe, Martinique, Réunion. */
const reduced: ReadonlySet<string> = new Set(['GP', 'MQ', 'RE'])
/** CGI art. 294: VAT is not in force in Guiana and Mayotte. */
const withoutVat: ReadonlySet<string> = new Set(['GF', 'YT'])

export const standardRate: BasisPoints = 2000
const overseasRate: BasisPoints = 850

const decided = (treatment: VatTreatment, rate: BasisPoints): VatDecision => ({ kind: 'decided', treatment, rate })

/**
 * H-37. France: its rate. A business elsewhere in the union: reverse charge (CGI art. 259, 1°, and 283-2), on the word of the register that
 * its number is valid; while that cannot be had, it waits. Anybody else in the union: the French rate, as long as what is sold so stays below
 * the threshold of article 259 D. Outside the union: none.
 */
export function decideVat({ business, country, vatNumber, check }: VatParty, rate: BasisPoints = standardRate): VatDecision {
  if (french.has(country)) return decided('standard', rate)
  if (reduced.has(country)) return decided('standard', overseasRate)
  if (withoutVat.has(country) || !union.has(country)) return decided('outside', 0)
  // A number of another state says nothing of where the customer is established.
  const isOwn = vatNumber !== null && isOfCountry(vatNumber, country)
  if (!business || !isOwn || check === 'invalid') return decided('standard', rate)
  return check === 'valid' ? decided('reverse_charge', 0) : { kind: 'wait' }
}
