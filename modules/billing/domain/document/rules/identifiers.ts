/** Identifiers: BR-CO-09, BR-CO-26, those of the French register and its key in a number of VAT (CGI ann. II 242 nonies A; INSEE). */
import type { InvoiceDocument, Party } from '../invoice-document.ts'
import { isSaid, type Rule } from './rule.ts'

const parties = ({ seller, buyer }: InvoiceDocument): readonly Party[] => [seller, buyer]

/** Luhn's sum, which each SIREN keeps; La Poste's is the one known exception, of establishments only. */
export function isSiren(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false
  const sum = Array.from(text, Number).reduce((all, digit, at) => {
    const weighed = at % 2 === 1 ? digit * 2 : digit
    return all + (weighed > 9 ? weighed - 9 : weighed)
  }, 0)
  return sum % 10 === 0
}

/** In what somebody gave as his number: a SIREN, or the SIRET that begins with one (BR-FR-09); null: it is neither. */
export function sirenIn(text: string | null): string | null {
  const digits = (text ?? '').replaceAll(/[\s.\u00a0-]/g, '')
  const siren = /^\d{9}(?:\d{5})?$/.test(digits) ? digits.slice(0, 9) : ''
  return isSiren(siren) ? siren : null
}

/** As it is read aloud and written: `732 829 320`. */
export const spacedSiren = (siren: string): string => siren.replaceAll(/(\d{3})(?=\d)/g, '$1\u00a0')

/** Those overseas are in the French register too, though VAT is another there, or none. */
const french: ReadonlySet<string> = new Set(['FR', 'GP', 'MQ', 'RE', 'GF', 'YT'])
export const isInFrenchRegister = (country: string): boolean => french.has(country)

/** FR, a key of two, SIREN; a key with letters is of the newer form, which has no public sum. */
export function isFrenchVatId(text: string): boolean {
  const [, key = '', siren = ''] = /^FR([0-9A-HJ-NP-Z]{2})(\d{9})$/.exec(text) ?? []
  return isSiren(siren) && (!/^\d\d$/.test(key) || Number(key) === (12 + 3 * (Number(siren) % 97)) % 97)
}

export const identifierRules: readonly Rule[] = [
  ['BR-CO-09', (document) => parties(document).every(({ vatId }) => vatId === null || /^[A-Z]{2}[0-9A-Z+*]{2,13}$/.test(vatId))],
  ['BR-CO-26', ({ seller }) => (seller.registration !== null && isSaid(seller.registration.id)) || seller.vatId !== null],
  ['BR-62', ({ seller }) => seller.electronic === null || isSaid(seller.electronic.id)],
  ['BR-63', ({ buyer }) => buyer.electronic === null || isSaid(buyer.electronic.id)],
  [
    'FR-SIREN',
    (document) => parties(document).every(({ registration }) => registration?.scheme !== '0002' || isSiren(registration.id)),
  ],
  ['FR-VAT-ID', (document) => parties(document).every(({ vatId }) => vatId?.startsWith('FR') !== true || isFrenchVatId(vatId))],
]
