import { crc32, deflateSync } from 'node:zlib'

export type Colour = readonly [red: number, green: number, blue: number]

/** Lines of the tall page that share one colour. */
export const rowHeight = 10

/** Colour of a row of the tall page: unique for each row, far from its neighbours. */
export function rowColour(row: number): Colour {
  return [(row * 37) & 255, row & 255, (row >> 8) * 8 + 8]
}

function chunk(type: string, data: Uint8Array): Buffer {
  const out = Buffer.alloc(12 + data.length)
  out.writeUInt32BE(data.length, 0)
  out.write(type, 4, 'latin1')
  out.set(data, 8)
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length)
  return out
}

/** An 8-bit RGB PNG. */
export function drawPng(width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer {
  const raw = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0, at = 0; y < height; y += 1) {
    raw[at++] = 0
    for (let x = 0; x < width; x += 1) for (const value of colourAt(x, y)) raw[at++] = value
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(raw)), chunk('IEND', Buffer.alloc(0))])
}

/** Bytes `offset`…`offset + length` of an endless sequence that no compressor shortens (xorshift32 per 4-byte word). */
export function noise(offset: number, length: number): Buffer {
  const out = Buffer.alloc(length)
  for (let i = 0; i < length; i += 1) {
    const at = offset + i
    let word = ((at >>> 2) * 2_654_435_761 + 0x9e37_79b9) | 0
    word ^= word << 13
    word ^= word >>> 17
    word ^= word << 5
    out[i] = (word >>> ((at & 3) * 8)) & 255
  }
  return out
}
