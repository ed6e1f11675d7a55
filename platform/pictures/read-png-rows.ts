/**
 * Reads a PNG (W3C PNG, third edition) row by row, so that an image of any height needs the memory of a few rows. Takes
 * what browsers write: 8 bits a channel, colour with or without alpha, not interlaced.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createInflate } from 'node:zlib'

export type PngSize = { readonly width: number; readonly height: number; readonly channels: 3 | 4 }

export class UnreadablePng extends Error {
  override readonly name = 'UnreadablePng'
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const widthLimit = 32_768
/** Of what is inflated at a time: many rows. */
const chunkBytes = 512 * 1024

/** A file, by its path, or what was read of one. */
export type PngSource = string | Uint8Array
type Opened = Pick<FileHandle, 'read' | 'close'>

async function openPng(source: PngSource): Promise<Opened | Buffer> {
  return typeof source === 'string' ? await open(source) : Buffer.from(source.buffer, source.byteOffset, source.byteLength)
}

async function closePng(file: Opened | Buffer): Promise<void> {
  if (!Buffer.isBuffer(file)) await file.close()
}

async function readExactly(file: Opened | Buffer, position: number, length: number): Promise<Buffer> {
  const target = Buffer.alloc(length)
  const bytesRead = Buffer.isBuffer(file)
    ? file.copy(target, 0, position, position + length)
    : (await file.read(target, 0, length, position)).bytesRead
  if (bytesRead !== length) throw new UnreadablePng('ends too early')
  return target
}

async function readHeader(file: Opened | Buffer): Promise<PngSize> {
  const head = await readExactly(file, 0, 33)
  if (!head.subarray(0, 8).equals(signature) || head.toString('latin1', 12, 16) !== 'IHDR')
    throw new UnreadablePng('is not a PNG')
  const width = head.readUInt32BE(16)
  const height = head.readUInt32BE(20)
  const colour = head.readUInt8(25)
  if (width === 0 || height === 0 || width > widthLimit) throw new UnreadablePng(`has the size ${width} × ${height}`)
  if (head.readUInt8(24) !== 8 || (colour !== 2 && colour !== 6) || head.readUInt8(28) !== 0)
    throw new UnreadablePng('is not 8-bit colour without interlacing')
  return { width, height, channels: colour === 2 ? 3 : 4 }
}

export async function readPngSize(png: PngSource): Promise<PngSize> {
  const file = await openPng(png)
  try {
    return await readHeader(file)
  } finally {
    await closePng(file)
  }
}

async function* compressedParts(file: Opened | Buffer): AsyncGenerator<Buffer> {
  let position = 8
  for (;;) {
    const head = await readExactly(file, position, 8)
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4, 8)
    if (type === 'IEND') return
    if (type === 'IDAT')
      for (let at = 0; at < length; at += 65_536) yield await readExactly(file, position + 8 + at, Math.min(65_536, length - at))
    position += 12 + length
  }
}

function paeth(a: number, b: number, c: number): number {
  const p = a + b - c
  const pa = Math.abs(p - a)
  const pb = Math.abs(p - b)
  const pc = Math.abs(p - c)
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
}

/** §9.2: undoes the filter of a row in place; `above` is the row before it, unfiltered, or zeros. A loop for each: hundreds of millions of octets pass. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  const { length } = row
  // Left of the first pixel everything is zero.
  const at = (of: Uint8Array, i: number): number => of[i] as number
  if (filter === 1) for (let i = step; i < length; i += 1) row[i] = at(row, i) + at(row, i - step)
  else if (filter === 2) for (let i = 0; i < length; i += 1) row[i] = at(row, i) + at(above, i)
  else if (filter === 3) {
    for (let i = 0; i < step; i += 1) row[i] = at(row, i) + (at(above, i) >> 1)
    for (let i = step; i < length; i += 1) row[i] = at(row, i) + ((at(row, i - step) + at(above, i)) >> 1)
  } else if (filter === 4) {
    for (let i = 0; i < step; i += 1) row[i] = at(row, i) + at(above, i)
    for (let i = step; i < length; i += 1) row[i] = at(row, i) + paeth(at(row, i - step), at(above, i), at(above, i - step))
  }
}

/** Drops alpha over white paper, as the image is printed. */
function opaque(row: Buffer, width: number): Buffer {
  const out = Buffer.alloc(width * 3)
  for (let x = 0; x < width; x += 1) {
    const alpha = row[x * 4 + 3] ?? 0
    for (let c = 0; c < 3; c += 1) {
      const value = row[x * 4 + c] ?? 0
      out[x * 3 + c] = alpha === 255 ? value : Math.round((value * alpha + 255 * (255 - alpha)) / 255)
    }
  }
  return out
}

/** Yields each row, top to bottom, as `width * 3` bytes of RGB. @throws UnreadablePng; zlib's errors. */
export async function* readPngRows(png: PngSource): AsyncGenerator<Buffer> {
  const file = await openPng(png)
  const inflate = createInflate({ chunkSize: chunkBytes })
  try {
    const { width, height, channels } = await readHeader(file)
    const rowBytes = width * channels
    const source = Readable.from(compressedParts(file), { objectMode: false })
    source.on('error', (error) => inflate.destroy(error))
    source.pipe(inflate)
    let rest: Buffer = Buffer.alloc(0)
    let above = Buffer.alloc(rowBytes)
    let rows = 0
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let at = 0
      for (; rows < height && rest.length - at > rowBytes; at += rowBytes + 1) {
        const filter = rest[at] ?? 0
        if (filter > 4) throw new UnreadablePng(`has the filter ${filter}`)
        const row = Buffer.from(rest.subarray(at + 1, at + 1 + rowBytes))
        unfilter(filter, row, above, channels)
        above = row
        rows += 1
        yield channels === 3 ? row : opaque(row, width)
      }
      rest = rest.subarray(at)
    }
    if (rows !== height) throw new UnreadablePng(`has ${rows} rows of ${height}`)
  } finally {
    inflate.destroy()
    await closePng(file)
  }
}
