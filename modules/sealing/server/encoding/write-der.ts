import { concatBytes } from '../../../../kernel/bytes.ts'

/**
 * A writer of DER (ITU-T X.690 §10–11), the few types that certificates, CMS and RFC 3161 need. Own, because the libraries at
 * hand write a constructed OCTET STRING for TSTInfo and leave SET OF unsorted (decision 0050).
 */

/** One encoded element: identifier octet, definite length in the fewest octets, contents. */
function element(tag: number, ...contents: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const body = concatBytes(...contents)
  return concatBytes(Uint8Array.of(tag), length(body.length), body)
}

function length(value: number): Uint8Array {
  if (value < 0x80) return Uint8Array.of(value)
  const octets: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return Uint8Array.of(0x80 | octets.length, ...octets)
}

export const sequence = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => element(0x30, ...parts)

/** SET OF, its elements in ascending order of their encodings (X.690 §11.6). */
export const setOf = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => element(0x31, ...parts.toSorted(compareOctets))

/** Context tag `[number]` around whole elements: EXPLICIT, or IMPLICIT over a constructed type's contents. */
export const contextConstructed = (number: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  element(0xa0 | number, ...parts)

/** Context tag `[number] IMPLICIT` over a primitive type's contents. */
export const contextPrimitive = (number: number, contents: Uint8Array): Uint8Array<ArrayBuffer> =>
  element(0x80 | number, contents)

/** Replaces the identifier octet: `[0] IMPLICIT SET OF` and `SET OF` differ in nothing else (RFC 5652 §5.4). */
export function retag(encoded: Uint8Array, tag: number): Uint8Array<ArrayBuffer> {
  const out = Uint8Array.from(encoded)
  out[0] = tag
  return out
}

/** Non-negative INTEGER from a number, or from its big-endian octets. */
export function integer(value: number | Uint8Array): Uint8Array<ArrayBuffer> {
  const octets = typeof value === 'number' ? numberOctets(value) : [...value]
  while (octets.length > 1 && octets[0] === 0) octets.shift()
  if (octets.length === 0) octets.push(0)
  if ((octets[0] ?? 0) >= 0x80) octets.unshift(0)
  return element(0x02, Uint8Array.from(octets))
}

function numberOctets(value: number): number[] {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('not a non-negative safe integer')
  const octets: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return octets
}

/** `true`; DER never writes a `false` that is the default. */
export const booleanTrue = (): Uint8Array<ArrayBuffer> => element(0x01, Uint8Array.of(0xff))

export const octetString = (octets: Uint8Array): Uint8Array<ArrayBuffer> => element(0x04, octets)

export const bitString = (octets: Uint8Array): Uint8Array<ArrayBuffer> => element(0x03, Uint8Array.of(0), octets)

/** BIT STRING of named bits, trailing zero bits removed (X.690 §11.2.2). */
export function namedBits(bits: readonly number[]): Uint8Array<ArrayBuffer> {
  const highest = Math.max(...bits)
  const octets = new Uint8Array((highest >> 3) + 1)
  for (const bit of bits) octets[bit >> 3] = (octets[bit >> 3] ?? 0) | (0x80 >> (bit & 7))
  return element(0x03, Uint8Array.of(7 - (highest & 7)), octets)
}

export const utf8String = (text: string): Uint8Array<ArrayBuffer> => element(0x0c, new TextEncoder().encode(text))

/** Dotted OBJECT IDENTIFIER; arcs may exceed 64 bits, as those under 2.25 do (ITU-T X.667). */
export function objectIdentifier(dotted: string): Uint8Array<ArrayBuffer> {
  const [first = 0n, second = 0n, ...rest] = dotted.split('.').map(BigInt)
  return element(0x06, Uint8Array.from([first * 40n + second, ...rest].flatMap(base128)))
}

function base128(arc: bigint): number[] {
  const octets = [Number(arc & 0x7fn)]
  for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) octets.unshift(Number(rest & 0x7fn) | 0x80)
  return octets
}

/** UTCTime to the second (RFC 5280 §4.1.2.5.1); for years 1950–2049 only. */
const utcTime = (at: Date): Uint8Array<ArrayBuffer> => element(0x17, new TextEncoder().encode(`${compact(at).slice(2)}Z`))

/** GeneralizedTime in UTC; the fraction without trailing zeros, absent when zero (X.690 §11.7, RFC 3161 §2.4.2). */
export function generalizedTime(at: Date, precision: 'seconds' | 'milliseconds' = 'seconds'): Uint8Array<ArrayBuffer> {
  const millis = at.getUTCMilliseconds()
  const fraction = precision === 'seconds' || millis === 0 ? '' : `.${String(millis).padStart(3, '0').replace(/0+$/, '')}`
  return element(0x18, new TextEncoder().encode(`${compact(at)}${fraction}Z`))
}

/** UTCTime through 2049, GeneralizedTime after: the rule of RFC 5280 §4.1.2.5 and of RFC 5652 §11.3. */
export const time = (at: Date): Uint8Array<ArrayBuffer> => (at.getUTCFullYear() < 2050 ? utcTime(at) : generalizedTime(at))

/** `YYYYMMDDHHMMSS` */
const compact = (at: Date): string => at.toISOString().slice(0, 19).replace(/[-:T]/g, '')

function compareOctets(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
