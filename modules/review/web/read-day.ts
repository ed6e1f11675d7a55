/**
 * A day as somebody reads it off a document and types it: `31122039`, `31/12/2039`, `31.12.39`, day first in both languages as
 * documents and this product write it, or `2039-12-31` (ISO 8601). A year of two digits is of this century: expiry lies ahead.
 * @returns `YYYY-MM-DD`, or null for what is no day
 */
export function readDay(typed: string): string | null {
  const text = typed.trim()
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  const dayFirst = /^(\d{1,2})[ /.-](\d{1,2})[ /.-](\d{4}|\d{2})$/.exec(text) ?? /^(\d{2})(\d{2})(\d{4}|\d{2})$/.exec(text)
  const [, a = '', month = '', b = ''] = iso ?? dayFirst ?? []
  const [year, day] = iso === null ? [b.length === 2 ? `20${b}` : b, a] : [a, b]
  const found = new Date(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T00:00:00Z`)
  if (Number.isNaN(found.getTime()) || found.getUTCFullYear() < 1900 || found.getUTCFullYear() > 2199) return null
  // What does not exist (31 February) is taken for a day of the next month.
  return found.getUTCDate() === Number(day) ? found.toISOString().slice(0, 10) : null
}
