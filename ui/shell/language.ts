import type { Locale } from '../../kernel/locale.ts'

/** K-23: the choice of language is remembered for 365 days. */
export function rememberLocale(locale: Locale): void {
  const [prefix, secure] = location.protocol === 'https:' ? ['__Host-', '; Secure'] : ['', '']
  document.cookie = `${prefix}locale=${locale}; Path=/; Max-Age=${365 * 24 * 60 * 60}; SameSite=Lax${secure}`
}

export function rememberedLocale(cookie: string = document.cookie): string | null {
  return /(?:^|;\s*)(?:__Host-)?locale=([a-z]{2})(?:;|$)/.exec(cookie)?.[1] ?? null
}

/** K-24: the first language of the browser that the product speaks. */
export function detectLocale(languages: readonly string[], remembered: string | null): Locale {
  for (const tag of remembered === null ? languages : [remembered, ...languages]) {
    const language = tag.toLowerCase().split('-')[0]
    if (language === 'en' || language === 'fr') return language
  }
  return 'en'
}
