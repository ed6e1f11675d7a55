/** The product's two languages (K-20); English is the default (K-21). */
export const locales = ['en', 'fr'] as const
export type Locale = (typeof locales)[number]
export const defaultLocale: Locale = 'en'

export function isLocale(value: unknown): value is Locale {
  return value === 'en' || value === 'fr'
}

/** What a page is offered in besides its own language. */
export const otherLocale = (locale: Locale): Locale => (locale === 'en' ? 'fr' : 'en')
