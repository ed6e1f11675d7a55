/**
 * Run by the build, once for each language: `node dist/written/write-pages.js fr` prints the pages by path, and what is said without scripts.
 * With `paid` they are those of an installation where reports are paid for, with a mark in the place of each price.
 */
import { readFile } from 'node:fs/promises'
import { isLocale } from '../../../kernel/locale.ts'
import { markedOrigin } from '../../../kernel/page-origin.ts'
import { markedPrices } from '../../../kernel/page-prices.ts'
import { markedSample } from '../../../kernel/page-sample.ts'
import { markedStatus } from '../../../kernel/page-status.ts'
import { readMarkdown } from '../../../platform/http/pages/read-markdown.ts'
import { findPageRoute } from '../page-routes.ts'
import { noScriptWords } from './no-script.ts'
import { writtenPages } from './written-pages.ts'

const [, , locale = '', kind] = process.argv
if (!isLocale(locale)) throw new Error(`no such language: ${locale}`)
const marked = { sample: markedSample, status: markedStatus }
const head: Record<string, unknown> = { origin: markedOrigin, ...(kind === 'paid' ? { prices: markedPrices } : {}) }
// Read by a page as it is loaded and drawn.
Object.assign(globalThis, {
  probantHead: head,
  // Texts are read where they lie; nothing else is asked for while a page is drawn.
  // Where a browser has one, the page begins it: here it has nothing to do.
  Worker: class {
    addEventListener(): void {}
    postMessage(): void {}
    terminate(): void {}
  },
  fetch: async (address: string) => {
    const file = `content${address.slice('/_content'.length).replace(/\.json$/, '.md')}`
    return Response.json(readMarkdown(await readFile(file, 'utf8')))
  },
})
const { writePage } = await import('./write-page.tsx')
const pages: [string, unknown][] = []
for (const { path, sources, facts, text } of writtenPages) {
  if (findPageRoute(path, kind === 'paid') === null) continue
  const page = { sources: sources.map((each) => each.replace('*', locale)), text, ...(await writePage(locale, path)) }
  if (facts === undefined) pages.push([path, page])
  else {
    head[facts] = marked[facts]
    pages.push([path, { ...page, known: await writePage(locale, path) }])
    delete head[facts]
  }
}
process.stdout.write(JSON.stringify({ noScript: noScriptWords(locale), pages: Object.fromEntries(pages) }))
