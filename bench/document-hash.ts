/**
 * Time and memory of the fingerprints of a document in the browser, beside `openssl dgst` on the same file in the same run:
 * `node bench/document-hash.ts [MB…] [sparse] [apart]`, after `vite build`. The file is random, so that nothing shortcuts it; or `sparse`, of
 * zeros and a few random octets, where there is no disk for it. By the worker that the page uses: a worker for each fingerprint, as for a
 * file that is alone, and one for both; held in memory as a whole where the size allows it, and piece by piece. `apart` adds what reading,
 * Web Crypto and WebAssembly take by themselves. Memory is that of the browser's processes, above what they had when the page was open.
 */
import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { mostHeld } from '../ui/hash/hash-blob.ts'
import { fromRoot, morePeaks, openBrowser, openssl, peaks, processorSeconds, round, serveWeb, writeRandom } from './browser.ts'

const given = process.argv.slice(2)
const sizes = given.map(Number).filter((size) => size > 0)
const folder = mkdtempSync(join(tmpdir(), 'probant-bench-hash-'))
const asset = readdirSync(fromRoot('dist/web/assets')).find((name) => /^hash\.worker-.*\.js$/.test(name))
if (asset === undefined) throw new Error('dist/web has no hash worker: build the web application first')
/** The most that the page holds on any device. */
const held = mostHeld(1024)

type Asked = { readonly names: readonly string[]; readonly held: boolean }
const both = ['sha256', 'sha512']
const whole: readonly (readonly [string, readonly Asked[]])[] = [
  ['a worker each, SHA-256 held', both.map((name) => ({ names: [name], held: true }))],
  ['one worker, held', [{ names: both, held: true }]],
  ['a worker each, in pieces', both.map((name) => ({ names: [name], held: false }))],
  ['one worker, in pieces', [{ names: both, held: false }]],
]
const apart: typeof whole = [
  ['SHA-256 alone, Web Crypto', [{ names: ['sha256'], held: true }]],
  ['SHA-256 alone, WebAssembly', [{ names: ['sha256'], held: false }]],
  ['SHA-512 alone, WebAssembly', [{ names: ['sha512'], held: false }]],
]

/** In the page: its own functions, on the file that was chosen. */
type Bench = {
  readonly file: () => Blob
  readonly hash: (asked: readonly Asked[]) => Promise<Readonly<Record<string, string>>>
}

async function prepare(page: Page, file: string): Promise<number | undefined> {
  const deviceMemory = await page.evaluate(async (address) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.id = 'bench'
    document.body.append(input)
    const workers = [0, 1].map(() => new Worker(address, { type: 'module' }))
    const one = (worker: Worker | undefined, asked: object, blob: Blob) =>
      new Promise<Readonly<Record<string, string>>>((resolve, reject) => {
        worker?.addEventListener('message', function hear({ data }) {
          if (data.kind === 'progress') return
          worker.removeEventListener('message', hear)
          if (data.kind === 'hashed') resolve(data.hashes)
          else reject(new Error(data.reason))
        })
        // A worker has no origin to name; the rule is about windows.
        // oxlint-disable-next-line unicorn/require-post-message-target-origin
        worker?.postMessage({ kind: 'hash', id: 1, file: blob, ...asked })
      })
    // Loaded before it is timed, as in the page.
    await Promise.all(workers.map((worker) => one(worker, { names: ['sha512'], held: false }, new Blob(['x']))))
    const made: Bench = {
      file: () => input.files?.[0] ?? new Blob(),
      hash: async (asked) =>
        Object.assign({}, ...(await Promise.all(asked.map((each, i) => one(workers[i], each, made.file()))))),
    }
    Object.assign(globalThis, { bench: made })
    return (navigator as { deviceMemory?: number }).deviceMemory
  }, `/assets/${asset}`)
  await page.locator('#bench').setInputFiles(file)
  return deviceMemory
}

