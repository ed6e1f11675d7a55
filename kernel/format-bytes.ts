import type { Locale } from './locale.ts'

const nbsp = '\u00A0'

/** Decimal units, as disks and networks count them: `2.6 MB`, `2,6 Mo`. */
export function formatBytes(bytes: number, locale: Locale): string {
  const units = locale === 'fr' ? ['o', 'ko', 'Mo', 'Go', 'To'] : ['B', 'kB', 'MB', 'GB', 'TB']
  let size = 1
  let unit = 0
  while (bytes / size >= 999.5 && unit < units.length - 1) {
    size *= 1000
    unit += 1
  }
  const parts = unit === 0 || bytes / size >= 100 ? 1 : 10
  return `${write(Math.round((bytes * parts) / size) / parts, locale)}${nbsp}${units[unit] ?? ''}`
}

/** As `Intl.NumberFormat` does, whose first use costs a telephone a tenth of a second: only what has thousands to be set apart is worth that. */
function write(figure: number, locale: Locale): string {
  if (figure >= 1000) return new Intl.NumberFormat(locale === 'fr' ? 'fr-FR' : 'en-GB').format(figure)
  return locale === 'fr' ? String(figure).replace('.', ',') : String(figure)
}
