import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { locales, type Locale } from '../../../kernel/locale.ts'
import { markedOrigin } from '../../../kernel/page-origin.ts'
import { withPrices, type PagePrices } from '../../../kernel/page-prices.ts'
import { escapeHtml } from '../../html/html.ts'
import { beginAfterPaint } from './begin-after-paint.ts'

const drawnPage = z.object({ html: z.string(), css: z.string() })
const writtenPage = drawnPage.extend({
  /** The same with a mark for each fact that the server knows when it is asked for. */
  known: drawnPage.optional(),
  sheets: z.array(z.string()),
  scripts: z.array(z.string()),
  /** Of `/_content/`, without its ending: it is what the page says. */
  text: z.string().optional(),
})
const ofOneLanguage = z.object({
  noScript: z.object({ readable: z.string(), needed: z.string() }),
  pages: z.record(z.string(), writtenPage),
  /** The same where reports are paid for, with a mark for each price. */
  paidPages: z.record(z.string(), writtenPage),
})
export type WrittenPages = Readonly<Record<Locale, z.infer<typeof ofOneLanguage>>>

/** Words without any Markdown of their own, as they stand in HTML; null: they would be more than words. */
function inHtml(fact: string): string | null {
  const words = fact.replaceAll(/\\([!-/:-@[-`{-~])/g, '')
  return /[\n\\`*_[\]<>]/.test(words) ? null : escapeHtml(fact.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1'))
}

/** @returns null: the page is the application’s to draw */
function withFacts(page: z.infer<typeof writtenPage>, facts: Readonly<Record<string, string>>): typeof page | null {
  if (page.text === undefined) return page
  const stated = Object.entries(facts).map(([name, fact]) => [`{{${name}}}`, inHtml(fact)] as const)
  if (stated.some(([mark, fact]) => fact === null && page.html.includes(mark))) return null
  return { ...page, html: stated.reduce((html, [mark, fact]) => html.replaceAll(mark, () => fact ?? mark), page.html) }
}

/**
 * What the build drew as HTML, by language, with what is stated of this installation.
 * @param texts.isReplaced whether the operator has a text of his own in the place of one
 */
export async function loadWrittenPages(
  file: string,
  texts: {
    readonly isReplaced: (locale: Locale, text: string) => boolean
    readonly facts: (locale: Locale) => Readonly<Record<string, string>>
  },
): Promise<WrittenPages> {
  const all = z.record(z.enum(locales), ofOneLanguage).parse(JSON.parse(await readFile(file, 'utf8')))
  const own = (locale: Locale, pages: (typeof all)[Locale]['pages']) =>
    Object.fromEntries(
      Object.entries(pages).flatMap(([path, page]) => {
        const told = page.text !== undefined && texts.isReplaced(locale, page.text) ? null : withFacts(page, texts.facts(locale))
        return told === null ? [] : [[path, told]]
      }),
    )
  const of = (locale: Locale) => ({
    ...all[locale],
    pages: own(locale, all[locale].pages),
    paidPages: own(locale, all[locale].paidPages),
  })
  return { en: of('en'), fr: of('fr') }
}

/** the same page in the other language, with its query. */
const withQuery = (html: string, query: string): string =>
  html.replaceAll(/(<a href="[^"?#]*)(?=" lang="\w+" hrefLang=)/g, (_, link: string) => `${link}${escapeHtml(query)}`)

const mainTag = /<script type="module"[^>]* src="([^"]+)"[^>]*><\/script>/
const partTag = /\s*<link rel="modulepreload"[^>]* href="([^"]+)"[^>]*>/g

/**
 * Puts a page into the document that every page is: readable with its style sheets alone, and its scripts come once it was painted. Where it was
 * not drawn, whoever runs no script is told.
 * @param document with an empty `<div id="root"></div>`
 * @param path after the language; undefined: the page is the application's to draw
 * @param said.prices null: nothing is paid for here
 * @param said.known words by the mark that stands for each in the page; null: nothing is known
 * @param said.origin of this installation, for whoever asks it without a browser
 * @param said.query as it was asked for, with its question mark; or nothing
 */
export function withWrittenPage(
  document: string,
  { noScript, pages, paidPages }: WrittenPages[Locale],
  path: string | undefined,
  said: {
    readonly prices: PagePrices | null
    readonly known: Readonly<Record<string, string>> | null
    readonly origin: string
    readonly query: string
  },
  nonce: string,
): string {
  const { prices, known, origin, query } = said
  const page = path === undefined ? undefined : (prices === null ? pages : paidPages)[path]
  const scriptless = `<noscript><p class="no-script">${escapeHtml(page === undefined ? noScript.needed : noScript.readable)}</p></noscript>`
  if (page === undefined) return document.replace('<div id="root"></div>', (root) => `${scriptless}${root}`)
  const { html: drawn, css } = known === null ? page : (page.known ?? page)
  const [, main = ''] = mainTag.exec(document) ?? []
  const parts = [...document.matchAll(partTag)].map(([, address = '']) => address)
  const head = [
    ...page.sheets.map((file) => `<link rel="stylesheet" crossorigin href="/${file}" nonce="${nonce}">`),
    `<style nonce="${nonce}">${css}</style>`,
  ].join('\n    ')
  const { evidence = '', document: stamp = '', plans = '' } = prices ?? {}
  const priced = withPrices(drawn, { evidence: escapeHtml(evidence), document: escapeHtml(stamp), plans: escapeHtml(plans) })
  const told = Object.entries(known ?? {}).reduce((text, [mark, word]) => text.replaceAll(mark, () => escapeHtml(word)), priced)
  const html = withQuery(told, query).replaceAll(markedOrigin, () => escapeHtml(origin))
  return (
    document
      .replaceAll(partTag, '')
      // Where it stands, before the style sheets: what stands behind one waits for it.
      .replace(mainTag, () => beginAfterPaint(main, [...parts, ...page.scripts.map((file) => `/${file}`)], nonce))
      .replace('</head>', () => `  ${head}\n  </head>`)
      .replace('<div id="root"></div>', () => `${scriptless}<div id="root">${html}</div>`)
  )
}
