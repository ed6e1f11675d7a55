/**
 * A strict reader of DER: definite lengths in the fewest octets, low tag numbers, nothing left over. It never recurses by
 * itself, so that a hostile answer of an outside authority costs no more than its length.
 */

export class DerError extends Error {
  override readonly name = 'DerError'
}

export type Element = {
  /** Identifier octet. */
  readonly tag: number
  readonly contents: Uint8Array
  /** Identifier, length and contents, as received. */
  readonly encoded: Uint8Array
}

/** The one element that fills `bytes` entirely. @throws DerError */
export function readDer(bytes: Uint8Array, tag?: number): Element {
  const found = elementAt(bytes, 0)
  if (found.encoded.length !== bytes.length) throw new DerError('bytes after the element')
  if (tag !== undefined) expectTag(found, tag)
  return found
}

/** The elements inside a constructed element. @throws DerError */
export function children(parent: Element): Element[] {
  const found: Element[] = []
  for (let offset = 0; offset < parent.contents.length;) {
    const child = elementAt(parent.contents, offset)
    found.push(child)
    offset += child.encoded.length
  }
  return found
}

/** @throws DerError when absent or of another tag. */
export function expectTag(found: Element | undefined, tag: number): Element {
  if (found === undefined) throw new DerError(`element 0x${tag.toString(16)} is absent`)
  if (found.tag !== tag) throw new DerError(`element 0x${found.tag.toString(16)} where 0x${tag.toString(16)} belongs`)
  return found
}

function elementAt(bytes: Uint8Array, offset: number): Element {
  const tag = bytes[offset]
  const first = bytes[offset + 1]
  if (tag === undefined || first === undefined) throw new DerError('truncated element')
  if ((tag & 0x1f) === 0x1f) throw new DerError('high tag number')
  let start = offset + 2
  let size = first
  if (first >= 0x80) {
    const count = first & 0x7f
    if (count === 0 || count > 4) throw new DerError('indefinite or oversized length')
    size = 0
    for (let i = 0; i < count; i += 1) {
      const octet = bytes[start + i]
      if (octet === undefined) throw new DerError('truncated length')
      size = size * 256 + octet
    }
    start += count
    if (size < 0x80 || size < 256 ** (count - 1)) throw new DerError('length not in the fewest octets')
  }
  const end = start + size
  if (end > bytes.length) throw new DerError('truncated contents')
  return { tag, contents: bytes.subarray(start, end), encoded: bytes.subarray(offset, end) }
}

/** Dotted form, arcs of any size. */
export function objectIdentifierOf(found: Element | undefined): string {
  const { contents } = expectTag(found, 0x06)
  const last = contents.at(-1)
  if (last === undefined || last >= 0x80) throw new DerError('malformed object identifier')
  const arcs: bigint[] = []
  let arc = 0n
  for (const octet of contents) {
    if (arc === 0n && octet === 0x80) throw new DerError('object identifier with a padded arc')
    arc = (arc << 7n) | BigInt(octet & 0x7f)
    if (octet >= 0x80) continue
    if (arcs.length > 0) arcs.push(arc)
    else {
      const root = arc < 40n ? 0n : arc < 80n ? 1n : 2n
      arcs.push(root, arc - root * 40n)
    }
    arc = 0n
  }
  return arcs.join('.')
}

/** Magnitude of a non-negative INTEGER: lower-case hexadecimal, no leading zeros. */
export function integerHexOf(found: Element | undefined): string {
  const { contents } = expectTag(found, 0x02)
  const [first, second] = contents
  if (first === undefined) throw new DerError('empty integer')
  if (first >= 0x80) throw new DerError('negative integer')
  if (first === 0 && second !== undefined && second < 0x80) throw new DerError('integer not in the fewest octets')
  const hex = Array.from(contents, (octet) => octet.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^0+(?=.)/, '')
}

/** A small non-negative INTEGER. */
export function smallIntegerOf(found: Element | undefined): number {
  const hex = integerHexOf(found)
  if (hex.length > 12) throw new DerError('integer out of range')
  return Number.parseInt(hex, 16)
}

/** GeneralizedTime in UTC as DER writes it; fractions beyond the millisecond are cut. */
export function generalizedTimeOf(found: Element | undefined): Date {
  const text = String.fromCharCode(...expectTag(found, 0x18).contents.subarray(0, 40))
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d*[1-9]))?Z$/.exec(text)
  if (match === null) throw new DerError('malformed GeneralizedTime')
  const [, year, month, day, hours, minutes, seconds, fraction = ''] = match
  const iso = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  const at = new Date(iso)
  if (Number.isNaN(at.getTime()) || at.toISOString() !== iso) throw new DerError('impossible GeneralizedTime')
  return at
}

/** OCTET STRING, also in the constructed form that some authorities write for TSTInfo. */
export function octetsOf(found: Element | undefined): Uint8Array {
  if (found?.tag !== 0x24) return expectTag(found, 0x04).contents
  const pieces = children(found).map((piece) => expectTag(piece, 0x04).contents)
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]))
}
