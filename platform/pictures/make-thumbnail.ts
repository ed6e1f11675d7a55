import jpeg from 'jpeg-js'
import { readPngRows, readPngSize, type PngSource } from './read-png-rows.ts'

const quality = 60

/**
 * The top of a PNG, made narrow: each pixel is the mean of those that it stands for. Reads no further than it shows, row by row, so that an
 * image of any height needs the memory of a few rows.
 * @param most.width of the thumbnail, in pixels; what is narrower stays as wide
 * @param most.rows of the PNG, from its top
 * @returns a JPEG
 * @throws UnreadablePng; zlib's errors
 */
export async function makeThumbnail(png: PngSource, most: { readonly width: number; readonly rows: number }): Promise<Buffer> {
  const size = await readPngSize(png)
  const width = Math.min(most.width, size.width)
  const rows = Math.max(1, Math.min(most.rows, size.height))
  const height = Math.max(1, Math.round((rows * width) / size.width))
  const rgba = new Uint8Array(width * height * 4).fill(255)
  const columns = Array.from({ length: width + 1 }, (_, x) => Math.floor((x * size.width) / width))
  let sums = new Float64Array(width * 3)
  let [y, row, summed] = [0, 0, 0]
  for await (const pixels of readPngRows(png)) {
    for (let x = 0; x < width; x += 1)
      for (let from = columns[x] ?? 0; from < (columns[x + 1] ?? 0); from += 1)
        for (let c = 0; c < 3; c += 1) sums[x * 3 + c] = (sums[x * 3 + c] ?? 0) + (pixels[from * 3 + c] ?? 0)
    row += 1
    summed += 1
    if (row < Math.floor(((y + 1) * rows) / height)) continue
    for (let x = 0; x < width; x += 1) {
      const count = summed * ((columns[x + 1] ?? 0) - (columns[x] ?? 0))
      for (let c = 0; c < 3; c += 1) rgba[(y * width + x) * 4 + c] = Math.round((sums[x * 3 + c] ?? 0) / count)
    }
    sums = new Float64Array(width * 3)
    summed = 0
    y += 1
    if (y === height) break
  }
  return jpeg.encode({ data: rgba, width, height }, quality).data
}
