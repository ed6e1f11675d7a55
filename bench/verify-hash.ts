/**
 * Time and memory of the verifier page with a file of 1 GB, beside `openssl dgst -sha256` on the same file in the same run:
 * `node bench/verify-hash.ts [MB]`, after `vite build`. The file is random, so that nothing shortcuts it. Then a package whose one
 * piece has that length. Memory is that of the browser's processes that read it, above what they had when the page was open; processor time is
 * that of all of them.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifierRoutes } from '../modules/verification/server/index.ts'
import { morePeaks, openBrowser, openssl, peaks, processorSeconds, round, serveWeb, writeRandom } from './browser.ts'

const megabytes = Number(process.argv[2] ?? 1000)
const folder = mkdtempSync(join(tmpdir(), 'probant-bench-hash-'))

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

const server = await serveWeb(verifierRoutes({ clock: { now: () => new Date() } }))
const profile = join(folder, 'profile')
const browser = await openBrowser(profile)
try {
  const results: Record<string, unknown> = { megabytes }
  for (const [what, name, head, selector] of [
    ['file', 'random.bin', Buffer.alloc(0), '[data-verdict="none"]'],
    ['package', 'package.zip', zipHead(), '[data-kind="package"]'],
  ] as const) {
    const file = join(folder, name)
    writeRandom(file, megabytes, head)
    const peer = openssl(file, 'sha256')
    const page = await browser.newPage()
    await page.goto(`${server.origin}/en/proofs/`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const before = peaks(profile)
    const used = processorSeconds(profile)
    const from = performance.now()
    await page.locator('input[type=file]').first().setInputFiles(file)
    await page.locator(selector).first().waitFor({ timeout: 600_000 })
    const seconds = (performance.now() - from) / 1000
    const processor = processorSeconds(profile) - used
    const more = morePeaks(profile, before)
    results[what] = {
      seconds: round(seconds),
      openssl_seconds: round(peer.seconds),
      ratio: round(peer.seconds / seconds),
      processor_seconds: round(processor),
      openssl_processor_seconds: round(peer.processor),
      processor_ratio: round(peer.processor / processor),
      peak_megabytes_more: more[0],
      peak_megabytes_more_all: more.reduce((sum, each) => sum + each, 0),
    }
    await page.close()
  }
  process.stdout.write(`${JSON.stringify(results)}\n`)
} finally {
  await browser.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
