import { malformed } from './der.ts'

/** Code lengths, counted and ordered: canonical Huffman codes of RFC 1951 §3.2.2. */
type Code = {
  readonly counts: Uint16Array
  readonly symbols: Uint16Array
  /** By the next ten bits: symbol × 16 + length of a code that is no longer than they; 0 for longer ones. */
  readonly fast: Uint16Array
}
type Codes = { readonly literals: Code; readonly distances: Code }

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

const fastBits = 10

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
  const next = new Uint16Array(17)
  for (let length = 1; length < 16; length += 1) {
    offsets[length + 1] = (offsets[length] ?? 0) + (counts[length] ?? 0)
    next[length + 1] = ((next[length] ?? 0) + (counts[length] ?? 0)) << 1
  }
  const symbols = new Uint16Array(lengths.length)
  const fast = new Uint16Array(1 << fastBits)
  lengths.forEach((length, symbol) => {
    if (length === 0) return
    symbols[offsets[length] ?? 0] = symbol
    offsets[length] = (offsets[length] ?? 0) + 1
    let code = next[length] ?? 0
    next[length] = code + 1
    if (length > fastBits) return
    let reversed = 0
    for (let i = 0; i < length; i += 1, code >>= 1) reversed = (reversed << 1) | (code & 1)
    for (; reversed < fast.length; reversed += 1 << length) fast[reversed] = (symbol << 4) | length
  })
  return { counts, symbols, fast }
}

let fixed: Codes | undefined

function fixedCodes(): Codes {
  return (fixed ??= {
    literals: codeOf(Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))),
    distances: codeOf(new Uint8Array(30).fill(5)),
  })
}

/** What a header of codes takes at most, in octets; a symbol with what belongs to it takes 6. */
const longestHeader = 1024
/** A match may go on for so many octets beyond what was asked for. */
export const longestOver = 257

/**
 * Raw DEFLATE (RFC 1951), resumed between two symbols, so that neither side need be in memory as a whole. Own, because the layer that
 * is bundled into the offline verifier has neither Node nor a browser's streams. Throws MalformedError.
 */
export class Inflation {
  #bytes: Uint8Array
  #more: boolean
  #at = 0
  #held = 0
  #count = 0
  #isLast = false
  #stored = 0
  #codes: Codes | undefined
  done = false

  /** @param more whether input follows behind `bytes` */
  constructor(bytes: Uint8Array, more = false) {
    this.#bytes = bytes
    this.#more = more
  }

  /** Octets of the input that were taken. */
  get used(): number {
    return this.#at - (this.#count >> 3)
  }

  /** One that goes on from here by itself, with input that begins where this one's was used up to. */
  resume(bytes: Uint8Array, more: boolean): Inflation {
    const next = new Inflation(bytes, more)
    const bits = this.#count & 7
    next.#held = this.#held & ((1 << bits) - 1)
    next.#count = bits
    next.#isLast = this.#isLast
    next.#stored = this.#stored
    next.#codes = this.#codes
    next.done = this.done
    return next
  }

