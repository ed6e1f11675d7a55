import type { Locale } from '../../kernel/locale.ts'
import { utcInstant } from '../../kernel/utc-instant.ts'

export { formatBytes } from '../../kernel/format-bytes.ts'

/** U+00A0, which French typography asks for and `Intl` gives unevenly between engines. */
const nbsp = '\u00a0'

function partsOf(instant: Date, locale: string, options: Intl.DateTimeFormatOptions): Record<string, string> {
  const parts = new Intl.DateTimeFormat(locale, options).formatToParts(instant)
  return Object.fromEntries(parts.map((part) => [part.type, part.value]))
}

/** `UTC+1`, `UTC-3:30`, `UTC`: the offset in force at that instant. */
export function utcOffset(instant: Date, timeZone: string): string {
  const name = partsOf(instant, 'en-GB', { timeZone, timeZoneName: 'shortOffset' })['timeZoneName'] ?? 'UTC'
  return name.replace('GMT', 'UTC').replace(/\+0$/, '')
}

type Zoned = { readonly timeZone?: string | undefined }

/** `seconds`: never without the form of {@link formatExact} beside it, so that one fact has one form everywhere (decision 0345). */
function localInstant(
  instant: Date | string,
  locale: Locale,
  { timeZone: given, seconds }: Zoned & { seconds: boolean },
): string {
  const at = new Date(instant)
  const timeZone = given ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
  const shown = partsOf(at, locale === 'fr' ? 'fr-FR' : 'en-GB', {
    timeZone,
    day: locale === 'fr' ? '2-digit' : 'numeric',
    month: locale === 'fr' ? '2-digit' : 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  const { day = '', month = '', year = '', hour = '', minute = '', second = '' } = shown
  const offset = utcOffset(at, timeZone)
  if (locale === 'fr') {
    const zone = timeZone === 'Europe/Paris' ? 'heure de Paris' : offset
    const rest = seconds ? `${nbsp}min${nbsp}${second}${nbsp}s` : ''
    return `${day}/${month}/${year} à${nbsp}${hour}${nbsp}h${nbsp}${minute}${rest} (${zone})`
  }
  return `${day} ${month.replace('Sept', 'Sep')} ${year}, ${hour}:${minute}${seconds ? `:${second}` : ''} (${offset})`
}

/**
 * A date and time to the minute that nobody can misread, the zone always said: of the reader’s own affairs (until when, since when).
 * English `20 Nov 2026, 12:10 (UTC+1)`; French `20/11/2026 à 12 h 10 (heure de Paris)`.
 */
export function formatInstant(instant: Date | string, locale: Locale, options: Zoned = {}): string {
  return localInstant(instant, locale, { ...options, seconds: false })
}

/**
 * An instant of evidence, to the second: in UTC as the report, the certificate and README.txt write it, and as the reader's own clock
 * had it.
 * @param iso ISO 8601
 */
export function formatExact(iso: string, locale: Locale, options: Zoned = {}): string {
  const local = localInstant(iso, locale, { ...options, seconds: true })
  const utc = utcInstant(iso, locale)
  return local.endsWith('(UTC)') ? utc : `${utc} = ${local}`
}

/** A month of a calendar, from `2026-11`; `back` months before it. */
export function formatMonth(month: string, back: number, locale: Locale, style: 'long' | 'short' = 'long'): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const at = new Date(Date.UTC(year, number - 1 - back, 1))
  return at.toLocaleDateString(locale === 'fr' ? 'fr-FR' : 'en-GB', { month: style, year: 'numeric', timeZone: 'UTC' })
}

/** A day of the calendar, from `2026-11-21`; in French the first of a month is an ordinal. */
export function formatDay(day: string, locale: Locale): string {
  const at = new Date(`${day}T00:00:00Z`)
  const said = at.toLocaleDateString(locale === 'fr' ? 'fr-FR' : 'en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return locale === 'fr' ? said.replace(/^1 /, '1er ') : said
}

/** Cents with their currency: `€118.80`, `118,80 €`; less than nothing by a sign of its own, which no line ends with. */
export function formatMoney(cents: number, currency: 'EUR', locale: Locale): string {
  const amount = new Intl.NumberFormat(locale === 'fr' ? 'fr-FR' : 'en-GB', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(Math.abs(cents) / 100)
  const sign = { EUR: '€' }[currency]
  const less = cents < 0 ? '\u2212' : ''
  return locale === 'fr' ? `${less}${amount}${nbsp}${sign}` : `${less}${sign}${amount}`
}

/** Seconds of work: `42 s`, `1 min 05 s`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  if (whole < 60) return `${whole}${nbsp}s`
  return `${Math.floor(whole / 60)}${nbsp}min${nbsp}${String(whole % 60).padStart(2, '0')}${nbsp}s`
}

/**
 * Time left as `23 h 59 min`, `59 min` in the last hour, `0 min` once it is over: `24:00` was read as minutes. Both languages write these units so
 * (SI brochure, table 8), and no line ends within.
 */
export function formatCountdown(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000))
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return hours === 0 ? `${rest}${nbsp}min` : `${hours}${nbsp}h${nbsp}${String(rest).padStart(2, '0')}${nbsp}min`
}

/** A hash in groups of eight digits, easier to compare by eye; a line ends between two of them. */
export function groupHex(hex: string): string {
  return hex.replace(/(.{8})(?=.)/g, '$1 ')
}
