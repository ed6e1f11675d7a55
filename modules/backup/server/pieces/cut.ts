import { crc32 } from 'node:zlib'
import { largestPiece } from './piece-store.ts'

const smallestCut = 256 * 1024
/** One row of so many ends a piece. */
const rowsPerCut = 128

/**
 * Joins rows to pieces whose ends are chosen by the rows themselves: where some were added or changed, the pieces before and after are
 * the same as the last time, and are not sent again.
 */
export async function* cutRows(rows: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = []
  let bytes = 0
  const take = () => {
    const piece = Buffer.concat(held)
    held = []
    bytes = 0
    return piece
  }
  for await (const row of rows) {
    // A row of more than a piece is cut wherever it must be: what joins them again joins octets.
    for (let start = 0; start < row.length; start += largestPiece) {
      const part = row.subarray(start, start + largestPiece)
      if (bytes + part.length > largestPiece) yield take()
      held.push(part)
      bytes += part.length
    }
    if (bytes >= smallestCut && crc32(row) % rowsPerCut === 0) yield take()
  }
  if (bytes > 0) yield take()
}

/** Octets in pieces of one size, the last shorter. */
export async function* cutBytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const held = Buffer.allocUnsafe(largestPiece)
  let used = 0
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length;) {
      const part = chunk.subarray(start, start + largestPiece - used)
      held.set(part, used)
      used += part.length
      start += part.length
      if (used < largestPiece) continue
      yield Buffer.from(held)
      used = 0
    }
  }
  if (used > 0) yield Buffer.from(held.subarray(0, used))
}
