/**
 * Draws what stands for the product where its pages are not: the icons of browsers and phones, and the card of a shared address, in each
 * language: `node tools/draw-signs.ts`. The drawings are kept in apps/web/public.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { locales } from '../kernel/locale.ts'
import { sealRosette } from '../kernel/seal-rosette.ts'
import { openBrowser } from '../bench/browser.ts'
import { escapeHtml } from '../platform/html/html.ts'
import { createMessages } from '../platform/messages/messages.ts'

const web = fileURLToPath(new URL('../apps/web/', import.meta.url))
const { resolve } = createRequire(import.meta.url)
// Not by the name of a generic family, which would be taken instead.
const face = (family: string, file: string, weight: string): string =>
  `@font-face{font-family:'${family}';font-weight:${weight};src:url(data:font/woff2;base64,${readFileSync(resolve(file)).toString('base64')})}`
const faces = [
  face('Card Serif', '@fontsource/source-serif-4/files/source-serif-4-latin-600-normal.woff2', '600'),
  face('Card Sans', '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2', '200 900'),
  face('Card Mono', '@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2', '400'),
].join('\n')

const icon = readFileSync(join(web, 'icon.svg'), 'utf8')
const profile = mkdtempSync(join(tmpdir(), 'probant-signs-'))
const browser = await openBrowser(profile)

async function draw(html: string, width: number, height: number, transparent = false): Promise<Buffer> {
  const page = await browser.newPage()
  await page.setViewportSize({ width, height })
  await page.setContent(html)
  await page.evaluate('document.fonts.ready')
  const png = await page.screenshot({ omitBackground: transparent })
  await page.close()
  return png
}

const drawnIcon = (size: number, svg = icon): string =>
  `<body style="margin:0">${svg.replace('<svg', `<svg style="display:block" width="${String(size)}" height="${String(size)}"`)}`

/** One picture, as PNG, in a directory of one entry: browsers since 2006 read it. */
function ico(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

/** The rosette on it is that of the sentence above it: whoever hashes the sentence finds the digest below. */
function card(locale: (typeof locales)[number]): string {
  const messages = createMessages(locale)
  const sentence = messages.format('site.home.heading')
  const digest = createHash('sha256').update(sentence).digest('hex')
  return `<!doctype html><style>${faces}
body{margin:0;width:1200px;height:630px;box-sizing:border-box;padding:72px 80px;background:#fbfaf7;color:#16202b;font:33px/1.35 'Card Sans';display:grid;grid-template:auto 1fr auto/1fr;position:relative;overflow:hidden}
.name{display:flex;gap:18px;align-items:center;font:600 44px 'Card Serif'}.name svg{width:56px;height:56px}
h1{font:600 84px/1.06 'Card Serif';letter-spacing:-.022em;margin:0;max-width:640px;align-self:center}
p{margin:0;color:#434d58;white-space:nowrap}code{display:block;margin-top:22px;font:17px 'Card Mono';color:#434d58}
.seal{position:absolute;right:-110px;top:24px}</style>
<div class="seal">${sealRosette(digest, { size: 490, title: digest })}</div>
<div class="name">${icon}${messages.format('ui.product')}</div><h1>${escapeHtml(sentence)}</h1>
<div><p>${escapeHtml(messages.format('site.card.line'))}</p><code>SHA-256 ${digest}</code></div>`
}

try {
  mkdirSync(join(web, 'public/cards'), { recursive: true })
  const small = await draw(drawnIcon(32), 32, 32, true)
  writeFileSync(join(web, 'public/favicon.ico'), ico(small, 32))
  // A phone cuts the corners itself.
  const square = icon.replace(' rx="7"', '')
  writeFileSync(join(web, 'public/apple-touch-icon.png'), await draw(drawnIcon(180, square), 180, 180))
  for (const locale of locales) writeFileSync(join(web, `public/cards/${locale}.png`), await draw(card(locale), 1200, 630))
} finally {
  await browser.close()
  rmSync(profile, { recursive: true, force: true })
}
