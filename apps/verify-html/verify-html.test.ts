import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findViolations } from '../../e2e/fixtures/find-violations.ts'
import { steeredChromium } from '../../testing/steered-chromium.ts'
import * as anchored from '../../testing/proof-vectors/anchored-file.ts'
import { fileOfBytes } from '../../modules/verification/domain/dossier/dropped/dossier-units.ts'
import { sealedPackage } from '../../testing/sealed-package.ts'
import { draw } from '../../testing/sweep.ts'
import { fingerprintsOf } from '../../testing/verify-compared.ts'

const run = promisify(execFile)
let dir: string
let browser: Browser
let page: Page
let context: BrowserContext
let made: Awaited<ReturnType<typeof sealedPackage>>
let platform: string
const requests: string[] = []

const buildTo = async (outDir: string): Promise<Buffer> => {
  await build({
    configFile: fileURLToPath(new URL('./vite.config.ts', import.meta.url)),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  })
  return await readFile(join(outDir, 'verify.html'))
}

let html: Buffer
let given = ''
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'verify-html-'))
  given = await mkdtemp(join(dir, 'given-'))
  html = await buildTo(join(dir, 'built'))
  made = await sealedPackage({
    keys: join(dir, 'keys'),
    verifyHtml: html,
    pieces: [
      { path: 'capture/page.html', role: 'dom', bytes: Buffer.from('<p>hello') },
      { path: 'capture/viewport.png', role: 'viewport_screenshot', bytes: Buffer.alloc(3_000_000, 7) },
      { path: 'environment/clock.json', role: 'clock', bytes: Buffer.from('{}') },
    ],
  })
  await writeFile(join(dir, 'package.zip'), made.zip)
  ;[platform = ''] = await fingerprintsOf({ kind: 'zip', file: fileOfBytes('package.zip', made.zip) }, { now: () => new Date() })
  // The page is opened as a reader would: from the folder that the package was unpacked to, by a tool that is not ours.
  await run('unzip', ['-q', join(dir, 'package.zip'), '-d', join(dir, 'unpacked')])
  // With a camera that shows a test picture.
  const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
  browser = await chromium.launch(steeredChromium(...camera))
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await rm(dir, { recursive: true, force: true })
})
afterEach(() => context?.close())

async function open(
  options: { width: number; locale?: string; colorScheme?: 'light' | 'dark' } = { width: 1280 },
): Promise<Page> {
  context = await browser.newContext({
    viewport: { width: options.width, height: 900 },
    locale: options.locale ?? 'en-GB',
    colorScheme: options.colorScheme ?? 'light',
    timezoneId: 'Europe/Paris',
  })
  page = await context.newPage()
  requests.length = 0
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(pathToFileURL(join(dir, 'unpacked/verify.html')).href)
  return page
}

/** Every rule. */
const violations = () => findViolations(page)

/** Colour of the conclusion. */
async function verify(bytes: Uint8Array): Promise<string | null> {
  // By its path: what is handed over as bytes goes through the line to the browser as text, four million letters each time.
  const file = join(given, 'package.zip')
  await writeFile(file, bytes)
  await page.locator('#file').setInputFiles(file)
  return await colour()
}
const colour = async () => await page.locator('#result').getAttribute('data-colour')

/** As one who has the fingerprint from the operator: typed as openssl prints it. */
async function compare(fingerprint: string, button: string): Promise<void> {
  await page.locator('#fingerprint').fill(`SHA256 Fingerprint=${fingerprint.toUpperCase().replaceAll(/(..)(?=.)/g, '$1:')}`)
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.locator('#result').waitFor()
}

test('the page is one file under 225 kB gzipped, and two builds are the same bytes', async () => {
  expect(gzipSync(html, { level: 9 }).length).toBeLessThan(225_000)
  expect(Buffer.compare(await buildTo(join(dir, 'again')), html)).toBe(0)
})

