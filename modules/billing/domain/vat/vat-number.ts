/** Numbers of VAT of the union, as the register knows them (VIES): how they are built, before anybody is asked. */
import { isFrenchVatId } from '../document/rules/identifiers.ts'

export type VatNumber = {
  /** With its prefix, without spaces: `DE129273398`. */
  readonly text: string
  /** As the register calls the state: `EL`, `XI`. */
  readonly state: string
  readonly rest: string
}

/** After the prefix (VIES, frequently asked questions, 11). */
const shapes: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^(?:[A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[0-9A-HJ-NP-Z]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(?:\d{7}[A-Z]{1,2}|\d[A-Z+*]\d{5}[A-Z])$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[0-9A-Z+*]{12}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  // Northern Ireland.
  XI: /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
}

/** null: no state of the union has such numbers. Of French ones the key is reckoned too. */
export function readVatNumber(typed: string): VatNumber | null {
  const text = typed
    .toUpperCase()
    .replaceAll(/[\s.\u00a0\u202f/-]/g, '')
    // Greece is `GR` everywhere else.
    .replace(/^GR/, 'EL')
  const [state, rest] = [text.slice(0, 2), text.slice(2)]
  const isShaped = Object.hasOwn(shapes, state) && shapes[state]?.test(rest) === true
  return !isShaped || (state === 'FR' && !isFrenchVatId(text)) ? null : { text, state, rest }
}

const countries: Readonly<Record<string, readonly string[]>> = { EL: ['GR'], XI: ['GB'], FR: ['FR', 'MC'] }

/** Whether a number is of the country in which its owner says that he is. @param country ISO 3166-1 alpha-2 */
export function isOfCountry(number: string, country: string): boolean {
  const state = number.slice(0, 2)
  return (countries[state] ?? [state]).includes(country)
}
