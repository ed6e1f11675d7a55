import type { Locale } from './locale.ts'

/** Names of months as the Unicode CLDR has them: engines differ in nothing that is written out here. */
const months: Readonly<Record<Locale, readonly string[]>> = {
  en: 'January February March April May June July August September October November December'.split(' '),
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
}

/**
 * An instant as every part of the product writes it: page, PDF, README.txt, `verify.html` and command line (decision 0345).
 * English `20 November 2026, 23:10:01 UTC`; French `20 novembre 2026 à 23 h 10 min 01 s UTC`. To the second, cut off and never rounded.
 * @param iso ISO 8601
 * @throws RangeError when it is no date
 */
export function utcInstant(iso: string, locale: Locale): string {
  const at = new Date(iso).toISOString()
  const year = String(new Date(iso).getUTCFullYear())
  const [month = 0, day = 0] = at.slice(-19, -14).split('-').map(Number)
  const [h = '', m = '', s = ''] = at.slice(-13, -5).split(':')
  const name = months[locale][month - 1] ?? ''
  // The first day of a month is an ordinal in French; no line ends within the hour, nor before its zone.
  return locale === 'fr'
    ? `${day === 1 ? '1er' : String(day)} ${name} ${year} à\u00a0${h}\u00a0h\u00a0${m}\u00a0min\u00a0${s}\u00a0s\u00a0UTC`
    : `${String(day)} ${name} ${year}, ${h}:${m}:${s} UTC`
}
