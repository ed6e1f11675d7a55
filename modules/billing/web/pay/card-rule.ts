/** V-29…V-34: what a card must be before it goes to the provider, which is the only one to see it. */
export type CardFields = { readonly number: string; readonly expiry: string; readonly cvc: string }

type Kind = { readonly name: string; readonly begins: RegExp; readonly digits: readonly number[]; readonly cvc: number }

/** By the ranges that the schemes publish (ISO/IEC 7812). */
const kinds: readonly Kind[] = [
  { name: 'American Express', begins: /^3[47]/, digits: [15], cvc: 4 },
  { name: 'Visa', begins: /^4/, digits: [13, 16, 19], cvc: 3 },
  { name: 'Mastercard', begins: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, digits: [16], cvc: 3 },
  { name: 'Maestro', begins: /^(?:50|5[6-9]|6[0-9])/, digits: [12, 13, 14, 15, 16, 17, 18, 19], cvc: 3 },
]

export const digitsOf = (text: string): string => text.replaceAll(/[\s-]/g, '')

/** V-29. null: none that is known. */
export function kindOf(number: string): string | null {
  const digits = digitsOf(number)
  return kinds.find(({ begins }) => begins.test(digits))?.name ?? null
}

/** As it stands on the card. */
export function grouped(number: string): string {
  const digits = number.replaceAll(/\D/g, '').slice(0, 19)
  return kindOf(digits) === 'American Express'
    ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)].filter((part) => part !== '').join(' ')
    : digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}

/** The last digit is right (ISO/IEC 7812-1, annex B). */
function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, each, at) => {
      const doubled = each * (at % 2 === 1 ? 2 : 1)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return sum % 10 === 0
}

/** `MM/YY` however it is typed, as the provider has it, `MMYY`; null: it is no month. */
export function expiryOf(text: string): string | null {
  const [, month = '', year = ''] = /^\s*(0?[1-9]|1[0-2])\s*[/.-]?\s*(?:20)?(\d{2})\s*$/.exec(text) ?? []
  return month === '' ? null : `${month.padStart(2, '0')}${year}`
}

/** Codes by name of field; empty: nothing is wrong. */
export function faultsOfCard({ number, expiry, cvc }: CardFields, now: Date): Partial<Record<keyof CardFields, string>> {
  const digits = digitsOf(number)
  const kind = kinds.find(({ begins }) => begins.test(digits))
  const month = expiryOf(expiry)
  const faultOfNumber = (): string | null => {
    if (digits === '') return 'number_required'
    if (!/^\d+$/.test(digits)) return 'number_wrong'
    if (kind === undefined) return 'type_required'
    return kind.digits.includes(digits.length) && passesLuhn(digits) ? null : 'number_wrong'
  }
  const faultOfExpiry = (): string | null => {
    if (expiry.trim() === '') return 'expiry_required'
    if (month === null) return 'expiry_wrong'
    // It holds to the end of its month.
    const over = new Date(2000 + Number(month.slice(2)), Number(month.slice(0, 2)), 1)
    return over <= now ? 'expiry_over' : null
  }
  const faultOfCvc = (): string | null => {
    if (cvc.trim() === '') return 'cvc_required'
    return /^\d+$/.test(cvc.trim()) && cvc.trim().length === (kind?.cvc ?? 3) ? null : 'cvc_wrong'
  }
  const faults = Object.entries({ number: faultOfNumber(), expiry: faultOfExpiry(), cvc: faultOfCvc() })
  return Object.fromEntries(faults.flatMap(([name, code]) => (code === null ? [] : [[name, code]])))
}
