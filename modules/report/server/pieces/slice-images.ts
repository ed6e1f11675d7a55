/**
 * Cuts a screenshot of any height into slices that each fill a page of paper, without losing or repeating a row (decision
 * 0081), and between lines of text where there is such a place near the foot of a page. Slices are lossless PNG; when all of them together would be too heavy for a report they are JPEG, which the
 * captions say. The lossless originals are pieces of the package either way.
 */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import jpeg from 'jpeg-js'
import { quietCut } from './quiet-row.ts'
import { readPngRows, readPngSize } from '../../../../platform/pictures/read-png-rows.ts'

export type Slice = {
  /** File name in the folder of the slices. */
  readonly name: string
  readonly width: number
  readonly height: number
  /** First row in the whole picture, 0-based. */
  readonly firstRow: number
  /** SHA-256 of the RGB rows that were cut, before any encoding. */
  readonly rowsSha256: string
}

export type SlicedPicture = {
  readonly slices: readonly Slice[]
  readonly width: number
  /** Rows of the whole picture: the sum of the images' heights. */
  readonly rows: number
  /** Rows that the slices show; less than `rows` only beyond `maxSlices` or `jpegBudget`. */
  readonly shownRows: number
  readonly encoding: 'png' | 'jpeg'
  readonly bytes: number
  /** Rows of each image of which the picture is made, top to bottom. */
  readonly heights: readonly number[]
}

export type SliceLimits = {
  /** Height of a slice divided by its width: the room on the first page, which has a heading, and on the next ones. */
  readonly aspect: { readonly first: number; readonly next: number }
  readonly maxSlices: number
  /** Bytes of lossless slices above which JPEG is used. */
  readonly losslessBudget: number
  /** Bytes of JPEG slices after which no more rows are shown. */
  readonly jpegBudget: number
}

export const jpegQuality = 88

const compress = promisify<Uint8Array, { level: number }, Buffer>(deflate)

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}

/** Rows without filter, little compressed: the typesetter decodes them and compresses again, so a cleverer encoding would be work for nothing. */
async function encodePng(rows: readonly Buffer[], width: number): Promise<Buffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(rows.length, 4)
  header.writeUInt8(8, 8)
  header.writeUInt8(2, 9)
  const noFilter = Buffer.alloc(1)
  const data = await compress(Buffer.concat(rows.flatMap((row) => [noFilter, row])), { level: 3 })
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

function encodeJpeg(rows: readonly Buffer[], width: number): Buffer {
  const rgba = Buffer.alloc(width * rows.length * 4, 0xff)
  rows.forEach((row, y) => {
    for (let x = 0; x < width; x += 1) row.copy(rgba, (y * width + x) * 4, x * 3, x * 3 + 3)
  })
  return jpeg.encode({ data: rgba, width, height: rows.length }, jpegQuality).data
}

async function* rowsOf(files: readonly string[]): AsyncGenerator<Buffer> {
  for (const file of files) yield* readPngRows(file)
}

async function cutSlices(
  files: readonly string[],
  size: { width: number; rows: number; heights: readonly number[] },
  folder: string,
  prefix: string,
  limits: SliceLimits,
  encoding: 'png' | 'jpeg',
): Promise<SlicedPicture | null> {
  const slices: Slice[] = []
  let rows: Buffer[] = []
  let bytes = 0
  let firstRow = 0
  let full = false
  const flush = async (cut: number): Promise<void> => {
    const below = rows.slice(cut)
    rows = rows.slice(0, cut)
    const name = `${prefix}-${String(slices.length + 1).padStart(3, '0')}.${encoding === 'png' ? 'png' : 'jpg'}`
    const data = encoding === 'png' ? await encodePng(rows, size.width) : encodeJpeg(rows, size.width)
    const hash = createHash('sha256')
    for (const row of rows) hash.update(row)
    await writeFile(join(folder, name), data)
    slices.push({ name, width: size.width, height: rows.length, firstRow, rowsSha256: hash.digest('hex') })
    bytes += data.length
    firstRow += rows.length
    rows = below
  }
  for await (const row of rowsOf(files)) {
    rows.push(row)
    const high = size.width * (slices.length === 0 ? limits.aspect.first : limits.aspect.next)
    if (rows.length < Math.floor(high)) continue
    await flush(firstRow + rows.length === size.rows ? rows.length : quietCut(rows, size.width))
    if (encoding === 'png' && bytes > limits.losslessBudget) return null
    full = slices.length === limits.maxSlices || bytes > limits.jpegBudget
    if (full) break
  }
  if (rows.length > 0 && !full) await flush(rows.length)
  if (encoding === 'png' && bytes > limits.losslessBudget) return null
  return { slices, width: size.width, rows: size.rows, shownRows: firstRow, encoding, bytes, heights: size.heights }
}

/**
 * @param files PNG images of one width, top to bottom, that continue each other.
 * @param folder where the slices are written, as `<prefix>-001.png`….
 * @throws UnreadablePng; RangeError when the widths differ.
 */
export async function sliceImages(
  files: readonly string[],
  folder: string,
  prefix: string,
  limits: SliceLimits,
): Promise<SlicedPicture> {
  const sizes = await Promise.all(files.map(readPngSize))
  const width = sizes[0]?.width ?? 0
  if (sizes.some((size) => size.width !== width)) throw new RangeError('images of one picture have one width')
  const heights = sizes.map((one) => one.height)
  const size = { width, rows: heights.reduce((sum, one) => sum + one, 0), heights }
  const lossless = await cutSlices(files, size, folder, prefix, limits, 'png')
  const picture = lossless ?? (await cutSlices(files, size, folder, prefix, limits, 'jpeg'))
  if (picture === null) throw new RangeError('a picture has slices')
  return picture
}
