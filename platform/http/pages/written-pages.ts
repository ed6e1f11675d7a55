import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { locales, type Locale } from '../../../kernel/locale.ts'
import { withPrices, type PagePrices } from '../../../kernel/page-prices.ts'
import { escapeHtml } from '../../html/html.ts'

const writtenPage = z.object({
  html: z.string(),
  css: z.string(),
  sheets: z.array(z.string()),
  scripts: z.array(z.string()),
})
const ofOneLanguage = z.object({
  noScript: z.object({ readable: z.string(), needed: z.string() }),
  pages: z.record(z.string(), writtenPage),
  /** The same where reports are paid for, with a mark for each price. */
  paidPages: z.record(z.string(), writtenPage),
})
export type WrittenPages = Readonly<Record<Locale, z.infer<typeof ofOneLanguage>>>

/** What the build drew as HTML, by language. */
export async function loadWrittenPages(file: string): Promise<WrittenPages> {
  return z.record(z.enum(locales), ofOneLanguage).parse(JSON.parse(await readFile(file, 'utf8')))
}

/**
 * Puts a page into the document that every page is: readable with its style sheets alone, and its scripts are on their way. Where it was not
 * drawn, whoever runs no script is told.
 * @param document with an empty `<div id="root"></div>`
 * @param path after the language; undefined: the page is the application's to draw
 * @param prices null: nothing is paid for here
 */
export function withWrittenPage(
  document: string,
  { noScript, pages, paidPages }: WrittenPages[Locale],
  path: string | undefined,
  prices: PagePrices | null,
  nonce: string,
): string {
  const page = path === undefined ? undefined : (prices === null ? pages : paidPages)[path]
  const told = `<noscript><p class="no-script">${escapeHtml(page === undefined ? noScript.needed : noScript.readable)}</p></noscript>`
  if (page === undefined) return document.replace('<div id="root"></div>', (root) => `${told}${root}`)
  const head = [
    ...page.sheets.map((file) => `<link rel="stylesheet" crossorigin href="/${file}" nonce="${nonce}">`),
    ...page.scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}" nonce="${nonce}">`),
    `<style nonce="${nonce}">${page.css}</style>`,
  ].join('\n    ')
  const { evidence = '', document: stamp = '', plans = '' } = prices ?? {}
  const html = withPrices(page.html, { evidence: escapeHtml(evidence), document: escapeHtml(stamp), plans: escapeHtml(plans) })
  return document
    .replace('</head>', () => `  ${head}\n  </head>`)
    .replace('<div id="root"></div>', () => `${told}<div id="root">${html}</div>`)
}
