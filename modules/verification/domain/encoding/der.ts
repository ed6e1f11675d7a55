/**
 * A strict reader of DER (ITU-T X.690): definite lengths in the fewest octets, low tag numbers, nothing left over. It never
 * recurses by itself: hostile bytes cost no more than their length. It shares no code with the writer of the sealing module.
 */
export type Der = {
  readonly tag: number
  readonly contents: Uint8Array
  /** Identifier, length and contents as received. */
  readonly encoded: Uint8Array
}

/** Anything wrong with bytes that were handed to us; verification turns it into a failed check. */
export class MalformedError extends Error {
  override readonly name = 'MalformedError'
}

/** @throws MalformedError */
export function malformed(reason: string): never {
  throw new MalformedError(reason)
}

const mostChildren = 4096

/** The one element that fills `bytes`. @throws MalformedError */
export function readDer(bytes: Uint8Array, tag: number): Der {
  const found = elementAt(bytes, 0)
  if (found.encoded.length !== bytes.length) malformed('bytes after the element')
  return tagged(found, tag)
}

/** Elements inside a constructed one. @param most that may be there. @throws MalformedError */
export function children(parent: Der, most = mostChildren): Der[] {
  if ((parent.tag & 0x20) === 0) malformed('not a constructed element')
  const found: Der[] = []
  for (let offset = 0; offset < parent.contents.length;) {
    const child = elementAt(parent.contents, offset)
    found.push(child)
    offset += child.encoded.length
    if (found.length > most) malformed('too many elements')
  }
  return found
}

/** Members of a SEQUENCE. @throws MalformedError when there are fewer or more than told. */
export function sequence(found: Der | undefined, least: number, most = least): Der[] {
  const members = children(tagged(found, 0x30))
  if (members.length < least || members.length > most) malformed(`${members.length} members in a sequence`)
  return members
}

export function tagged(found: Der | undefined, tag: number): Der {
  if (found === undefined) malformed('an element is absent')
  if (found.tag !== tag) malformed(`tag ${found.tag} where ${tag} belongs`)
  return found
}

/** The one child of an explicitly tagged element. */
export function explicit(found: Der | undefined, tag: number): Der {
  const [inner, second] = children(tagged(found, tag))
  if (inner === undefined || second !== undefined) malformed('an explicit tag holds one element')
  return inner
}

function elementAt(bytes: Uint8Array, offset: number): Der {
  const tag = bytes[offset]
  const first = bytes[offset + 1]
  if (tag === undefined || first === undefined) malformed('truncated element')
  if ((tag & 0x1f) === 0x1f) malformed('high tag number')
  let start = offset + 2
  let size = first
  if (first >= 0x80) {
    const count = first & 0x7f
    if (count === 0 || count > 4) malformed('indefinite or oversized length')
    size = 0
    for (let i = 0; i < count; i += 1) size = size * 256 + (bytes[start + i] ?? malformed('truncated length'))
    start += count
    if (size < 0x80 || size < 256 ** (count - 1)) malformed('length not in the fewest octets')
  }
  const end = start + size
  if (end > bytes.length) malformed('truncated contents')
  return { tag, contents: bytes.subarray(start, end), encoded: bytes.subarray(offset, end) }
}

/** Dotted form. */
export function oidOf(found: Der | undefined): string {
  const { contents } = tagged(found, 0x06)
  if (contents.length === 0 || contents.length > 64 || (contents.at(-1) ?? 0x80) >= 0x80) malformed('object identifier')
  const arcs: bigint[] = []
  let arc = 0n
  let begun = false
  for (const octet of contents) {
    if (!begun && octet === 0x80) malformed('padded arc')
    begun = octet >= 0x80
    arc = (arc << 7n) | BigInt(octet & 0x7f)
    if (begun) continue
    if (arcs.length === 0) {
      const root = arc < 40n ? 0n : arc < 80n ? 1n : 2n
      arcs.push(root, arc - root * 40n)
    } else arcs.push(arc)
    arc = 0n
  }
  return arcs.join('.')
}