// Every pair of language, width and scheme, in half of all combinations: opened once in each language, and looked at as one and as the other.
test.each([
  { locale: 'en-GB', looks: [{ width: 360, colorScheme: 'light' } as const, { width: 1280, colorScheme: 'dark' } as const] },
  { locale: 'fr-FR', looks: [{ width: 360, colorScheme: 'dark' } as const, { width: 1280, colorScheme: 'light' } as const] },
])(
  'an intact package passes: $locale, 360 and 1280 px, light and dark, without a request and without an accessibility violation',
  async (options) => {
    await open({ locale: options.locale, ...options.looks[0] })
    const folder = process.env['PROBANT_SCREENSHOTS']
    /** In both looks. @returns what axe finds, and how far the page stands out of its window */
    const look = async (state: string) => {
      const found: unknown[] = []
      for (const { width, colorScheme } of options.looks) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        await page.evaluate(async () => await Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
        found.push(...(await violations()).map(({ id, at }) => [width, colorScheme, id, at[0]]))
        const name = `${state}-${options.locale}-${String(width)}-${colorScheme}.png`
        if (folder !== undefined) await page.screenshot({ path: join(folder, name), fullPage: true })
        const out = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        if (out > 0) found.push([width, 'sideways', out])
      }
      return found
    }
    expect(await look('open')).toEqual([])
    const compareIt = options.locale === 'fr-FR' ? 'Comparer' : 'Compare'
    // Nobody here vouches for who sealed it, until the fingerprint is compared.
    expect(await verify(made.zip)).toBe('amber')
    expect(await page.locator('.compare').innerText()).toContain(platform.replaceAll(/(.{8})(?=.)/g, '$1 '))
    expect(await look('compare')).toEqual([])
    await compare('ab'.repeat(32), compareIt)
    expect(await colour()).toBe('red')
    expect(await page.locator('#result').innerText()).toContain('ab'.repeat(32))
    await compare(platform, compareIt)
    expect(await colour()).toBe('green')
    expect(await page.locator('#result .code').innerText()).toMatch(/EN 319 102-1.*TOTAL-PASSED/)
    expect(await page.locator('.compare').count()).toBe(0)
    expect(await page.locator('html').getAttribute('lang')).toBe(options.locale.slice(0, 2))
    expect(await page.locator('.seal').innerText()).toContain(made.root)
    expect(await look('verify')).toEqual([])
    expect(requests).toEqual([pathToFileURL(join(dir, 'unpacked/verify.html')).href])
  },
)

test('the fingerprint is scanned where the browser reads codes and has a camera, which is let go then; elsewhere it is typed', async () => {
  await open()
  await verify(made.zip)
  expect(await page.getByRole('button', { name: 'Scan a code' }).count()).toBe(0)
  await context.close()
  await open({ width: 1280 })
  // What the Shape Detection API finds in a picture: here the second picture holds a code.
  await page.addInitScript((fingerprint) => {
    let pictures = 0
    class Detector {
      static getSupportedFormats = async () => await Promise.resolve(['qr_code'])
      detect = async (video: HTMLVideoElement) =>
        await Promise.resolve(
          (pictures += 1) > 1 && video.videoWidth > 0 ? [{ rawValue: `https://a.example/#${fingerprint}` }] : [],
        )
    }
    Object.assign(globalThis, { BarcodeDetector: Detector })
    const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      const stream = await ask(wanted)
      Object.assign(globalThis, { lastStream: stream })
      return stream
    }
  }, platform)
  await page.reload()
  await verify(made.zip)
  expect(await colour()).toBe('amber')
  await page.getByRole('button', { name: 'Scan a code' }).click()
  await page.locator('#result[data-colour="green"]').waitFor()
  const tracks = await page.evaluate(() =>
    (globalThis as unknown as { lastStream: MediaStream }).lastStream.getTracks().map(({ readyState }) => readyState),
  )
  expect(tracks).toEqual(['ended'])
})

test('the unpacked folder passes too, and the language switch keeps the result', async () => {
  await open()
  await page.locator('#folder').setInputFiles(join(dir, 'unpacked'))
  expect(await colour()).toBe('amber')
  await compare(platform, 'Compare')
  await page.getByRole('button', { name: 'Français' }).click()
  expect(await page.locator('.verdict h2').innerText()).toBe('Tout est conforme')
  // What the keys call themselves is said in the language of the page.
  expect(await page.locator('main').innerText()).not.toContain('Probant embedded time authority')
  expect(await page.getByText('Capture', { exact: true }).count()).toBe(0)
})

/** Drops a file or a folder of the disk, as the browser itself receives it from the desktop. */
async function drop(file: string): Promise<void> {
  const client = await context.newCDPSession(page)
  const data = { items: [], files: [file], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await client.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data })
}

test('dropped from the desktop, the ZIP file passes; a folder, which Chromium refuses here, is refused in words', async () => {
  await open()
  await drop(join(dir, 'package.zip'))
  expect(await colour()).toBe('amber')
  await page.getByRole('button', { name: 'Verify something else' }).click()
  await drop(join(dir, 'unpacked'))
  expect(await page.locator('.status .bad').innerText()).toContain('Use “Choose a folder”')
  await page.locator('#folder').setInputFiles(join(dir, 'unpacked'))
  expect(await colour()).toBe('amber')
})