  /**
   * Writes behind the first `size` octets of `out`, which are what came before, until there are `most`, or the input at hand is
   * nearly used up, or all is done.
   * @returns how many there are: up to {@link longestOver} more than `most`, as far as `out` has room
   */
  unpack(out: Uint8Array, size: number, most: number): number {
    let at = size
    while (at < most && !this.done) {
      if (this.#more && this.#bytes.length - this.#at < longestHeader) return at
      if (this.#stored > 0) {
        const length = Math.min(this.#stored, most - at, this.#bytes.length - this.#at)
        if (length === 0) malformed('stored block')
        out.set(this.#bytes.subarray(this.#at, this.#at + length), at)
        this.#at += length
        this.#stored -= length
        at += length
      } else if (this.#codes === undefined) this.#begin()
      else at = this.#symbols(this.#codes, out, at, most)
      if (this.#stored === 0 && this.#codes === undefined) this.done = this.#isLast
    }
    return at
  }

  #bits(wanted: number): number {
    while (this.#count < wanted) {
      this.#held |= (this.#bytes[this.#at] ?? malformed('compressed data ends early')) << this.#count
      this.#at += 1
      this.#count += 8
    }
    const value = this.#held & ((1 << wanted) - 1)
    this.#held >>>= wanted
    this.#count -= wanted
    return value
  }

  #symbol(code: Code): number {
    while (this.#count < 16 && this.#at < this.#bytes.length) {
      this.#held |= (this.#bytes[this.#at] as number) << this.#count
      this.#at += 1
      this.#count += 8
    }
    const found = code.fast[this.#held & ((1 << fastBits) - 1)] as number
    const short = found & 15
    if (short > 0 && short <= this.#count) {
      this.#held >>>= short
      this.#count -= short
      return found >> 4
    }
    let value = 0
    let first = 0
    let index = 0
    for (let length = 1; length < 16; length += 1) {
      value |= this.#bits(1)
      const here = code.counts[length] ?? 0
      if (value - here < first) return code.symbols[index + value - first] ?? malformed('compressed data')
      index += here
      first = (first + here) << 1
      value <<= 1
    }
    return malformed('compressed data')
  }

  #symbols({ literals, distances }: Codes, out: Uint8Array, from: number, most: number): number {
    const enough = this.#more ? this.#bytes.length - longestHeader : Number.POSITIVE_INFINITY
    let size = from
    while (size < most && this.#at <= enough) {
      const found = this.#symbol(literals)
      if (found < 256) {
        out[size] = found
        size += 1
        continue
      }
      if (found === 256) {
        this.#codes = undefined
        return size
      }
      const length = (lengthBase[found - 257] ?? malformed('compressed length')) + this.#bits(lengthBits[found - 257] ?? 0)
      const code = this.#symbol(distances)
      const distance = (distanceBase[code] ?? malformed('compressed distance')) + this.#bits(distanceBits[code] ?? 0)
      if (distance > size) malformed('compressed distance')
      if (size + length > out.length) malformed('compressed data is longer than allowed')
      for (let i = 0; i < length; i += 1, size += 1) out[size] = out[size - distance] as number
    }
    return size
  }

  #begin(): void {
    this.#isLast = this.#bits(1) === 1
    const kind = this.#bits(2)
    if (kind === 0) {
      this.#at = this.used
      this.#held = 0
      this.#count = 0
      const length = this.#bits(16)
      if ((length ^ this.#bits(16)) !== 0xffff) malformed('stored block')
      this.#stored = length
    } else if (kind === 1) this.#codes = fixedCodes()
    else if (kind === 2) this.#codes = this.#dynamic()
    else malformed('compressed block')
  }

  #dynamic(): Codes {
    const literals = this.#bits(5) + 257
    const distances = this.#bits(5) + 1
    const known = this.#bits(4) + 4
    if (literals > 286 || distances > 30) malformed('compressed codes')
    const lengths = new Uint8Array(19)
    for (let i = 0; i < known; i += 1) lengths[orderOfLengths[i] as number] = this.#bits(3)
    const code = codeOf(lengths)
    const all = new Uint8Array(literals + distances)
    for (let i = 0; i < all.length;) {
      const found = this.#symbol(code)
      if (found < 16) {
        all[i] = found
        i += 1
        continue
      }
      const before = i === 0 ? 0 : (all[i - 1] as number)
      if (found === 16 && i === 0) malformed('compressed codes')
      const times = found === 16 ? 3 + this.#bits(2) : found === 17 ? 3 + this.#bits(3) : 11 + this.#bits(7)
      if (i + times > all.length) malformed('compressed codes')
      all.fill(found === 16 ? before : 0, i, i + times)
      i += times
    }
    return { literals: codeOf(all.subarray(0, literals)), distances: codeOf(all.subarray(literals)) }
  }
}

/**
 * Raw DEFLATE whole in memory and never longer than `most`: a bomb ends there.
 * @returns what it held, and how many octets of `bytes` it took. @throws MalformedError
 */
export function inflate(bytes: Uint8Array, most: number): { readonly bytes: Uint8Array; readonly used: number } {
  const inflation = new Inflation(bytes)
  let room = Math.min(most, Math.max(1024, bytes.length * 4))
  let out = new Uint8Array(room + longestOver + 1)
  for (let size = 0; ;) {
    // One octet more than may be, so that the end is come to.
    size = inflation.unpack(out, size, room + 1)
    if (size > most) malformed('compressed data is longer than allowed')
    if (inflation.done) return { bytes: out.subarray(0, size), used: inflation.used }
    room = Math.min(most, room * 2)
    const wider = new Uint8Array(room + longestOver + 1)
    wider.set(out.subarray(0, size))
    out = wider
  }
}

/** zlib's wrapping (RFC 1950) without its checksum, which what is inside is never trusted by. @throws MalformedError */
export function inflateZlib(bytes: Uint8Array, most: number): Uint8Array {
  const [method = 0, flags = 0] = bytes
  if ((method & 15) !== 8 || (method * 256 + flags) % 31 !== 0 || (flags & 0x20) !== 0) malformed('not zlib')
  return inflate(bytes.subarray(2), most).bytes
}