/** Octets of a non-negative INTEGER, without the sign octet. */
export function integerOctets(found: Der | undefined): Uint8Array {
  const { contents } = tagged(found, 0x02)
  const [first, second] = contents
  if (first === undefined || first >= 0x80) malformed('not a non-negative integer')
  if (first === 0 && second !== undefined && second < 0x80) malformed('padded integer')
  return first === 0 && contents.length > 1 ? contents.subarray(1) : contents
}

/** Contents of an INTEGER of either sign, of any length, as it is written: how serial numbers of others are compared. */
export function integerContents(found: Der | undefined): Uint8Array {
  return tagged(found, 0x02).contents
}

/** Lower-case hexadecimal without leading zeros, as the seal record writes serial numbers. */
export function integerHex(found: Der | undefined): string {
  const hex = Array.from(integerOctets(found), (octet) => octet.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^0+(?=.)/, '')
}

export function smallInteger(found: Der | undefined): number {
  const octets = integerOctets(found)
  if (octets.length > 4) malformed('integer out of range')
  return octets.reduce((value, octet) => value * 256 + octet, 0)
}

/** OCTET STRING; also constructed, as some authorities write TSTInfo. */
export function octets(found: Der | undefined): Uint8Array {
  if (found?.tag !== 0x24) return tagged(found, 0x04).contents
  const parts = children(found).map((part) => tagged(part, 0x04).contents)
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0)
  return whole
}

/** Times as certificates of before RFC 3280 and some authorities write them: no seconds, trailing zeros, an offset (X.690 §11.7 not kept). */
export function anyTimeOf(found: Der | undefined): Date {
  if (found === undefined || found.contents.length > 40) malformed('time')
  const text = String.fromCharCode(...found.contents)
  const full = found.tag === 0x17 ? (Number(text.slice(0, 2)) < 50 ? '20' : '19') + text : tagged(found, 0x18) && text
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:[.,](\d+))?(?:Z|([+-])(\d\d)(\d\d))$/.exec(full)
  if (match === null) malformed('time')
  const [, year, month, day, hours, minutes, seconds = '00', fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = match
  const iso = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  const at = new Date(iso)
  if (Number.isNaN(at.getTime()) || at.toISOString() !== iso) malformed('impossible time')
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000
  return new Date(at.getTime() - (sign === '-' ? -offset : offset))
}

/** BIT STRING of whole octets. */
export function bitOctets(found: Der | undefined): Uint8Array {
  const { contents } = tagged(found, 0x03)
  if (contents[0] !== 0) malformed('bit string with unused bits')
  return contents.subarray(1)
}

export function boolean(found: Der): boolean {
  const { contents } = tagged(found, 0x01)
  if (contents.length !== 1 || (contents[0] !== 0xff && contents[0] !== 0)) malformed('boolean')
  return contents[0] === 0xff
}

/** UTCTime or GeneralizedTime in UTC; fractions are cut to the millisecond. */
export function timeOf(found: Der | undefined): Date {
  if (found === undefined || found.contents.length > 40) malformed('time')
  const text = String.fromCharCode(...found.contents)
  const full = found.tag === 0x17 ? (Number(text.slice(0, 2)) < 50 ? '20' : '19') + text : tagged(found, 0x18) && text
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d*[1-9]))?Z$/.exec(full)
  if (match === null || (found.tag === 0x17 && match[7] !== undefined)) malformed('time')
  const [, year, month, day, hours, minutes, seconds, fraction = ''] = match
  const iso = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  const at = new Date(iso)
  if (Number.isNaN(at.getTime()) || at.toISOString() !== iso) malformed('impossible time')
  return at
}

/** AlgorithmIdentifier whose parameters are absent or NULL. */
export function plainAlgorithm(found: Der | undefined): string {
  const [id, parameters] = sequence(found, 1, 2)
  if (parameters !== undefined && tagged(parameters, 0x05).contents.length > 0) malformed('algorithm parameters')
  return oidOf(id)
}