/** Reading, and Web Crypto on what is held, in seconds each. */
async function takeApart(page: Page): Promise<Readonly<Record<string, number>>> {
  return await page.evaluate(async () => {
    const file = (globalThis as unknown as { bench: Bench }).bench.file()
    const found: Record<string, number> = {}
    const timed = async (name: string, act: () => Promise<unknown>) => {
      const started = performance.now()
      await act()
      found[name] = Math.round(performance.now() - started) / 1000
    }
    const slice = 8 * 1024 * 1024
    await timed('reading, slices of 8 MiB', async () => {
      for (let at = 0; at < file.size; at += slice) await file.slice(at, at + slice).arrayBuffer()
    })
    await timed('reading, byte stream into one buffer', async () => {
      const reader = file.stream().getReader({ mode: 'byob' })
      // Known to its pending read alone it would be collected, and that read would never end (`ui/hash/read-pieces.ts`).
      Object.assign(globalThis, { reader })
      let buffer = new ArrayBuffer(2 * 1024 * 1024)
      for (;;) {
        const { done, value } = await reader.read(new Uint8Array(buffer))
        if (done) break
        buffer = value.buffer
      }
    })
    let bytes = new ArrayBuffer(0)
    await timed('reading, whole', async () => {
      bytes = await file.arrayBuffer()
    })
    await timed('a copy of what is held', () => Promise.resolve(bytes.slice(0)))
    for (const name of ['SHA-256', 'SHA-512'])
      await timed(`${name} of what is held, Web Crypto`, () => crypto.subtle.digest(name, bytes))
    await timed('both of what is held, Web Crypto', () =>
      Promise.all(['SHA-256', 'SHA-512'].map((name) => crypto.subtle.digest(name, bytes))),
    )
    return found
  })
}

const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const server = await serveWeb([])
try {
  for (const megabytes of sizes.length === 0 ? [1000] : sizes) {
    const file = join(folder, `${megabytes}.bin`)
    writeRandom(file, given.includes('sparse') ? 1 : megabytes)
    truncateSync(file, megabytes * 1_000_000)
    const peer = { sha256: openssl(file, 'sha256'), sha512: openssl(file, 'sha512') }
    print({
      megabytes,
      way: 'openssl',
      sha256: round(peer.sha256.seconds),
      sha512: round(peer.sha512.seconds),
      processor: [round(peer.sha256.processor), round(peer.sha512.processor)],
    })
    const ways = [...(given.includes('apart') ? apart : []), ...whole]
    for (const [way, asked] of ways) {
      if (asked.some((each) => each.held) && megabytes * 1_000_000 > held) continue
      const profile = mkdtempSync(join(folder, 'profile-'))
      const browser = await openBrowser(profile)
      const page = await browser.newPage()
      await page.goto(`${server.origin}/en/guide/`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const deviceMemory = await prepare(page, file)
      const before = peaks(profile)
      const used = processorSeconds(profile)
      const from = performance.now()
      const found = await page.evaluate((each) => (globalThis as unknown as { bench: Bench }).bench.hash(each), asked)
      const seconds = (performance.now() - from) / 1000
      const processor = processorSeconds(profile) - used
      const more = morePeaks(profile, before)
      print({
        megabytes,
        way,
        page_would_hold: megabytes * 1e6 <= mostHeld(deviceMemory),
        right: Object.entries(found).every(([name, digest]) => digest === peer[name as keyof typeof peer].digest),
        seconds: round(seconds),
        ratio: round(peer.sha256.seconds / seconds),
        processor_seconds: round(processor),
        peak_megabytes_more: more[0],
        peak_megabytes_more_all: more.reduce((sum, each) => sum + each, 0),
        load: round(loadavg()[0] ?? 0),
      })
      if (given.includes('apart') && way === whole.at(-1)?.[0]) print({ megabytes, ...(await takeApart(page)) })
      await browser.close()
    }
    rmSync(file)
  }
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
