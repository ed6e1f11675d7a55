import type { Locale } from './locale.ts'

const nbsp = '\u00A0'

/** Decimal units, as disks and networks count them: `2.6 MB`, `2,6 Mo`. */
export function formatBytes(bytes: number, locale: Locale): string {
  const units = locale === 'fr' ? ['o', 'ko', 'Mo', 'Go', 'To'] : ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1
  const figure = new Intl.NumberFormat(locale === 'fr' ? 'fr-FR' : 'en-GB', { maximumFractionDigits: digits }).format(value)
  return `${figure}${nbsp}${units[unit] ?? ''}`
}
