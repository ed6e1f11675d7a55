import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../../kernel/clock.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { isRunning, processTree } from '../../../../platform/browser/process-tree.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { makeTalkingBrowser } from '../../../../testing/talking-browser.ts'
import { createActionLog } from '../page/action-log.ts'
import { captureStatic, defaultCaptureLimits, onePage, startWarmPool, type CaptureResult, type WarmPool } from '../index.ts'
import { whyTouched, type WarmPoolDeps, type WarmPoolInput, type WarmWant } from './warm-pool.ts'

let folder: string
let server: Server
let address: string
let heard: IncomingHttpHeaders[]
const pools: WarmPool[] = []

/** What a page can learn of language and zone; it puts it into its own title. */
const page = `<!doctype html><meta charset="utf-8"><p>Some words to look at</p><input type="date" value="2026-11-21"><script>
document.title = JSON.stringify([navigator.language, navigator.languages, Intl.DateTimeFormat().resolvedOptions().locale,
  Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(0).toLocaleString(), (1234.5).toLocaleString(), history.length,
  document.cookie, localStorage.length, performance.getEntriesByType('navigation')[0].type, navigator.userAgent])
</script>`

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probant-pool-'))
  heard = []
  server = createServer((request, response) => {
    if (request.url === '/') heard.push(request.headers)
    response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html', 'set-cookie': 'seen=1' }).end(page)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `127.0.0.1:${String((server.address() as AddressInfo).port)}`
})
afterEach(async () => {
  await Promise.all(pools.splice(0).map(async (pool) => await pool.stop()))
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

function start(input: Partial<WarmPoolInput> = {}, deps: Partial<WarmPoolDeps> = {}): WarmPool {
  const pool = startWarmPool(
    {
      kind: onePage,
      size: 1,
      concurrency: 1,
      folder: join(folder, 'ready'),
      limits: defaultCaptureLimits,
      allowAddresses: [address],
      ...input,
    },
    { clock: systemClock, log: silentLog, isolationOverride: false, ...deps },
  )
  pools.push(pool)
  return pool
}

const readyIn = async (pool: WarmPool, locale: Locale) =>
  await expect.poll(() => pool.ready()[locale], { timeout: 60_000 }).toBeGreaterThan(0)
/** As a capture takes one. */
const take = async (pool: WarmPool, wanted: WarmWant) =>
  await pool.take(
    wanted,
    { state: { browser: null, page: null, tooLarge: false }, actions: createActionLog(systemClock), log: silentLog },
    new AbortController().signal,
  )
const want = (locale: Locale) => ({ locale, limits: defaultCaptureLimits, allowAddresses: [address] })

let runs = 0
async function capture(locale: Locale, warmPool?: WarmPool): Promise<CaptureResult> {
  runs += 1
  return await captureStatic(
    {
      evidenceId: 'test',
      url: `http://${address}/`,
      ...want(locale),
      workDir: await mkdtemp(join(folder, `run-${String(runs)}-`)),
      includeTlsKeys: false,
      onProgress: () => undefined,
    },
    {
      clock: systemClock,
      log: silentLog,
      signal: new AbortController().signal,
      isolationOverride: false,
      ...(warmPool === undefined ? {} : { warmPool }),
    },
  )
}

async function read(result: CaptureResult, path: string): Promise<string> {
  return await readFile(result.files.find((file) => file.path === path)?.file ?? '', 'utf8')
}

test('a browser that waited shows the page as a fresh one does, in its language, and the record says that it waited', async () => {
  const pool = start({ size: 2 })
  for (const locale of ['fr', 'en'] as const) {
    await readyIn(pool, locale)
    const language = locale === 'fr' ? 'fr-FR' : 'en-US'
    const before = Date.now()
    const warm = await pool.during(async () => await capture(locale, pool))
    const cold = await capture(locale)
    expect(warm.facts.title).toBe(cold.facts.title)
    expect((JSON.parse(warm.facts.title) as unknown[]).slice(0, 4)).toEqual([language, [language], language, 'Europe/Paris'])
    const [withWarm, withCold] = heard.splice(0)
    expect(withWarm).toEqual(withCold)
    expect(warm.facts.completeness).toEqual({ state: 'complete', losses: [] })
    // The session is the capture's from the claim on, whenever its browser was started.
    expect(Date.parse(warm.facts.started_at)).toBeGreaterThanOrEqual(before)
    const { session, browser } = JSON.parse(await read(warm, 'environment/environment.json')) as {
      session: { browser_started_at: string; taken_at: string }
      browser: { profile_before_start: { entries: string[] } }
    }
    expect(session).toMatchObject({ prepared: true, tunnel_before: { requests: 0, bytes_sent: 0, bytes_received: 0 } })
    expect(Date.parse(session.browser_started_at)).toBeLessThanOrEqual(before)
    expect(Date.parse(session.taken_at)).toBeGreaterThanOrEqual(before)
    expect(browser.profile_before_start.entries).toEqual([])
    expect(await read(warm, 'capture/actions.jsonl')).toContain('"prepared_browser_taken"')
    expect(await read(cold, 'capture/actions.jsonl')).toContain('"browser_started"')
    expect(JSON.parse(await read(cold, 'environment/environment.json'))).toMatchObject({ session: { prepared: false } })
  }
}, 180_000)

test('each session is given once, for the very limits it was made with, and only untouched', async () => {
  const pool = start()
  await readyIn(pool, 'en')
  expect(await take(pool, { ...want('en'), limits: { ...defaultCaptureLimits, requests: 7 } })).toBeNull()
  expect(await take(pool, { ...want('en'), allowAddresses: [] })).toBeNull()
  // While as many captures run as may, the place stays empty: the processor is theirs.
  await pool.during(async () => {
    const taken = await take(pool, want('en'))
    expect(taken?.session.tunnel.totals().requests).toBe(0)
    expect(await take(pool, want('en'))).toBeNull()
    // What was taken lives and ends with its new owner, not with the pool.
    await pool.stop()
    expect(taken?.session.browser.endReason()).toBe('exited')
    await taken?.session.release()
  })
}, 120_000)

test('a session that was used or died while it waited is thrown away instead of given', async () => {
  const thrown: string[] = []
  const log = { ...silentLog, info: (facts: object | string) => void thrown.push((facts as { why: string }).why) }
  const pool = start({ size: 2, concurrency: 2 }, { log })
  await Promise.all([readyIn(pool, 'en'), readyIn(pool, 'fr')])
  const own = async () => (await processTree(process.pid)).filter(({ parent }) => parent === process.pid)
  const before = await own()
  const french = await take(pool, want('fr'))
  // The one that is taken is left alone; the one that still waits is killed from outside.
  for (const { pid } of before) if (pid !== french?.session.browser.pid) process.kill(pid, 'SIGKILL')
  await expect.poll(() => thrown, { timeout: 60_000 }).toContain('ended')
  expect(french?.session.browser.endReason()).toBe('exited')
  await french?.session.release()
}, 120_000)

test('what a waiting browser did by itself is noticed', async () => {
  const pool = start()
  await readyIn(pool, 'en')
  const taken = await take(pool, want('en'))
  if (taken === null) throw new Error('nothing was ready')
  const { session } = taken
  expect(await whyTouched(session)).toBeNull()
  await session.browser.cdp.browser.send('Storage.setCookies', { cookies: [{ name: 'a', value: 'b', domain: 'x.test' }] })
  expect(await whyTouched(session)).toBe('cookies')
  await session.browser.cdp.browser.send('Storage.clearCookies')
  const { targetId } = await session.browser.cdp.browser.send('Target.createTarget', { url: 'about:blank' })
  expect(await whyTouched(session)).toBe('other_pages')
  await session.browser.cdp.browser.send('Target.closeTarget', { targetId })
  await session.page.session.send('Page.navigate', { url: `http://${address}/` })
  expect(await whyTouched(session)).toBe('tunnel_used')
  await session.release()
  expect(await whyTouched(session)).not.toBeNull()
}, 120_000)

test('a waiting browser that spoke is not given, and the log names whom it asked', async () => {
  const talking = await makeTalkingBrowser('beacon.example:8443')
  const warned: unknown[] = []
  const log = { ...silentLog, warn: (facts: object | string) => void warned.push(facts) }
  try {
    const pool = start({}, { log, program: talking.program })
    await readyIn(pool, 'en')
    expect(await take(pool, want('en'))).toBeNull()
    expect(warned[0]).toMatchObject({ why: 'tunnel_used', heard: ['beacon.example:8443'] })
    await pool.stop()
  } finally {
    await talking.remove()
  }
}, 120_000)

test('age, an aborted preflight and the end of the pool leave nothing behind', async () => {
  const refused = start({}, { preflight: async () => await Promise.resolve(false) })
  const pool = start({ maxAgeMs: 0.01, folder: join(folder, 'aged') })
  await expect
    .poll(async () => (await readdir(join(folder, 'aged')).catch(() => [])).length, { timeout: 60_000 })
    .toBeGreaterThan(0)
  await readyIn(pool, 'en')
  expect(await take(pool, want('en'))).toBeNull()
  expect(refused.ready()).toEqual({ en: 0, fr: 0 })
  const tree = await processTree(process.pid)
  await pool.stop()
  await refused.stop()
  expect(await readdir(join(folder, 'aged'))).toEqual([])
  const left = await Promise.all(tree.map(async (entry) => entry.pid !== process.pid && (await isRunning(entry))))
  expect(left.filter(Boolean)).toEqual([])
}, 120_000)

test('kill -9 of the process leaves no waiting browser', async () => {
  const owner = spawn(process.execPath, [join(import.meta.dirname, 'hold-pool.test-program.ts'), join(folder, 'held')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.race([once(owner.stdout, 'data'), once(owner, 'exit')])
  expect(owner.exitCode).toBeNull()
  const tree = await processTree(owner.pid ?? 0)
  expect(tree.length).toBeGreaterThan(4)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  await expect.poll(async () => (await Promise.all(tree.map(isRunning))).filter(Boolean).length, { timeout: 60_000 }).toBe(0)
}, 120_000)
