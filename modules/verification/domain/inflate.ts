import { malformed } from './der.ts'

/** Code lengths, counted and ordered: canonical Huffman codes of RFC 1951 §3.2.2. */
type Code = { readonly counts: Uint16Array; readonly symbols: Uint16Array }

const lengthBase = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]
const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const distanceBase = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289,
  16385, 24577,
]
const distanceBits = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13]
const orderOfLengths = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

function codeOf(lengths: Uint8Array): Code {
  const counts = new Uint16Array(16)
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1
  counts[0] = 0
  let left = 1
  for (let length = 1; length < 16; length += 1) {
    left = left * 2 - (counts[length] ?? 0)
    if (left < 0) malformed('too many codes')
  }
  const offsets = new Uint16Array(17)
  for (let length = 1; length < 16; length += 1) offsets[length + 1] = (offsets[length] ?? 0) + (counts[length] ?? 0)
  const symbols = new Uint16Array(lengths.length)
  lengths.forEach((length, symbol) => {
    if (length === 0) return
    symbols[offsets[length] ?? 0] = symbol
    offsets[length] = (offsets[length] ?? 0) + 1
  })
  return { counts, symbols }
}

let fixed: { readonly literals: Code; readonly distances: Code } | undefined

function fixedCodes() {
  return (fixed ??= {
    literals: codeOf(Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))),
    distances: codeOf(new Uint8Array(30).fill(5)),
  })
}

/**
 * Raw DEFLATE (RFC 1951), whole in memory and never longer than `most`: a bomb ends there. Own, because the layer that is bundled
 * into the offline verifier has neither Node nor a browser's streams.
 * @returns what it held, and how many octets of `bytes` it took. @throws MalformedError
 */
export function inflate(bytes: Uint8Array, most: number): { readonly bytes: Uint8Array; readonly used: number } {
  let out = new Uint8Array(Math.min(most, Math.max(1024, bytes.length * 4)))
  let size = 0
  let at = 0
  let held = 0
  let count = 0

  const bits = (wanted: number): number => {
    while (count < wanted) {
      held |= (bytes[at] ?? malformed('compressed data ends early')) << count
      at += 1
      count += 8
    }
    const value = held & ((1 << wanted) - 1)
    held >>>= wanted
    count -= wanted
    return value
  }
  const symbol = (code: Code): number => {
    let value = 0
    let first = 0
    let index = 0
    for (let length = 1; length < 16; length += 1) {
      value |= bits(1)
      const here = code.counts[length] ?? 0
      if (value - here < first) return code.symbols[index + value - first] ?? malformed('compressed data')
      index += here
      first = (first + here) << 1
      value <<= 1
    }
    return malformed('compressed data')
  }
  const reserve = (more: number): void => {
    if (size + more > most) malformed('compressed data is longer than allowed')
    if (size + more <= out.length) return
    const wider = new Uint8Array(Math.min(most, Math.max(out.length * 2, size + more)))
    wider.set(out.subarray(0, size))
    out = wider
  }
  const block = (literals: Code, distances: Code): void => {
    for (;;) {
      const found = symbol(literals)
      if (found === 256) return
      if (found < 256) {
        reserve(1)
        out[size] = found
        size += 1
        continue
      }
      const length = (lengthBase[found - 257] ?? malformed('compressed length')) + bits(lengthBits[found - 257] ?? 0)
      const code = symbol(distances)
      const distance = (distanceBase[code] ?? malformed('compressed distance')) + bits(distanceBits[code] ?? 0)
      if (distance > size) malformed('compressed distance')
      reserve(length)
      for (let i = 0; i < length; i += 1, size += 1) out[size] = out[size - distance] as number
    }
  }
  const dynamic = (): void => {
    const literals = bits(5) + 257
    const distances = bits(5) + 1
    const known = bits(4) + 4
    if (literals > 286 || distances > 30) malformed('compressed codes')
    const lengths = new Uint8Array(19)
    for (let i = 0; i < known; i += 1) lengths[orderOfLengths[i] as number] = bits(3)
    const code = codeOf(lengths)
    const all = new Uint8Array(literals + distances)
    for (let i = 0; i < all.length;) {
      const found = symbol(code)
      if (found < 16) {
        all[i] = found
        i += 1
        continue
      }
      const before = i === 0 ? 0 : (all[i - 1] as number)
      if (found === 16 && i === 0) malformed('compressed codes')
      const times = found === 16 ? 3 + bits(2) : found === 17 ? 3 + bits(3) : 11 + bits(7)
      if (i + times > all.length) malformed('compressed codes')
      all.fill(found === 16 ? before : 0, i, i + times)
      i += times
    }
    block(codeOf(all.subarray(0, literals)), codeOf(all.subarray(literals)))
  }
  const stored = (): void => {
    held = 0
    count = 0
    const length = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
    const inverse = (bytes[at + 2] ?? 0) | ((bytes[at + 3] ?? 0) << 8)
    at += 4
    if ((length ^ inverse) !== 0xffff || at + length > bytes.length) malformed('stored block')
    reserve(length)
    out.set(bytes.subarray(at, at + length), size)
    size += length
    at += length
  }
  for (let last = false; !last;) {
    last = bits(1) === 1
    const kind = bits(2)
    if (kind === 0) stored()
    else if (kind === 1) block(fixedCodes().literals, fixedCodes().distances)
    else if (kind === 2) dynamic()
    else malformed('compressed block')
  }
  return { bytes: out.subarray(0, size), used: at - (count >> 3) }
}

/** zlib's wrapping (RFC 1950) without its checksum, which what is inside is never trusted by. @throws MalformedError */
export function inflateZlib(bytes: Uint8Array, most: number): Uint8Array {
  const [method = 0, flags = 0] = bytes
  if ((method & 15) !== 8 || (method * 256 + flags) % 31 !== 0 || (flags & 0x20) !== 0) malformed('not zlib')
  return inflate(bytes.subarray(2), most).bytes
}
