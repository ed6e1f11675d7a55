import type { FastifyRequest } from 'fastify'
import { defaultLocale, isLocale, type Locale } from '../../../kernel/locale.ts'

/** The product's language that the visitor's browser prefers (RFC 9110 §12.5.4), English when it says nothing (K-21, K-24). */
export function localeOfHeader(acceptLanguage: string | undefined): Locale {
  const wanted = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((part, order) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const weight = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find((each) => each !== undefined)
      return { language: tag.trim().split('-')[0], weight: weight === undefined ? 1 : Number(weight), order }
    })
    .filter((each) => each.weight > 0 && isLocale(each.language))
    .toSorted((a, b) => b.weight - a.weight || a.order - b.order)
  const best = wanted[0]?.language
  return isLocale(best) ? best : defaultLocale
}

/** For answers of the API: `?language=` first, then what the browser prefers. */
export function localeOf(request: FastifyRequest): Locale {
  const { query } = request
  const asked = typeof query === 'object' && query !== null && 'language' in query ? query.language : undefined
  return isLocale(asked) ? asked : localeOfHeader(request.headers['accept-language'])
}

/** For pages: the cookie of an earlier choice, then what the browser prefers. */
export function localeOfPage(request: FastifyRequest): Locale {
  const chosen = /(?:^|;\s*)(?:__Host-)?locale=(en|fr)(?:;|$)/.exec(request.headers.cookie ?? '')?.[1]
  return isLocale(chosen) ? chosen : localeOfHeader(request.headers['accept-language'])
}
