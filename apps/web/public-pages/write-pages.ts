/**
 * Run by the build, once for each language: `node dist/written/write-pages.js fr` prints the pages by path, and what is said without scripts.
 * With `paid` they are those of an installation where reports are paid for, with a mark in the place of each price.
 */
import { isLocale } from '../../../kernel/locale.ts'
import { markedPrices } from '../../../kernel/page-prices.ts'
import { noScriptWords } from './no-script.ts'
import { writtenPages } from './written-pages.ts'

const [, , locale = '', kind] = process.argv
if (!isLocale(locale)) throw new Error(`no such language: ${locale}`)
// Read by a page as it is loaded.
Object.assign(globalThis, { probantHead: kind === 'paid' ? { prices: markedPrices } : {} })
const { writePage } = await import('./write-page.tsx')
const pages: [string, unknown][] = []
for (const { path, source } of writtenPages) pages.push([path, { source, ...(await writePage(locale, path)) }])
process.stdout.write(JSON.stringify({ noScript: noScriptWords(locale), pages: Object.fromEntries(pages) }))
