/** Cents of what an XML statement writes: digits, a point, at most two more (ISO 20022 `ActiveOrHistoricCurrencyAndAmount`, in euros). */
export function readDecimal(text: string): number | null {
  const match = /^(\d{1,13})(?:\.(\d{1,2})0{0,3})?$/.exec(text.trim())
  return match === null ? null : safe(Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')))
}

/**
 * Cents of what a table writes: `1 234,56`, `1.234,56`, `1,234.56`, `-12,00`, `12`. One separator with three digits after it may be either,
 * so that it is none: an amount is never guessed.
 */
export function readWritten(text: string): number | null {
  const plain = text
    .replaceAll(/[\s\u00a0\u202f€]|EUR/g, '')
    .replace(/^\+/, '')
    .replaceAll('−', '-')
  const match = /^(-?)(\d+|\d{1,3}(?:([.,' ])\d{3})+)(?:([.,])(\d{2}))?$/.exec(plain)
  if (match === null) return null
  const [, sign, whole = '', grouping, decimal, cents] = match
  if (grouping !== undefined && (grouping === decimal || (decimal === undefined && whole.split(grouping).length === 2)))
    return null
  const value = Number(whole.replaceAll(/\D/g, '')) * 100 + Number(cents ?? 0)
  return safe(sign === '-' ? -value : value)
}

function safe(cents: number): number | null {
  return Number.isSafeInteger(cents) ? cents : null
}
