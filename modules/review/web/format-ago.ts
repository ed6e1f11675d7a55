import type { Locale } from '../../../kernel/locale.ts'

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How long ago, in the largest whole unit: `3 days ago`, `il y a 3 jours`; null: less than a minute. @param at and now in milliseconds since the epoch */
export function formatAgo(at: number, now: number, locale: Locale): string | null {
  const passed = Math.max(0, now - at)
  const words = new Intl.RelativeTimeFormat(locale === 'fr' ? 'fr-FR' : 'en-GB')
  for (const [unit, length] of units) if (passed >= length) return words.format(-Math.floor(passed / length), unit)
  return null
}
