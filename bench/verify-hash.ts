/**
 * Time and memory of the verifier page with a file of 1 GB, beside `openssl dgst -sha256` on the same file in the same run:
 * `node bench/verify-hash.ts [MB]`, after `vite build`. The file is random, so that nothing shortcuts it. Then a package whose one
 * piece has that length. Memory is that of the browser's processes that read it, above what they had when the page was open.
 */
import { execFileSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { pageRoutes } from '../apps/web/page-routes.ts'
import { verifierRoutes } from '../modules/verification/server/index.ts'
import { loadConfig } from '../platform/config/config.ts'
import { createHttpServer } from '../platform/http/server.ts'
import { silentLog } from '../platform/log/log.ts'

const megabytes = Number(process.argv[2] ?? 1000)
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

function write(name: string, head: Buffer): string {
  const file = join(folder, name)
  const handle = openSync(file, 'w')
  writeSync(handle, head)
  const block = Buffer.alloc(1_000_000)
  for (let i = 0; i < megabytes; i += 1) writeSync(handle, randomFillSync(block))
  closeSync(handle)
  return file
}

function zipHead(): Buffer {
  const names = ['mimetype', 'manifest.json', 'capture/archive.wacz']
  const texts = ['application/vnd.etsi.asic-e+zip', '{}', '']
  return Buffer.concat(
    names.map((name, i) => {
      const text = Buffer.from(texts[i] ?? '')
      const header = Buffer.alloc(30)
      header.writeUInt32LE(0x04034b50, 0)
      header.writeUInt16LE(20, 4)
      const size = i === 2 ? megabytes * 1_000_000 : text.length
      header.writeUInt32LE(size, 18)
      header.writeUInt32LE(size, 22)
      header.writeUInt16LE(name.length, 26)
      return Buffer.concat([header, Buffer.from(name), text])
    }),
  )
}

const clock = { now: () => new Date() }
const server = await createHttpServer({
  config: loadConfig({}),
  log: silentLog,
  secret: 'b'.repeat(32),
  clock,
  routes: verifierRoutes({ clock }),
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
const profile = join(folder, 'profile')
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  const results: Record<string, unknown> = { megabytes }
  for (const [what, file, selector] of [
    ['file', write('random.bin', Buffer.alloc(0)), '[data-verdict="none"]'],
    ['package', write('package.zip', zipHead()), '[data-kind="package"]'],
  ] as const) {
    const started = performance.now()
    execFileSync('openssl', ['dgst', '-sha256', file])
    const openssl = (performance.now() - started) / 1000
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/en/proofs/`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const before = peaks(profile)
    const from = performance.now()
    await page.locator('input[type=file]').first().setInputFiles(file)
    await page.locator(selector).first().waitFor({ timeout: 600_000 })
    const seconds = (performance.now() - from) / 1000
    const more = [...peaks(profile)].map(([id, peak]) => peak - (before.get(id) ?? 0))
    results[what] = {
      seconds: Math.round(seconds * 100) / 100,
      openssl_seconds: Math.round(openssl * 100) / 100,
      ratio: Math.round((openssl / seconds) * 100) / 100,
      peak_megabytes_more: Math.round(Math.max(...more)),
      peak_megabytes_more_all: Math.round(more.reduce((sum, each) => sum + each, 0)),
    }
    await page.close()
  }
  process.stdout.write(`${JSON.stringify(results)}\n`)
} finally {
  await browser.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
