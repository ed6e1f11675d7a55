import type { Locale } from '../../kernel/locale.ts'

/** Beginnings of the names of months, in both languages and without accents; those of two months (`jui`, `ma`) are none. */
const months: readonly (readonly string[])[] = [
  ['jan'],
  ['feb', 'fev'],
  ['mar'],
  ['apr', 'avr'],
  ['may', 'mai'],
  ['jun', 'juin'],
  ['jul', 'juil'],
  ['aug', 'aou'],
  ['sep'],
  ['oct'],
  ['nov'],
  ['dec'],
]

const iso = (year: number, month: number, day: number): string | null => {
  const at = new Date(Date.UTC(year, month - 1, day))
  // The calendar gives back another day for one that it has not.
  const same = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return same && year >= 1000 && year <= 9999 ? at.toISOString().slice(0, 10) : null
}

const monthNamed = (name: string): number | null => {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const at = months.findIndex((begins) => begins.some((each) => plain.startsWith(each)))
  return at === -1 ? null : at + 1
}

/**
 * A day as people write it, whichever language the page is in: `20/11/2026`, `20.11.2026`, `20112026`, `2026-11-20`, `20 Nov 2026`,
 * `1er novembre 2026`, `November 20, 2026`. The day comes before the month, and a year has four digits.
 * @returns `2026-11-20`; null: no day of the calendar
 */
export function readDay(typed: string): string | null {
  const text = typed.trim()
  const [, y = '', m = '', d = ''] = /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})$/.exec(text) ?? []
  if (y !== '') return iso(Number(y), Number(m), Number(d))
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[-/. ]+(\d{1,2})[-/. ]+(\d{4})$/.exec(text) ?? []
  if (day !== '') return iso(Number(year), Number(month), Number(day))
  const digits = /^\d{8}$/.test(text) ? text : ''
  if (digits !== '')
    return (
      iso(Number(digits.slice(4)), Number(digits.slice(2, 4)), Number(digits.slice(0, 2))) ??
      iso(Number(digits.slice(0, 4)), Number(digits.slice(4, 6)), Number(digits.slice(6)))
    )
  const named =
    /^(?<d>\d{1,2})(?:er|st|nd|rd|th)?[ .-]+(?<m>\p{L}{3,10})\.?,?[ .-]+(?<y>\d{4})$/u.exec(text) ??
    /^(?<m>\p{L}{3,10})\.?[ .-]+(?<d>\d{1,2})(?:st|nd|rd|th)?,?[ .-]+(?<y>\d{4})$/u.exec(text)
  const parts = named?.groups
  if (parts === undefined) return null
  const number = monthNamed(parts['m'] ?? '')
  return number === null ? null : iso(Number(parts['y']), number, Number(parts['d']))
}

/** As the language writes it, so that nobody takes the day for the month: `20 Nov 2026`, `20/11/2026`. @param day `2026-11-20`; anything else stays what it is */
export function showDay(day: string, locale: Locale): string {
  const at = new Date(`${day}T00:00:00Z`)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(at.getTime())) return day
  if (locale === 'fr') return `${day.slice(8)}/${day.slice(5, 7)}/${day.slice(0, 4)}`
  const month = at.toLocaleDateString('en-GB', { month: 'short', timeZone: 'UTC' }).replace('Sept', 'Sep')
  return `${String(at.getUTCDate())} ${month} ${day.slice(0, 4)}`
}
