export type BirthDateFault = 'birth_date_format' | 'birth_date_past'

/** Nobody alive was born before. */
const earliestYear = 1890

/** `YYYY-MM-DD` of the proleptic Gregorian calendar (ISO 8601). @param today in the same form; a date that is not before it is refused */
export function birthDateFault(typed: string, today: string): BirthDateFault | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(typed)
  if (parts === null) return 'birth_date_format'
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number]
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  if (days === undefined || day < 1 || day > days || year < earliestYear) return 'birth_date_format'
  return typed < today ? null : 'birth_date_past'
}
