/**
 * Time and memory of the fingerprints of a document in the browser, SHA-256 and SHA-512 in one reading, beside `openssl dgst -sha256`
 * (which computes one of the two) on the same file in the same run: `node bench/document-hash.ts [MB…]`, after `vite build`. The file
 * is random, so that nothing shortcuts it. By the worker that the page uses, held in memory as a whole and in slices. Memory is that of
 * the browser's processes, above what they had when the page was open.
 */
import { execFileSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { pageRoutes } from '../apps/web/page-routes.ts'
import { loadConfig } from '../platform/config/config.ts'
import { createHttpServer } from '../platform/http/server.ts'
import { silentLog } from '../platform/log/log.ts'
import { mostHeld } from '../ui/hash/hash-blob.ts'

const sizes = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'probant-bench-hash-'))
const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Peak of resident memory in megabytes, by process id, of every process whose command line names the profile of this browser. */
function peaks(mark: string): Map<number, number> {
  const found = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      if (!readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(mark)) continue
      const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]
      if (peak !== undefined) found.set(Number(name), Number(peak) / 1000)
    } catch {
      // It ended while it was looked at.
    }
  }
  return found
}

function write(megabytes: number): string {
  const file = join(folder, `${megabytes}.bin`)
  const handle = openSync(file, 'w')
  const block = Buffer.alloc(1_000_000)
  for (let i = 0; i < megabytes; i += 1) writeSync(handle, randomFillSync(block))
  closeSync(handle)
  return file
}

const asset = readdirSync(fromRoot('dist/web/assets')).find((name) => /^hash\.worker-.*\.js$/.test(name))
if (asset === undefined) throw new Error('dist/web has no hash worker: build the web application first')
const clock = { now: () => new Date() }
const server = await createHttpServer({
  config: loadConfig({}),
  log: silentLog,
  secret: 'b'.repeat(32),
  clock,
  routes: [],
  health: {},
  web: {
    distFolder: fromRoot('dist/web'),
    pageRoutes: pageRoutes.map(({ pattern }) => pattern),
    pageMeta: () => ({ title: 'Bench', description: 'Bench' }),
    contentFolder: fromRoot('content'),
    contentOverride: undefined,
    publicUrl: 'http://localhost/',
    passwordPage: '/account/security/',
    securityContacts: [],
  },
})
await server.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.server.address() as AddressInfo

try {
  for (const megabytes of sizes.length === 0 ? [1000] : sizes)
    for (const held of [true, false]) {
      const file = write(megabytes)
      const started = performance.now()
      const expected = execFileSync('openssl', ['dgst', '-sha256', '-r', file]).toString().slice(0, 64)
      const openssl = (performance.now() - started) / 1000
      const profile = mkdtempSync(join(folder, 'profile-'))
      const browser = await chromium.launchPersistentContext(profile, {
        executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
        args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      })
      const page = await browser.newPage()
      await page.goto(`http://127.0.0.1:${port}/en/guide/`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const deviceMemory = await page.evaluate(async (address) => {
        const input = document.createElement('input')
        input.type = 'file'
        document.body.append(input)
        const worker = new Worker(address, { type: 'module' })
        const hashed = (given: Blob, whole: boolean) =>
          new Promise((resolve) => {
            worker.addEventListener('message', ({ data }: MessageEvent<{ kind: string }>) => {
              if (data.kind !== 'progress') resolve(data)
            })
            // A worker has no origin to name; the rule is about windows.
            // oxlint-disable-next-line unicorn/require-post-message-target-origin
            worker.postMessage({ kind: 'hash', id: 1, file: given, held: whole })
          })
        // Loaded before it is timed, as in the page.
        await hashed(new Blob(['x']), false)
        Object.assign(globalThis, { hashed })
        return (navigator as { deviceMemory?: number }).deviceMemory
      }, `/assets/${asset}`)
      await page.locator('input[type=file]').last().setInputFiles(file)
      const before = peaks(profile)
      const from = performance.now()
      const found = (await page.evaluate(
        (whole) =>
          (globalThis as unknown as { hashed: (given: Blob, held: boolean) => Promise<unknown> }).hashed(
            [...document.querySelectorAll<HTMLInputElement>('input[type=file]')].at(-1)?.files?.[0] ?? new Blob(),
            whole,
          ),
        held,
      )) as { sha256?: string }
      const seconds = (performance.now() - from) / 1000
      const more = [...peaks(profile)].map(([id, peak]) => peak - (before.get(id) ?? 0))
      const round = (value: number) => Math.round(value * 100) / 100
      const line = {
        megabytes,
        held,
        page_would_hold: megabytes * 1e6 <= mostHeld(deviceMemory),
        device_memory: deviceMemory ?? null,
        right: found.sha256 === expected,
        seconds: round(seconds),
        openssl_seconds: round(openssl),
        ratio: round(openssl / seconds),
        peak_megabytes_more: Math.round(Math.max(...more)),
        load: round(loadavg()[0] ?? 0),
      }
      process.stdout.write(`${JSON.stringify(line)}\n`)
      await browser.close()
      rmSync(file)
    }
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
