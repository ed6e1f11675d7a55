/** What is painted rather than loaded: canvases, players, fonts, shadow trees, fixed and sticky parts, checked by pixels. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bandAt, shownHeight, shownPages } from '../../../../testing/site/shown-pages.ts'
import { startWireSite, type WireSite } from '../../../../testing/site/wire-site.ts'
import { captureForReading, sha256, type ReadCapture } from './read-capture.fixture.ts'

const run = promisify(execFile)
let site: WireSite
let shown: ReadCapture
let capture: ReadCapture | undefined

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'probant-video-'))
  const file = join(folder, 'video.webm')
  // One colour for two seconds, drawn by the encoder's own source.
  await run('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'color=c=0x208040:s=160x90:d=2:r=5', '-c:v', 'libvpx', '-y', file])
  const video = await readFile(file)
  await rm(folder, { recursive: true })
  site = await startWireSite('http', { more: shownPages(video) })
  shown = await captureForReading(`${site.origin}/shown/`, { allow: [site.address] })
}, 120_000)
afterAll(async () => {
  await site.close()
  await shown.remove()
})
afterEach(async () => capture?.remove())

const read = async (path: string, limits: Parameters<typeof captureForReading>[1]['limits'] = {}): Promise<ReadCapture> => {
  capture = await captureForReading(site.origin + path, { allow: [site.address], limits })
  return capture
}
const near = (pixel: string, colour: readonly number[]) =>
  pixel.split(',').every((value, i) => Math.abs(Number(value) - (colour[i] ?? 0)) <= 12)

test('canvas, WebGL, video, font, shadow trees, late parts: each is in the image, where and as it was painted', async () => {
  const one = shown
  expect(one.result.facts.completeness).toEqual({ state: 'complete', losses: [] })
  expect(one.result.facts).toMatchObject({ page_height: shownHeight, captured_height: shownHeight })
  const page = await one.page()
  expect(page.height).toBe(shownHeight)
  expect(page.pixel(150, 150)).toBe('12,34,56')
  expect(page.pixel(150, 300)).toBe('200,100,50')
  expect([page.pixel(180, 445), near(page.pixel(180, 445), [0x20, 0x80, 0x40])]).toEqual([page.pixel(180, 445), true])
  // Four letters of 100 px in a font whose every letter is 0.6 em wide: 240 px, which no other font here gives.
  expect([page.pixel(100 + 238, 702), page.pixel(100 + 243, 702)]).toEqual(['1,2,3', bandAt(702)])
  expect([page.pixel(195, 925), page.pixel(195, 1025)]).toEqual(['77,0,0', '0,77,0'])
  expect([page.pixel(150, 15_050), page.pixel(150, 17_050)]).toEqual(['11,22,33', '44,55,66'])

  // Media: what the player asked for is there as it was sent; what it left unread is said.
  const rows = (path: string) => one.reconciliation.exchanges.filter(({ url }) => new URL(url).pathname === path)
  const sent = (path: string) => site.sent().filter(({ url }) => new URL(url).pathname === path)
  for (const path of ['/video.webm', '/sound.wav', '/plain.woff2', '/late.png', '/seen-late']) {
    expect([path, rows(path).map(({ wire }) => wire.body?.sha256)]).toEqual([path, sent(path).map(({ sha256: hash }) => hash)])
    expect(rows(path).map(({ verdict }) => verdict)).toEqual(rows(path).map(() => 'agrees'))
  }
  expect(rows('/video.webm').every(({ status }) => status === 206)).toBe(true)
  // Whether a player reads all of a long file is its own affair: whole, or explained.
  expect(rows('/long-video.webm').length).toBeGreaterThan(0)
  for (const { verdict, reasons } of rows('/long-video.webm'))
    expect([verdict, ...reasons].join(' ')).toMatch(/^(agrees|explained (player_read_no_further|given_up_by_browser))$/)

  const { dom } = one
  expect(dom).toContain('in the shade of 77,0,0')
  expect(dom).toMatch(/<template shadowrootmode="closed">.*in the shade of 0,77,0/s)
}, 120_000)

test('what is fixed or sticky is once in the full page, where a visitor first sees it, and the rest is as it lies', async () => {
  const page = await shown.page()
  const rowsOf = (x: number, colour: string) => {
    const found: number[] = []
    for (let y = 0; y < page.height; y += 1) if (page.pixel(x, y) === colour) found.push(y)
    return [found.length, found[0], found.at(-1)]
  }
  expect(rowsOf(950, '255,0,255')).toEqual([50, 0, 49])
  expect(rowsOf(950, '0,255,255')).toEqual([40, 760, 799])
  expect(rowsOf(1070, '255,255,0')).toEqual([60, 0, 59])
  expect(rowsOf(1190, '255,128,0')).toEqual([60, 3000, 3059])
  // Lengths in units of the window stay those of the window.
  expect(rowsOf(325, '9,9,9')).toEqual([50, 800, 849])
  let wrong = 0
  for (let y = 0; y < page.height; y += 1) if (page.pixel(10, y) !== bandAt(y)) wrong += 1
  expect(wrong).toBe(0)
}, 120_000)

test('a document that is not in UTF-8: its source as sent, its title and its DOM readable', async () => {
  const one = await read('/latin/')
  expect(one.result.facts.title).toBe('Œuvre d’été')
  expect(sha256(await readFile(one.fileOf('capture/source.html')))).toBe(
    site.sent().find(({ url }) => url.endsWith('/latin/'))?.sha256,
  )
  // The document still says windows-1252 of itself: a byte order mark says otherwise and comes first (HTML §13.2.3.2).
  expect(one.dom.startsWith('\uFEFF<!DOCTYPE html>')).toBe(true)
  expect(one.dom).toContain('<h1>Déjà vu à Noël, garçon…</h1>')
}, 120_000)

test('a page that grows as one scrolls is followed to the limit, and said to grow on', async () => {
  const one = await read('/scroll-forever/', { maxHeight: 6_000, scrollMs: 20_000 })
  expect(one.result.facts.captured_height).toBeLessThanOrEqual(6_000)
  expect(one.result.facts.warnings.map(({ code }) => code)).toContain('height_cut')
  expect(one.result.facts.quality.coverage.percent).toBeLessThan(100)
  const asked = one.reconciliation.exchanges.filter(({ url }) => url.includes('/more?'))
  expect(asked.length).toBeGreaterThan(0)
  expect(asked.filter(({ verdict }) => verdict === 'lost')).toEqual([])
}, 120_000)
