import { malformed } from '../encoding/der.ts'
import { Inflation, longestOver } from '../encoding/inflate.ts'
import type { Readable } from '../file/readable.ts'

const window = 32 << 10
const slice = 256 << 10

/** Octets in a file, stored (method 0) or deflated, and how many they unpack to. */
export type Packed = {
  readonly method: number
  readonly dataAt: number
  readonly compressedSize: number
  readonly size: number
}

/** What is deflated unpacks to less than this many times the file, but in bombs (Fifield, 2019, has millions). */
const mostGrowth = 100
const smallGrowth = 64 << 20

export function isBomb(fileSize: number, entries: readonly Pick<Packed, 'method' | 'size'>[]): boolean {
  const grown = entries.reduce((sum, { method, size }) => sum + (method === 0 ? 0 : size), 0)
  return !(grown <= smallGrowth + mostGrowth * fileSize)
}

/** The bytes of an entry, unpacked where they are packed: {@link readInflated}. */
export function contentOf(file: Readable, entry: Packed): Readable {
  const { method, size, dataAt } = entry
  return method === 0 ? { size, read: (offset, length) => file.read(dataAt + offset, length) } : readInflated(file, entry)
}

/** Where a block begins: what came before it as far as matches reach, and what of it was written already. */
type Start = { readonly inflation: Inflation; readonly at: number; readonly before: Uint8Array; readonly over: number }

/**
 * Random access to what is deflated, in blocks: one of them is held, and of each that was come to the place where it begins, 32 KiB
 * per MiB. `read` throws MalformedError for what cannot be unpacked, is longer or shorter than was said, or has octets behind its end.
 */
function readInflated(file: Readable, { dataAt, compressedSize, size }: Packed): Readable {
  const block = Math.max(1 << 20, Math.ceil(size / 1024))
  const starts: Start[] = [{ inflation: new Inflation(new Uint8Array()), at: 0, before: new Uint8Array(), over: 0 }]
  let held: { readonly index: number; readonly bytes: Uint8Array } | undefined

  const blockAt = async (index: number, { inflation: from, at, before, over }: Start): Promise<Uint8Array> => {
    const wanted = Math.min(block, size - index * block)
    const isLast = (index + 1) * block >= size
    const base = before.length - over
    // One octet more than the last may have, so that its end is come to.
    const target = base + wanted + (isLast ? 1 : 0)
    const out = new Uint8Array(target + longestOver)
    out.set(before)
    let [inflation, taken, written] = [from, at, before.length]
    while (written < target && !inflation.done) {
      const bytes = await file.read(dataAt + taken, Math.min(slice, compressedSize - taken))
      inflation = inflation.resume(bytes, taken + bytes.length < compressedSize)
      written = inflation.unpack(out, written, target)
      taken += inflation.used
    }
    if (isLast ? !inflation.done || written !== base + wanted || taken !== compressedSize : written < target)
      malformed('compressed data of another length')
    starts[index + 1] = { inflation, at: taken, before: out.slice(Math.max(0, target - window), written), over: written - target }
    return out.subarray(base, base + wanted)
  }

  return {
    size,
    async read(offset, length) {
      if (offset + length > size) throw new RangeError('past the end')
      const out = new Uint8Array(length)
      // What is empty is unpacked too: its end is where it was said to be.
      for (let at = offset, once = size === 0; at < offset + length || once; once = false) {
        const index = Math.floor(at / block)
        for (let i = Math.min(index, starts.length - 1); held?.index !== index; i += 1)
          held = { index: i, bytes: await blockAt(i, starts[i] as Start) }
        const part = held.bytes.subarray(at - index * block, Math.min(block, offset + length - index * block))
        out.set(part, at - offset)
        at += part.length
      }
      return out
    },
  }
}
