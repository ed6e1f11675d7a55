import { locales, type Locale } from './locale.ts'

/** Under which accounts stand that were made by none of the partners' signs. */
export const ownBrand = 'probant'

/**
 * What a page under a partner's sign carries of him in its head, as JSON in a `<meta name="brand">`: made by the server, read by the
 * page (decision 0276).
 */
export type PageBrand = {
  /** Name of his folder: what accounts keep, and what the addresses of his logo hold. */
  readonly id: string
  /** In the language of the page. */
  readonly name: string
  /** `host`: every page of this host name is his; `door`: only the pages of {@link isDoor}. */
  readonly by: 'host' | 'door'
  readonly support: string | null
  readonly terms: string | null
}

/** Whether a page is one of the older entry (decision H-07). @param path after the language prefix, with or without a slash at its end */
export function isDoor(path: string): boolean {
  return /^\/(?:old-authentication|login)(?:\/|$)/.test(path)
}

export type PerLocale = Readonly<Record<Locale, string>>

/** Words that are the same in every language, or one for each. */
export function perLocale(words: string | PerLocale): PerLocale {
  return typeof words === 'string' ? (Object.fromEntries(locales.map((locale) => [locale, words])) as PerLocale) : words
}
