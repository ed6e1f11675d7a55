/**
 * How soon a page can be read on a slow line, as it is sent and as the application would draw it alone: `node bench/first-paint.ts [runs]`.
 * 400 kbit/s down, 150 ms a round trip, a telephone's width, nothing cached; alternating.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromRoot, openBrowser, round, serveWeb } from './browser.ts'

const runs = Number(process.argv[2] ?? 5)
const profile = mkdtempSync(join(tmpdir(), 'probant-paint-'))
const written = await serveWeb([], fromRoot('dist/written/pages.json'))
const alone = await serveWeb([])
const browser = await openBrowser(profile)

/** Milliseconds from the request to the first content painted, to the largest, and until it answers. */
async function load(origin: string, locale: string): Promise<readonly [number, number, number]> {
  const page = await browser.newPage()
  await page.setViewportSize({ width: 360, height: 780 })
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.clearBrowserCache')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 400_000 / 8,
    uploadThroughput: 400_000 / 8,
  })
  await page.goto(`${origin}/${locale}/`, { waitUntil: 'commit' })
  await page.locator('button[type=submit]:not([inert])').first().waitFor()
  const alive = await page.evaluate(() => performance.now())
  const [first, largest] = await page.evaluate(
    async () =>
      await new Promise<[number, number]>((resolve) => {
        // The types of Node know fewer kinds of entry than a browser has.
        const kind: string = 'largest-contentful-paint'
        new PerformanceObserver((list) => {
          const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
          resolve([painted, list.getEntries().at(-1)?.startTime ?? 0])
        }).observe({ type: kind as 'mark', buffered: true })
      }),
  )
  await page.close()
  return [first, largest, alive]
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const names = ['first content', 'largest content', 'answers'] as const
try {
  for (const locale of ['en', 'fr']) {
    const all: Record<'written' | 'alone', (readonly [number, number, number])[]> = { written: [], alone: [] }
    await load(written.origin, locale)
    for (let run = 0; run < runs; run += 1) {
      all.written.push(await load(written.origin, locale))
      all.alone.push(await load(alone.origin, locale))
    }
    for (const [at, name] of names.entries()) {
      const [ours, peer] = [all.written, all.alone].map((each) => each.map((one) => one[at] ?? 0)) as [number[], number[]]
      const spread = (values: number[]) =>
        `${Math.round(middle(values))} ms (${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))})`
      console.log(
        `${locale}: ${name}: ${spread(ours)}; drawn by the application alone ${spread(peer)}; ×${round(middle(ours) / middle(peer))}`,
      )
    }
  }
} finally {
  await browser.close()
  await Promise.all([written.close(), alone.close()])
  rmSync(profile, { recursive: true })
}
