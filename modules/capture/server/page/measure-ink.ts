import { readFile, stat } from 'node:fs/promises'
import { PNG } from 'pngjs'
import type { Screenshots } from './take-screenshots.ts'

/** Largest file whose pixels are looked at: an image of one colour and little else compresses to far less. */
const maxBytes = 48 * 1024

type Ink = {
  /** Share of the pixels that do not have the commonest colour, 0–1. */
  readonly share: number
  readonly pixels: number
}

/**
 * How much of an image differs from its commonest colour; null for a file so large that it cannot be nearly empty. Only
 * files of a few kilobytes are decoded: pictures of pages take a hundred times as much.
 */
function measureInk(png: Buffer, most = maxBytes): Ink | null {
  if (png.length > most) return null
  const { data } = PNG.sync.read(png)
  const pixels = new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4)
  const counts = new Map<number, number>()
  let commonest = 0
  let previous = -1
  let run = 0
  const flush = () => {
    if (run === 0) return
    // Past this many colours no image is nearly empty; what comes later cannot be the commonest either.
    if (!counts.has(previous) && counts.size >= 4096) return
    const count = (counts.get(previous) ?? 0) + run
    counts.set(previous, count)
    if (count > commonest) commonest = count
  }
  for (const pixel of pixels) {
    if (pixel === previous) run += 1
    else {
      flush()
      previous = pixel
      run = 1
    }
  }
  flush()
  return { share: (pixels.length - commonest) / pixels.length, pixels: pixels.length }
}

/** Images looked at: the window's, then the first of the whole page, when the window's is nearly empty. */
const maxTiles = 3

/**
 * The same of a page, from its images; null when anything of it shows in plenty. A window of one colour is no blank page while
 * something stands below it.
 */
export async function measurePageInk(shots: Pick<Screenshots, 'viewportPng' | 'images' | 'files'>): Promise<number | null> {
  // It could not be taken.
  if (shots.viewportPng.length === 0) return null
  const window = measureInk(shots.viewportPng)
  if (window === null || window.share > 0.01) return null
  const tall = shots.images.filter(({ kind }) => kind === 'full_page')
  let differing = window.share * window.pixels
  // A page of one window only was just measured.
  if (tall.length <= 1 && (tall[0]?.height ?? 0) * (tall[0]?.width ?? 0) <= window.pixels) return window.share
  for (const { path } of tall.slice(0, maxTiles)) {
    const file = shots.files.find((one) => one.path === path)?.file
    if (file === undefined || (await stat(file)).size > 4 * maxBytes) return null
    const ink = measureInk(await readFile(file), 4 * maxBytes)
    if (ink === null || ink.share > 0.01) return null
    differing = Math.max(differing, ink.share * ink.pixels)
  }
  return differing / window.pixels
}
