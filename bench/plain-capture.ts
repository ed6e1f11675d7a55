/** The peer of bench/capture.ts: what anybody would write with Playwright to take the same artefacts of a page. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { chromiumPath } from '../platform/browser/browser-flags.ts'

const [url, folder] = process.argv.slice(2)
if (url === undefined || folder === undefined) throw new Error('usage: plain-capture.ts URL FOLDER')
mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
const context = await browser.newContext({
  viewport: { width: 1280, height: 800 },
  recordHar: { path: join(folder, 'page.har') },
})
const page = await context.newPage()
await page.goto(url, { waitUntil: 'networkidle' })
// Lazy images, as every capture needs.
await page.evaluate(async () => {
  const view = globalThis as unknown as {
    innerHeight: number
    scrollTo(x: number, y: number): void
    document: { documentElement: { scrollHeight: number } }
  }
  for (let y = 0; y < view.document.documentElement.scrollHeight; y += view.innerHeight) {
    view.scrollTo(0, y)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  view.scrollTo(0, 0)
})
await page.waitForLoadState('networkidle')
await page.screenshot({ path: join(folder, 'viewport.png') })
await page.screenshot({ path: join(folder, 'full-page.png'), fullPage: true })
await page.pdf({ path: join(folder, 'page.pdf'), printBackground: true })
writeFileSync(join(folder, 'page.html'), await page.content())
const cdp = await context.newCDPSession(page)
const { data } = await cdp.send('Page.captureSnapshot', { format: 'mhtml' })
writeFileSync(join(folder, 'page.mhtml'), data)
await context.close()
await browser.close()
