/** What the benches of pages share: the web application served by itself, a browser, its memory, and files that nothing shortcuts. */
import { execFileSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { chromium, type BrowserContext } from 'playwright-core'
import { chromiumPath } from '../platform/browser/browser-flags.ts'
import { pageRoutes } from '../apps/web/page-routes.ts'
import { loadConfig } from '../platform/config/config.ts'
import type { Route } from '../platform/http/route.ts'
import { createHttpServer } from '../platform/http/server.ts'
import { silentLog } from '../platform/log/log.ts'

export const fromRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))
export const round = (value: number): number => Math.round(value * 100) / 100

/** Peak of resident memory in megabytes, by process id, of every process whose command line names the profile of this browser. */
export function peaks(mark: string): Map<number, number> {
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

/** Linux counts processor time in hundredths of a second for user space (USER_HZ). */
const ticksPerSecond = 100

/** Processor time in seconds that every process of this browser has used by now, and those of it that it waited for. */
export function processorSeconds(mark: string): number {
  let ticks = 0
  for (const id of peaks(mark).keys()) {
    const stat = readFileSync(`/proc/${String(id)}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    for (const field of [11, 12, 13, 14]) ticks += Number(fields[field])
  }
  return ticks / ticksPerSecond
}

/** Megabytes above what each process had before, highest first. */
export function morePeaks(mark: string, before: ReadonlyMap<number, number>): number[] {
  return [...peaks(mark)].map(([id, peak]) => Math.round(peak - (before.get(id) ?? 0))).sort((a, b) => b - a)
}

/** @param head what stands before so many megabytes of random octets */
export function writeRandom(file: string, megabytes: number, head: Uint8Array = new Uint8Array()): void {
  const handle = openSync(file, 'w')
  writeSync(handle, head)
  const block = Buffer.alloc(1_000_000)
  for (let i = 0; i < megabytes; i += 1) writeSync(handle, randomFillSync(block))
  closeSync(handle)
}

/** What openssl finds, and in how many seconds: the peer. */
export function openssl(
  file: string,
  algorithm: 'sha256' | 'sha512',
): { readonly digest: string; readonly seconds: number; readonly processor: number } {
  const started = performance.now()
  const printed = execFileSync('sh', ['-c', 'openssl dgst -"$1" -r "$2" && times', 'sh', algorithm, file]).toString()
  const seconds = (performance.now() - started) / 1000
  // The last line of `times` is of what the shell waited for: user, system.
  const used = [...(printed.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  const processor = used.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0)
  return { digest: printed.slice(0, printed.indexOf(' ')), seconds, processor }
}

export async function serveWeb(
  routes: readonly Route[],
  writtenPages?: string,
): Promise<{ readonly origin: string; readonly close: () => Promise<void> }> {
  const server = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    secret: 'b'.repeat(32),
    clock: { now: () => new Date() },
    routes,
    health: {},
    web: {
      distFolder: fromRoot('dist/web'),
      ...(writtenPages === undefined ? {} : { writtenPages }),
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
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

export async function openBrowser(profile: string): Promise<BrowserContext> {
  return await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath,
    // Chromium refuses to run as root with its sandbox.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
}
