/** RFC 7541, Appendices A and B: the static table, and the lengths from which the canonical Huffman code follows. */
import type { HeaderField } from '../exchange/exchange.ts'

const fixed = `:authority|:method GET|:method POST|:path /|:path /index.html|:scheme http|:scheme https|:status 200|:status 204|:status 206|:status 304
:status 400|:status 404|:status 500|accept-charset|accept-encoding gzip, deflate|accept-language|accept-ranges|accept|access-control-allow-origin|age|allow
authorization|cache-control|content-disposition|content-encoding|content-language|content-length|content-location|content-range|content-type|cookie|date|etag
expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|last-modified|link|location|max-forwards|proxy-authenticate
proxy-authorization|range|referer|refresh|retry-after|server|set-cookie|strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate`

/** Index 1 of HPACK is element 0. */
export const staticTable: readonly HeaderField[] = fixed.split(/[|\n]/).map((entry) => {
  const space = entry.indexOf(' ')
  return space === -1 ? { name: entry, value: '' } : { name: entry.slice(0, space), value: entry.slice(space + 1) }
})

/** Length in bits of the code of each byte; the end-of-string symbol is thirty ones. */
const lengths = `
13 23 28 28 28 28 28 28 28 24 30 28 28 30 28 28 28 28 28 28 28 28 30 28 28 28 28 28 28 28 28 28
6 10 10 12 13 6 8 11 10 10 8 11 8 6 6 6 5 5 5 6 6 6 6 6 6 6 7 8 15 6 12 10
13 6 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 7 8 7 8 13 19 13 14 6
15 5 6 5 6 5 6 6 6 5 7 7 6 6 6 5 6 7 6 5 5 6 7 7 7 7 7 15 11 14 13 28
20 22 20 20 22 22 22 23 22 23 23 23 23 23 24 23 24 24 22 23 24 23 23 23 23 21 22 23 22 23 23 24
22 21 20 22 22 23 23 21 23 22 22 24 21 22 23 23 21 21 22 21 23 22 23 23 20 22 22 22 23 22 22 23
26 26 20 19 22 23 22 25 26 26 26 27 27 26 24 25 19 21 26 27 27 26 27 24 21 21 26 26 28 27 27 27
20 24 20 21 22 21 21 23 22 22 25 25 24 24 26 23 26 27 26 26 27 27 27 27 27 28 27 27 27 27 27 26`
  .trim()
  .split(/\s+/)
  .map(Number)

/** Binary tree in an array: node n has children at 2n and 2n+1; a value ≥ 0 is a node, below 0 the byte -(v+1). */
const tree: number[] = [0, 0]

function build(): void {
  let code = 0
  let length = 0
  const order = lengths.map((bits, symbol) => ({ bits, symbol })).toSorted((a, b) => a.bits - b.bits || a.symbol - b.symbol)
  for (const { bits, symbol } of order) {
    code *= 2 ** (bits - length)
    length = bits
    let node = 0
    for (let bit = bits - 1; bit >= 0; bit -= 1) {
      const slot = node * 2 + (Math.floor(code / 2 ** bit) % 2)
      if (bit === 0) tree[slot] = -(symbol + 1)
      else {
        if ((tree[slot] ?? 0) === 0) {
          tree[slot] = tree.length / 2
          tree.push(0, 0)
        }
        node = tree[slot] ?? 0
      }
    }
    code += 1
  }
}
build()

/** Latin-1 text; null when the code is not valid: end-of-string inside, or padding that is long or not of ones (RFC 7541 §5.2). */
export function decodeHuffman(bytes: Buffer): string | null {
  const out = Buffer.allocUnsafe(Math.ceil((bytes.length * 8) / 5))
  let length = 0
  let node = 0
  let padding = 0
  let ones = true
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const value = (byte >> bit) & 1
      const next = tree[node * 2 + value] ?? 0
      padding += 1
      ones = ones && value === 1
      if (next < 0) {
        out[length] = -next - 1
        length += 1
        node = 0
        padding = 0
        ones = true
      } else if (next === 0) return null
      else node = next
    }
  }
  return padding > 7 || !ones ? null : out.toString('latin1', 0, length)
}
