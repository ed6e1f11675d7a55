import { concatBytes } from '../../../../kernel/bytes.ts'
import { malformed } from './der.ts'

/**
 * Authorities that write while they sign use indefinite lengths and OCTET STRINGs in pieces (BER, X.690 §8.1.3.6 and §8.7.3). What
 * our own packages hold is never like that: this is for the proofs of others, before the reader of DER.
 */
const deepest = 40
/** Of strings in pieces and rewritten lengths; each octet that is read allows for more, so that time and memory stay in proportion. */
const piecesOf = ({ length }: Uint8Array): number => 100_000 + length / 64

/**
 * The same elements with definite lengths in the fewest octets, and every OCTET STRING in one piece: DER as far as lengths go
 * (X.690 §10.1, §10.2). Answers the very bytes given when they were like that already, and then nothing is copied: a revocation list
 * of a million elements costs no more than its octets.
 * @throws MalformedError when they are not one whole element and padding, or nested deeper or in more pieces than any signature is.
 */
export function definiteLengths(bytes: Uint8Array): { encoded: Uint8Array; padded: boolean } {
  let left = piecesOf(bytes)
  /** Of the element that was read last: its new encoding, or undefined when it stays as it is. */
  let rewritten: Uint8Array | undefined

  /** @returns where it ends */
  function element(at: number, end: number, depth: number): number {
    if (depth > deepest) malformed('nested too deep')
    const tag = bytes[at]
    const first = bytes[at + 1]
    if (tag === undefined || first === undefined || at + 2 > end) malformed('truncated element')
    if ((tag & 0x1f) === 0x1f) malformed('high tag number')
    if (first === 0x80) {
      if ((tag & 0x20) === 0) malformed('indefinite length of a primitive element')
      return members(tag, at + 2, undefined, end, depth, true)
    }
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
    if ((tag & 0x20) !== 0) return members(tag, start, next, next, depth, !fewest || tag === 0x24)
    rewritten = fewest ? undefined : write(tag, bytes.subarray(start, next))
    return next
  }

  /** What is in a constructed element: up to `until`, or to the two zeros that end it. */
  function members(
    tag: number,
    start: number,
    until: number | undefined,
    end: number,
    depth: number,
    mustWrite: boolean,
  ): number {
    const parts: Uint8Array[] = []
    let isChanged = mustWrite
    // What stays as it is goes in one part; pieces of a string are looked at one by one.
    let from = start
    const keep = (to: number): void => {
      if (to > from) parts.push(bytes.subarray(from, to))
    }
    let at = start
    const isOver = (): boolean => (until === undefined ? bytes[at] === 0 && bytes[at + 1] === 0 && at + 2 <= end : at >= until)
    while (!isOver()) {
      const next = element(at, end, depth + 1)
      if (rewritten !== undefined || tag === 0x24) {
        left -= 1
        if (left < 0) malformed('in too many pieces')
        keep(at)
        parts.push(rewritten ?? bytes.subarray(at, next))
        from = next
        isChanged ||= rewritten !== undefined
      }
      at = next
    }
    keep(at)
    rewritten = isChanged ? whole(tag, parts) : undefined
    return until ?? at + 2
  }

  const next = element(0, bytes.length, 0)
  const encoded = rewritten ?? bytes.subarray(0, next)
  // Signatures cut out of a PDF keep the zeros of their place, and text editors end a file with a line.
  if (bytes.subarray(next).some((octet) => octet !== 0 && octet !== 0x0a && octet !== 0x0d)) malformed('bytes after the element')
  return { encoded, padded: next < bytes.length }
}

/** What stands around the members of SignedData, and they themselves, as they were received. */
export type Received = { readonly indefinite: readonly boolean[]; readonly members: readonly Uint8Array[] }

/** ContentInfo, its [0], SignedData: the second and only member down to the last. @param bytes that {@link definiteLengths} could read */
export function receivedForm(bytes: Uint8Array): Received {
  const indefinite: boolean[] = []
  let members = [bytes]
  for (const which of [0, 1, 0]) {
    const holder = members[which] ?? malformed('members')
    indefinite.push(holder[1] === 0x80)
    members = membersOf(holder)
  }
  return { indefinite, members }
}

function membersOf(holder: Uint8Array): Uint8Array[] {
  const first = holder[1] ?? 0
  const end = first === 0x80 ? holder.length - 2 : holder.length
  const members: Uint8Array[] = []
  for (let at = first > 0x80 ? 2 + (first & 0x7f) : 2; at < end;) {
    const next = endOf(holder, at)
    members.push(holder.subarray(at, next))
    at = next
  }
  return members
}

function endOf(bytes: Uint8Array, from: number): number {
  let at = from
  // Elements of indefinite length that are open: their ends are counted, not nested.
  for (let open = 0; ;) {
    const first = bytes[at + 1] ?? malformed('truncated element')
    if (bytes[at] === 0 && first === 0) open -= 1
    else if (first === 0x80) open += 1
    let size = first < 0x80 ? first : 0
    const count = first > 0x80 ? first & 0x7f : 0
    for (let i = 0; i < count; i += 1) size = size * 256 + (bytes[at + 2 + i] ?? 0)
    at += 2 + count + size
    if (open === 0) return at
  }
}

function whole(tag: number, parts: readonly Uint8Array[]): Uint8Array {
  if (tag !== 0x24) return write(tag, joined(parts))
  // Pieces were made whole before: each is a primitive OCTET STRING of definite length.
  return write(0x04, joined(parts.map((part) => (part[0] === 0x04 ? contentsOf(part) : malformed('piece of a string')))))
}

/** Of more parts than a call takes arguments. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  parts.reduce((at, part) => (out.set(part, at), at + part.length), 0)
  return out
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