/** Each entry in turn: `verify-package.test.ts`, without a browser. */
test('one flipped byte in one entry of ten: never green, and the entry is named', async () => {
  await open()
  const text = Buffer.from(made.zip)
  const header = 30
  const starts = [...text.toString('latin1').matchAll(/PK\x03\x04/g)].map(({ index }) => index + header)
  for (const path of draw(made.paths)) {
    const bytes = Uint8Array.from(made.zip)
    // In its own bytes, after its local header: the list of pieces names it too.
    const at = starts.find((start) => text.toString('latin1', start, start + path.length) === path) ?? Number.NaN
    const data = at + path.length
    bytes[data] = (bytes[data] ?? 0) ^ 1
    expect(await verify(bytes), path).toBe('red')
    expect(await page.locator('main').innerText()).toContain(path)
    await page.getByRole('button', { name: 'Verify something else' }).click()
  }
})

test('a cut package and a file that is no package are refused in words', async () => {
  await open()
  expect(await verify(made.zip.subarray(0, 100_000))).toBe('red')
  await page.getByRole('button', { name: 'Verify something else' }).click()
  await page.locator('#file').setInputFiles({ name: 'hello.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') })
  expect(await page.locator('#result h2').innerText()).toBe('Nothing here is a proof')
  expect([await colour(), await page.locator('#result .code').count()]).toEqual(['grey', 0])
})

test('the minutes fit on one printed page', async () => {
  await open()
  await verify(made.zip)
  const pdf = join(dir, 'minutes.pdf')
  await page.pdf({ path: pdf, preferCSSPageSize: true, printBackground: true })
  expect((await run('pdfinfo', [pdf])).stdout).toMatch(/Pages:\s+1\n/)
  expect((await run('pdftotext', [pdf, '-'])).stdout).toContain('INDETERMINATE')
  expect((await run('pdftotext', [pdf, '-'])).stdout).toContain('Verification minutes')
  const folder = process.env['PROBANT_SCREENSHOTS']
  if (folder !== undefined) await run('pdftoppm', ['-png', '-r', '60', pdf, join(folder, 'minutes')])
})

const asFile = (name: string, bytes: Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(bytes),
})
const [coinbase, coinbaseProof] = [asFile('coinbase.bin', anchored.file), asFile('coinbase.bin.ots', anchored.proof)]

test('C-69 a Bitcoin proof, its file and a block header given by the reader: dated, without a request', async () => {
  await open({ width: 360, locale: 'fr-FR' })
  await page.locator('#file').setInputFiles([coinbaseProof, coinbase])
  expect(await colour()).toBe('amber')
  expect(await page.locator('main').innerText()).toContain('exactement les mêmes octets')
  await page.locator('#known-headers').fill('100000: 00')
  await page.getByRole('button', { name: 'Vérifier de nouveau' }).click()
  expect(await page.locator('.known [role=alert]').innerText()).toContain('160')
  await page.locator('#known-headers').fill(anchored.headerLine)
  await page.getByRole('button', { name: 'Vérifier de nouveau' }).click()
  await page.locator('.verdict.good').first().waitFor()
  expect(await page.locator('main').innerText()).toContain('29 décembre 2010')
  expect(await page.locator('main').innerText()).toContain('Le bloc Bitcoin, ou la source')
  expect((await violations()).map(({ id }) => id)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  expect(requests).toEqual([pathToFileURL(join(dir, 'unpacked/verify.html')).href])
})

test('an altered copy is named beside its proof, and a proof that came as text is verified as one that was pasted', async () => {
  await open()
  const altered = asFile('coinbase.bin', anchored.file)
  altered.buffer[0] = 0
  await page.locator('#file').setInputFiles([coinbaseProof, altered])
  expect(await colour()).toBe('red')
  await page.getByRole('button', { name: 'Verify something else' }).click()
  await page.locator('#pasted').fill(coinbaseProof.buffer.toString('base64'))
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  expect(await colour()).toBe('amber')
  expect(await page.locator('main [data-kind]').getAttribute('data-kind')).toBe('opentimestamps')
  const pdf = join(dir, 'proof.pdf')
  await page.pdf({ path: pdf, preferCSSPageSize: true })
  expect((await run('pdfinfo', [pdf])).stdout).toMatch(/Pages:\s+1\n/)
  expect((await run('pdftotext', [pdf, '-'])).stdout).toContain('INDETERMINATE')
})
