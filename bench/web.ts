/**
 * Public pages as a telephone on a slow line meets them, and how fast pages answer a hand: `node tools/build.mjs; node bench/web.ts [runs] [pages…]`.
 * A page is a path after its language, or the whole address of somebody else's, which is visited by turns with ours.
 * Lighthouse 13.5.0 with its own telephone and simulated line, in both languages; the median of the runs. It is 176 MB and nothing of the
 * product: npm brings that version, with no script of any package run, to a folder of its own in `node_modules/.cache`.
 * The browser is Debian's; as root it is run by `nobody`, so that it has its sandbox.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { startInstallation } from '../e2e/fixtures/installation.ts'
import { chromiumPath } from '../platform/browser/browser-flags.ts'
import { selling } from '../testing/selling.ts'
import { fromRoot, openBrowser } from './browser.ts'
import { median } from './measure.ts'

const version = '13.5.0'
const runs = Number(process.argv[2] ?? 3)
const pages = [
  '/',
  '/proofs/',
  '/guide/',
  '/plans/',
  '/sample/',
  '/date/',
  '/support/',
  '/legal/terms/',
  '/authentication/login/',
]
const asked = process.argv.length > 3 ? process.argv.slice(3) : pages
const nobody = 65_534
/** Of the installation's making of its sample, at most. */
const patienceMs = 240_000

const audit = z.object({ numericValue: z.number().optional(), score: z.number().nullable() })
const report = z.object({
  runtimeError: z.object({ code: z.string() }).optional(),
  categories: z.record(
    z.string(),
    z.object({ score: z.number().nullable(), auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })) }),
  ),
  audits: z.record(z.string(), audit.loose()),
})
type Report = z.infer<typeof report>
const requests = z.object({
  details: z.object({ items: z.array(z.object({ url: z.string(), resourceType: z.string().optional() })) }),
})

function bringLighthouse(): string {
  const folder = fromRoot(`node_modules/.cache/lighthouse-${version}`)
  const program = join(folder, 'node_modules/lighthouse/cli/index.js')
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true })
    const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
    execFileSync('npm', ['install', ...options, '--prefix', folder, `lighthouse@${version}`], { cwd: folder, stdio: 'inherit' })
  }
  return program
}

/** One visit. @returns null: the browser measured nothing */
function visit(program: string, home: string, address: string): Report | null {
  const file = join(home, 'report.json')
  rmSync(file, { force: true })
  const isRoot = process.getuid?.() === 0
  const command = [
    process.execPath,
    program,
    address,
    '--output=json',
    `--output-path=${file}`,
    '--quiet',
    '--chrome-flags=--headless=new',
  ]
  const [name = '', ...args] = isRoot
    ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', ...command]
    : command
  const env = { ...process.env, HOME: home, CHROME_PATH: chromiumPath }
  spawnSync(name, args, { cwd: home, env, stdio: 'ignore', timeout: 180_000 })
  if (!existsSync(file)) return null
  const read = report.parse(JSON.parse(readFileSync(file, 'utf8')))
  return read.runtimeError === undefined ? read : null
}

/** A page that no search engine may list fails the audit that asks whether one may: it is left out, and the others weigh as before. */
function scoreOf(read: Report, category: string, listed: boolean): number {
  const { score, auditRefs } = read.categories[category] ?? { score: null, auditRefs: [] }
  if (category !== 'seo' || listed) return Math.round((score ?? 0) * 100)
  const counted = auditRefs.filter(({ id, weight }) => weight > 0 && id !== 'is-crawlable' && read.audits[id]?.score !== null)
  const whole = counted.reduce((sum, { weight }) => sum + weight, 0)
  return Math.round((100 * counted.reduce((sum, { id, weight }) => sum + weight * (read.audits[id]?.score ?? 0), 0)) / whole)
}

