/**
 * A folder of many small files in the page of documents, against the whole product: `node bench/intake.ts [files…]`, after `vite build`.
 * Seconds, and the longest task that kept the page from answering, of each act; heap and memory of the browser; how each compares, by file,
 * with the first count. Files are chosen by the folder field, hashed, paused, scrolled, one removed, and all deposited.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startInstallation } from '../e2e/fixtures/installation.ts'
import { morePeaks, openBrowser, peaks, round } from './browser.ts'

const counts = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'probant-bench-intake-'))
const password = 'Secret-pass1'
const longest = 600_000

function write(count: number): string {
  const at = join(folder, `${count}`)
  for (let i = 0; i < count; i += 1) {
    const inside = join(at, `dossier ${Math.floor(i / 1000)}`)
    if (i % 1000 === 0) mkdirSync(inside, { recursive: true })
    writeFileSync(join(inside, `Annexe ${i}.txt`), `Annexe ${i} de ${count}`)
  }
  return at
}

/** Somebody with an account, signed in. */
async function register(origin: string): Promise<{ readonly token: string; readonly userId: string }> {
  const send = async (path: string, data: object): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(data) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }
  const email = `bench.${Date.now()}@example.org`
  const name = { first_name: 'Zoë', last_name: 'Bench' }
  await send('/rest-auth/registration/', { email, password, password_confirmation: password, ...name, terms: true, locale: 'en' })
  let code: string | undefined
  while (code === undefined) {
    const list = await (await fetch(`${origin}/dev/mail/`)).text()
    const found = [...list.matchAll(/<td>([^<]*)<\/td>\s*<td><a href="([^"]+)"/g)].find(([, to]) => to === email)?.[2]
    if (found !== undefined) code = /^\s+(\d{6})$/m.exec(await (await fetch(`${origin}${found}`)).text())?.[1]
  }
  await send('/rest-auth/registration/verify-email/', { email, code })
  const { access_token: token, user } = await send('/rest-auth/login/', { email, password })
  return { token: String(token), userId: (user as { pk: string }).pk }
}

/** What one act takes. @returns seconds, and milliseconds of the longest task meanwhile */
async function timed(page: Page, act: () => Promise<unknown>): Promise<{ readonly seconds: number; readonly task: number }> {
  const tasks = () =>
    page.evaluate(() => {
      const { longTasks } = globalThis as unknown as { longTasks: number[] }
      return Math.round(Math.max(0, ...longTasks.splice(0)))
    })
  await tasks()
  const from = performance.now()
  await act()
  const seconds = round((performance.now() - from) / 1000)
  return { seconds, task: await tasks() }
}

const product = await startInstallation({ PROBANT_BILLING: 'off' })
const found = new Map<number, Readonly<Record<string, number>>>()
try {
  for (const count of counts.length === 0 ? [1_000, 100_000] : counts) {
    const files = write(count)
    const who = await register(product.origin)
    const profile = mkdtempSync(join(folder, 'profile-'))
    const browser = await openBrowser(profile)
    const page = await browser.newPage()
    page.setDefaultTimeout(longest)
    await page.addInitScript(
      ([token, userId]) => {
        sessionStorage.setItem('probant.session', JSON.stringify({ token, userId, brand: null }))
        const longTasks: number[] = []
        Object.assign(globalThis, { longTasks })
        // What the browser does to hand the files over is before it, in the same task.
        let handed = 0
        document.addEventListener('change', () => (handed = performance.now()), true)
        new PerformanceObserver((list) =>
          longTasks.push(
            ...list.getEntries().map(({ startTime, duration }) => startTime + duration - Math.max(startTime, handed)),
          ),
        ).observe({
          type: 'longtask',
        })
      },
      [who.token, who.userId] as const,
    )
    await page.goto(`${product.origin}/en/documents/pending/`)
    const choose = page.getByRole('main').locator('input[type=file]').nth(1)
    await choose.waitFor({ state: 'attached' })
    const before = peaks(profile)
    const rows = page.locator(`li[aria-setsize="${count}"]`)
    const button = (name: string | RegExp) => page.getByRole('button', { name })
    const hashedLine = page.getByText(new RegExp(`^${count.toLocaleString('en')} of ${count.toLocaleString('en')} documents`))
    const acts: Record<string, number> = {}
    found.set(count, acts)
    const act = async (name: string, doing: () => Promise<unknown>) => {
      const { seconds, task } = await timed(page, doing)
      acts[name] = seconds
      const [first = count] = found.keys()
      const peer = found.get(first)?.[name]
      const ratio = peer === undefined || first === count ? null : round(seconds / count / (peer / first))
      const more = morePeaks(profile, before)[0]
      const load = round(loadavg()[0] ?? 0)
      process.stdout.write(
        `${JSON.stringify({ files: count, act: name, seconds, task, by_file: ratio, peak_megabytes_more: more, load })}\n`,
      )
    }
    await act('chosen → listed', async () => {
      await choose.setInputFiles(files)
      await rows.first().waitFor()
    })
    // Of few files nothing is left to pause.
    if (count >= 10_000) {
      await act('pause all', async () => {
        await button('Pause all').click()
        await button('Pause all').waitFor({ state: 'detached' })
      })
      await act('resume all', async () => {
        await button('Resume all').click()
        await button('Pause all').waitFor()
      })
    }
    await act('all hashed', () => hashedLine.waitFor())
    const heap = await page.evaluate(
      () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize / 1e6,
    )
    await act('scrolled to the end', async () => {
      const box = page.getByRole('region', { name: 'Documents given' })
      await box.evaluate(async (element) => {
        for (let step = 1; step <= 100; step += 1) {
          element.scrollTop = (element.scrollHeight * step) / 100
          await new Promise((resolve) => requestAnimationFrame(resolve))
        }
      })
      await page.locator(`li[aria-posinset="${count}"]`).waitFor()
    })
    await act('one removed', async () => {
      await page
        .locator(`li[aria-posinset="${count}"]`)
        .getByRole('button', { name: /^Remove/ })
        .click()
      await page
        .locator(`li[aria-setsize="${count - 1}"]`)
        .first()
        .waitFor()
    })
    await act('deposited', async () => {
      await button(/^Time-stamp /).click()
      await page
        .getByText(/documents? (?:was|were) deposited\.$/)
        .filter({ hasText: (count - 1).toLocaleString('en') })
        .waitFor()
    })
    process.stdout.write(`${JSON.stringify({ files: count, heap_megabytes: Math.round(heap) })}\n`)
    await browser.close()
    rmSync(files, { recursive: true })
  }
} finally {
  await product.stop()
  product.removeData()
  rmSync(folder, { recursive: true, force: true })
}
