/** Run by the build, once for each language: `node dist/written/write-pages.js fr` prints the pages by path, and what is said without scripts. */
import { isLocale } from '../../../kernel/locale.ts'
import { noScriptWords } from './no-script.ts'
import { writePage } from './write-page.tsx'
import { writtenPages } from './written-pages.ts'

const locale = process.argv[2] ?? ''
if (!isLocale(locale)) throw new Error(`no such language: ${locale}`)
const pages: [string, unknown][] = []
for (const { path, source } of writtenPages) pages.push([path, { source, ...(await writePage(locale, path)) }])
process.stdout.write(JSON.stringify({ noScript: noScriptWords(locale), pages: Object.fromEntries(pages) }))
