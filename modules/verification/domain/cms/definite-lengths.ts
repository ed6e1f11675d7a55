import { concatBytes } from '../../../../kernel/bytes.ts'
import { malformed } from '../der.ts'

/**
 * Authorities that write while they sign use indefinite lengths and OCTET STRINGs in pieces (BER, X.690 §8.1.3.6 and §8.7.3). What
 * our own packages hold is never like that: this is for the proofs of others, before the reader of DER.
 */
const deepest = 40
const mostElements = 100_000

/**
 * The same elements with definite lengths in the fewest octets, and every OCTET STRING in one piece: DER as far as lengths go
 * (X.690 §10.1, §10.2). Answers the very bytes given when they were like that already.
 * @throws MalformedError when they are not one whole element and padding, or nested deeper or in more pieces than any signature is.
 */
export function definiteLengths(bytes: Uint8Array): { encoded: Uint8Array; padded: boolean } {
  let left = mostElements

  function element(at: number, end: number, depth: number): { encoded: Uint8Array; next: number } {
    left -= 1
    if (depth > deepest || left < 0) malformed('nested too deep')
    const tag = bytes[at]
    const first = bytes[at + 1]
    if (tag === undefined || first === undefined || at + 2 > end) malformed('truncated element')
    if ((tag & 0x1f) === 0x1f) malformed('high tag number')
    if (first === 0x80) return indefinite(tag, at, end, depth)
    let start = at + 2
    let size = first
    if (first > 0x80) {
      const count = first & 0x7f
      if (count > 8) malformed('oversized length')
      size = 0
      for (let i = 0; i < count; i += 1) size = size * 256 + (bytes[start + i] ?? malformed('truncated length'))
      start += count
    }
    const next = start + size
    if (next > end) malformed('truncated contents')
    const fewest = start - at === headLength(size)
    if ((tag & 0x20) === 0) return { encoded: fewest ? bytes.subarray(at, next) : write(tag, bytes.subarray(start, next)), next }
    const parts: Uint8Array[] = []
    let same = fewest && tag !== 0x24
    for (let inner = start; inner < next;) {
      const part = element(inner, next, depth + 1)
      same &&= part.encoded.length === part.next - inner && part.encoded.buffer === bytes.buffer
      parts.push(part.encoded)
      inner = part.next
    }
    return { encoded: same ? bytes.subarray(at, next) : whole(tag, parts), next }
  }

  function indefinite(tag: number, at: number, end: number, depth: number): { encoded: Uint8Array; next: number } {
    if ((tag & 0x20) === 0) malformed('indefinite length of a primitive element')
    const parts: Uint8Array[] = []
    let inner = at + 2
    while (bytes[inner] !== 0 || bytes[inner + 1] !== 0 || inner + 2 > end) {
      const part = element(inner, end, depth + 1)
      parts.push(part.encoded)
      inner = part.next
    }
    return { encoded: whole(tag, parts), next: inner + 2 }
  }

  const { encoded, next } = element(0, bytes.length, 0)
  // Signatures cut out of a PDF keep the zeros of their place, and text editors end a file with a line.
  if (bytes.subarray(next).some((octet) => octet !== 0 && octet !== 0x0a && octet !== 0x0d)) malformed('bytes after the element')
  return { encoded, padded: next < bytes.length }
}

function whole(tag: number, parts: readonly Uint8Array[]): Uint8Array {
  if (tag !== 0x24) return write(tag, concatBytes(...parts))
  // Pieces were made whole before: each is a primitive OCTET STRING of definite length.
  return write(0x04, concatBytes(...parts.map((part) => (part[0] === 0x04 ? contentsOf(part) : malformed('piece of a string')))))
}

function contentsOf(encoded: Uint8Array): Uint8Array {
  const first = encoded[1] ?? 0
  return encoded.subarray(first < 0x80 ? 2 : 2 + (first & 0x7f))
}

function headLength(size: number): number {
  let octets = 2
  if (size >= 0x80) for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) octets += 1
  return octets
}

function write(tag: number, contents: Uint8Array): Uint8Array {
  const head = [tag]
  if (contents.length < 0x80) head.push(contents.length)
  else {
    const size: number[] = []
    for (let rest = contents.length; rest > 0; rest = Math.floor(rest / 256)) size.unshift(rest % 256)
    head.push(0x80 | size.length, ...size)
  }
  return concatBytes(Uint8Array.from(head), contents)
}