/** Of all scripts that were fetched, as gzip makes them: kilobytes. */
async function scripts(read: Report): Promise<number> {
  const { items } = requests.parse(read.audits['network-requests']).details
  const all = items.filter(({ resourceType }) => resourceType === 'Script').map(({ url }) => url)
  const sizes = await Promise.all(
    all.map(async (url) => {
      // Between two pages lie minutes: a connection that was kept may be closed just then.
      const answer = await fetch(url, { headers: { connection: 'close' } })
      return gzipSync(Buffer.from(await answer.arrayBuffer()), { level: 9 }).length
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

/** @param name in the table */
async function line(name: string, reads: readonly [Report, ...Report[]], listed: boolean): Promise<string> {
  const scores = (category: string) => reads.map((read) => scoreOf(read, category, listed))
  const value = (id: string) => median(reads.map((read) => read.audits[id]?.numericValue ?? Number.NaN))
  const performance = scores('performance')
  const cells = [
    name,
    `**${median(performance)}** (${Math.min(...performance)} to ${Math.max(...performance)})`,
    // These do not depend on time: the worst is told.
    ...['accessibility', 'best-practices', 'seo'].map((each) => String(Math.min(...scores(each)))),
    `${(value('largest-contentful-paint') / 1000).toFixed(1)} s`,
    `${value('total-blocking-time').toFixed(0)} ms`,
    value('cumulative-layout-shift').toFixed(3),
    `${(await scripts(reads[0])).toFixed(0)} kB`,
    loadavg()[0]?.toFixed(1),
  ]
  return `| ${cells.join(' | ')} |`
}

async function audits(origin: string): Promise<void> {
  const program = bringLighthouse()
  const home = mkdtempSync(join(tmpdir(), 'probant-lighthouse-'))
  chmodSync(home, 0o700)
  if (process.getuid?.() === 0) chownSync(home, nobody, nobody)
  const isOurs = (page: string) => page.startsWith('/')
  const addresses = asked.flatMap((page) => (isOurs(page) ? ['en', 'fr'].map((locale) => `${origin}/${locale}${page}`) : [page]))
  const reads = new Map(addresses.map((address) => [address, [] as Report[]]))
  const visitOnce = (address: string) => {
    const read = visit(program, home, address)
    if (read !== null) reads.get(address)?.push(read)
  }
  // By turns where there are others, so that an hour that is busy is busy for all; else each page is told as soon as it is known.
  const turns = asked.every(isOurs) ? addresses.map((address) => [address]) : [addresses]
  console.log('| page | performance (range) | accessibility | best practices | SEO | LCP | TBT | CLS | script | load |')
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  try {
    for (const turn of turns) {
      for (let run = 0; run < 2 * runs; run += 1)
        for (const address of turn) if ((reads.get(address)?.length ?? 0) < runs) visitOnce(address)
      for (const address of turn) {
        const [first, ...others] = reads.get(address) ?? []
        if (first === undefined) throw new Error(`${address}: nothing could be measured`)
        console.log(await line(address.replace(origin, ''), [first, ...others], !address.includes('/authentication/')))
      }
    }
  } finally {
    rmSync(home, { recursive: true })
  }
}

type Walked = { routes: { milliseconds: number; to: string }[]; interactions: Map<number, number> }

/** From the click on a link to the frame in which the new page's heading stands, and each interaction to its next frame. */
async function walk(page: Page, origin: string, locale: string): Promise<Walked> {
  const walked: Walked = { routes: [], interactions: new Map() }
  await page.addInitScript(() => {
    const told = ((globalThis as unknown as { told: [number, number][] }).told = [] as [number, number][])
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
        if (entry.interactionId > 0) told.push([entry.interactionId, entry.duration])
    }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
  })
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto(`${origin}/${locale}/`)
  await page.locator('button[type=submit]:not([inert])').first().waitFor()
  const ways = ['proofs', 'date', 'guide', 'support', 'plans', 'keys', 'legal/terms', 'legal/privacy', ''].map((each) =>
    each === '' ? `/${locale}/` : `/${locale}/${each}/`,
  )
  // The first round fetches what the second has.
  for (const round of [1, 2])
    for (const href of ways) {
      // Links of the menu and of the foot alike; those within a text lead on as everywhere.
      const milliseconds = await page.evaluate(async (to) => {
        const link = [...document.querySelectorAll<HTMLAnchorElement>('header a, footer a, nav a')].find(
          (each) => each.getAttribute('href') === to,
        )
        if (link === undefined) throw new Error(`no link leads to ${to}`)
        const heading = () => document.querySelector('h1')?.textContent
        const before = heading()
        const from = performance.now()
        link.click()
        while (heading() === before || heading() === undefined || location.pathname !== to)
          await new Promise((resolve) => requestAnimationFrame(resolve))
        return performance.now() - from
      }, href)
      if (round === 2) walked.routes.push({ milliseconds, to: href })
      await page.locator('h1').first().waitFor()
    }
  // By hand: what is typed, folded, chosen and pressed.
  await page.getByRole('textbox').first().click()
  await page.keyboard.type('example.org/a/page', { delay: 30 })
  for (const summary of await page.locator('main summary').all()) await summary.click()
  await page.locator('header button').first().click()
  await page.keyboard.press('Escape')
  for (let i = 0; i < 12; i += 1) await page.keyboard.press('Tab')
  await page.goto(`${origin}/${locale}/authentication/login/`)
  await page.locator('input[type=email]').click()
  await page.keyboard.type('somebody@example.org', { delay: 30 })
  await page.locator('button[type=submit]:not([inert])').click()
  // What was measured is told a frame later, by the browser's own clock.
  await page.evaluate(async () => {
    for (let i = 0; i < 10; i += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
  })
  for (const [id, duration] of await page.evaluate(() => (globalThis as unknown as { told: [number, number][] }).told))
    walked.interactions.set(id, Math.max(duration, walked.interactions.get(id) ?? 0))
  return walked
}

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

async function answers(origin: string): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'probant-walk-'))
  const browser = await openBrowser(profile)
  try {
    for (const locale of ['en', 'fr']) {
      const page = await browser.newPage()
      const { routes, interactions } = await walk(page, origin, locale)
      await page.close()
      const times = routes.map(({ milliseconds }) => milliseconds)
      const slowest = routes.find(({ milliseconds }) => milliseconds === Math.max(...times))
      const next = [...interactions.values()]
      console.log(
        `${locale}: ${routes.length} changes of page on what was fetched before: p50 ${at(times, 0.5).toFixed(0)} ms, p95 ${at(times, 0.95).toFixed(0)} ms` +
          ` (slowest: ${slowest?.to}); ${next.length} interactions of 16 ms and more to the next paint: p95 ${at(next, 0.95).toFixed(0)} ms (load ${loadavg()[0]?.toFixed(1)})`,
      )
    }
  } finally {
    await browser.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

const installation = await startInstallation((origin) => ({
  ...selling,
  PROBANT_PUBLIC_URL: origin,
  PROBANT_SAMPLE: 'on',
  PROBANT_ALLOW_ADDRESSES: origin.slice('http://'.length),
}))
try {
  for (const end = Date.now() + patienceMs; Date.now() < end; await wait(1000))
    if ((await fetch(`${installation.origin}/sample/fr/facts.json`, { headers: { connection: 'close' } })).status === 200) break
  await answers(installation.origin)
  await audits(installation.origin)
} finally {
  await installation.stop()
  installation.removeData()
}
