/**
 * Takes from an installation that runs what its home page shows of it: the first pages of its sample report, and a live session on its own guide,
 * in each language: `PROBANT_ALLOW_ADDRESSES=127.0.0.1:8080 npm start`, then `node tools/draw-pictures.ts http://127.0.0.1:8080`.
 * Needs poppler's pdftoppm. What is taken is kept in apps/web/public/pictures, and taken anew where a report or the live screen came to look otherwise;
 * so is the preview of a capture of that guide, for README.md, in docs/pictures.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openBrowser } from '../bench/browser.ts'
import { locales, type Locale } from '../kernel/locale.ts'
import { createMessages } from '../platform/messages/messages.ts'

const origin = process.argv[2]
if (origin === undefined) {
  process.stderr.write('node tools/draw-pictures.ts <origin of an installation that runs, such as http://127.0.0.1:8080>\n')
  process.exit(2)
}
const kept = fileURLToPath(new URL('../apps/web/public/pictures/', import.meta.url))
const documents = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const work = mkdtempSync(join(tmpdir(), 'probant-pictures-'))
const browser = await openBrowser(join(work, 'profile'))

/** As WebP, which is a third of the PNG; the browser that draws is also the one that encodes. @param width pixels */
async function keep(name: string, png: Buffer, width: number, folder = kept): Promise<void> {
  const page = await browser.newPage()
  const encoded = await page.evaluate<{ base64: string; width: number; height: number }>(`(async () => {
    const source = await (await fetch('data:image/png;base64,${png.toString('base64')}')).blob()
    const picture = await createImageBitmap(source, { resizeWidth: ${width}, resizeQuality: 'high' })
    const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height })
    canvas.getContext('2d').drawImage(picture, 0, 0)
    return { base64: canvas.toDataURL('image/webp', 0.82).split(',')[1], width: picture.width, height: picture.height }
  })()`)
  await page.close()
  const bytes = Buffer.from(encoded.base64, 'base64')
  writeFileSync(join(folder, name), bytes)
  process.stdout.write(`${name}: ${encoded.width} × ${encoded.height}, ${bytes.length} octets\n`)
}

async function drawReport(locale: Locale): Promise<void> {
  const response = await fetch(`${origin}/sample/${locale}/report.${locale}.pdf`)
  if (!response.ok) throw new Error(`the sample report is not there: status ${response.status}`)
  const file = join(work, `report.${locale}.pdf`)
  writeFileSync(file, Buffer.from(await response.arrayBuffer()))
  for (const [page, name] of [
    ['1', 'cover'],
    ['2', 'essentials'],
  ] as const) {
    const drawn = join(work, `${name}.${locale}`)
    execFileSync('pdftoppm', ['-r', '110', '-f', page, '-singlefile', '-png', file, drawn])
    await keep(`report-${name}.${locale}.webp`, readFileSync(`${drawn}.png`), 640)
  }
}

async function drawLive(locale: Locale): Promise<void> {
  const messages = createMessages(locale)
  // The viewer's own words are in no catalogue of the server.
  const words = JSON.parse(
    readFileSync(new URL(`../modules/live/messages/live.${locale}.json`, import.meta.url), 'utf8'),
  ) as Record<string, string>
  const page = await browser.newPage()
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.goto(`${origin}/${locale}/`)
  await page.getByLabel(messages.format('evidence.form.address')).fill(`${origin}/${locale}/guide/`)
  await page.getByRole('button', { name: messages.format('evidence.form.interactive') }).click()
  await page.locator('canvas[data-picture]').waitFor({ timeout: 60_000 })
  // The page within has come, and what the viewer says of the first moments has gone.
  await page.waitForTimeout(12_000)
  await keep(`live.${locale}.webp`, await page.screenshot(), 1120)
  // One at a time is given to a visitor.
  await page.getByRole('button', { name: words['live.quit'] ?? '' }).click()
  await page.getByRole('button', { name: words['live.quit.confirm'] ?? '' }).click()
  await page.locator('canvas[data-picture]').waitFor({ state: 'detached', timeout: 120_000 })
  await page.close()
}

async function drawPreview(): Promise<void> {
  const messages = createMessages('en')
  const words = JSON.parse(
    readFileSync(new URL('../modules/evidence/messages/pages.en.json', import.meta.url), 'utf8'),
  ) as Record<string, string>
  const page = await browser.newPage()
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.goto(`${origin}/en/`)
  await page.getByLabel(messages.format('evidence.form.address')).fill(`${origin}/en/guide/`)
  await page.getByRole('button', { name: messages.format('evidence.form.capture') }).click()
  await page.getByRole('heading', { level: 1, name: words['evidence.preview.heading'] ?? '' }).waitFor({ timeout: 180_000 })
  await page.getByRole('main').getByRole('img').first().waitFor()
  await page.evaluate('Promise.all([...document.images].map((image) => image.decode()))')
  await keep('preview.webp', await page.screenshot(), 1280, documents)
  await page.close()
}

try {
  mkdirSync(kept, { recursive: true })
  for (const locale of locales) {
    await drawReport(locale)
    await drawLive(locale)
  }
  await drawPreview()
} finally {
  await browser.close()
  rmSync(work, { recursive: true, force: true })
}
