import { defaultLocale, locales, type Locale } from '../../../kernel/locale.ts'
import { escapeHtml } from '../../html/html.ts'

/** What a page says of itself to whoever does not read it: a search engine, a messenger that shows its address. */
export type AboutPage = {
  /** What holds all its pages. */
  readonly siteName: string
  /** Picture that stands for the page where its address is shared, by its path. */
  readonly card: { readonly path: string; readonly alt: string }
  /** schema.org, each an object of its own. */
  readonly data: readonly object[]
}

/** A page that may be found. */
export type ListedPage = {
  /** Without trailing slash. */
  readonly publicUrl: string
  /** After the language prefix, with its slashes. */
  readonly path: string
  readonly locale: Locale
  readonly title: string
  readonly description: string
  readonly about: AboutPage | null
  readonly nonce: string
}

/** Open Graph names a language by its region. */
const regions = { en: 'en_GB', fr: 'fr_FR' } as const satisfies Record<Locale, string>
/** Of every card (apps/web/public/cards). */
const cardSize = { width: 1200, height: 630 }

const meta = (name: 'property' | 'name', value: string, content: string) =>
  `<meta ${name}="${value}" content="${escapeHtml(content)}" />`

/** Addresses of a page in both languages, and for whoever reads neither: the root, which goes to the visitor's, or the default. */
export function alternatesOf(publicUrl: string, path: string): readonly (readonly [language: string, href: string])[] {
  const ofOthers = path === '/' ? `${publicUrl}/` : `${publicUrl}/${defaultLocale}${path}`
  return [...locales.map((each) => [each, `${publicUrl}/${each}${path}`] as const), ['x-default', ofOthers]]
}

/** Lines of the head of a page that may be found: where it stands, in which languages, how its address is shown, what it is about. */
export function headOfListed({ publicUrl, path, locale, title, description, about, nonce }: ListedPage): string[] {
  const address = `${publicUrl}/${locale}${path}`
  const places = [
    `<link rel="canonical" href="${escapeHtml(address)}" />`,
    ...alternatesOf(publicUrl, path).map(
      ([language, href]) => `<link rel="alternate" hreflang="${language}" href="${escapeHtml(href)}" />`,
    ),
  ]
  if (about === null) return places
  const { siteName, card, data } = about
  return [
    ...places,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', siteName),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', address),
    meta('property', 'og:locale', regions[locale]),
    ...locales.filter((each) => each !== locale).map((each) => meta('property', 'og:locale:alternate', regions[each])),
    meta('property', 'og:image', `${publicUrl}/${card.path}`),
    meta('property', 'og:image:type', 'image/png'),
    meta('property', 'og:image:width', String(cardSize.width)),
    meta('property', 'og:image:height', String(cardSize.height)),
    meta('property', 'og:image:alt', card.alt),
    meta('name', 'twitter:card', 'summary_large_image'),
    ...data.map((each) => {
      const json = JSON.stringify({ '@context': 'https://schema.org', ...each })
      // Nothing in it ends the element (HTML, restrictions for contents of script elements).
      return `<script type="application/ld+json" nonce="${nonce}">${json.replaceAll('<', String.raw`\u003c`)}</script>`
    }),
  ]
}
