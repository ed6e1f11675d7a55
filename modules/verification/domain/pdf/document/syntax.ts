import { malformed } from '../../encoding/der.ts'

/** Objects of ISO 32000-2 §7.3. A stream is a dictionary with the place where its bytes start, and the object that it is. */
export type PdfName = { readonly name: string }
export type PdfString = {
  readonly octets: Uint8Array
  /** Where it stands in the file, its delimiters included; meaningless inside an object stream. */
  readonly start: number
  readonly end: number
  readonly hexadecimal: boolean
  /** In an encrypted document: it is not enciphered. */
  readonly asItStands?: true
}
export type PdfReference = { readonly reference: number; readonly generation: number }
export type PdfDictionary = {
  readonly entries: ReadonlyMap<string, PdfValue>
  /** A key twice: readers differ on which one counts (ISO 32000-2 §7.3.7). */
  readonly ambiguous: boolean
  readonly start: number
  readonly end: number
  readonly stream?: StreamPlace
}
export type StreamPlace = { readonly start: number; readonly number: number; readonly generation: number }
export type PdfValue =
  | null
  | boolean
  | number
  | PdfName
  | PdfString
  | PdfReference
  | PdfDictionary
  | readonly PdfValue[]
  | { readonly keyword: string }

/** The value itself, or what a reference leads to. */
export type Resolve = (value: PdfValue | undefined) => Promise<PdfValue | undefined>

export const isDictionary = (value: PdfValue | undefined): value is PdfDictionary =>
  typeof value === 'object' && value !== null && 'entries' in value && value.entries instanceof Map
export const isReference = (value: PdfValue | undefined): value is PdfReference =>
  typeof value === 'object' && value !== null && 'reference' in value
export const isList = (value: PdfValue | undefined): value is readonly PdfValue[] => Array.isArray(value)
export const isString = (value: PdfValue | undefined): value is PdfString =>
  typeof value === 'object' && value !== null && 'octets' in value
export const nameOf = (value: PdfValue | undefined): string | undefined =>
  typeof value === 'object' && value !== null && 'name' in value ? value.name : undefined
const isKeyword = (value: PdfValue, word: string): boolean =>
  typeof value === 'object' && value !== null && 'keyword' in value && value.keyword === word

/** The bytes that were read end inside an object; more of the file may hold the rest. */
export class NeedsMore extends Error {
  override readonly name = 'NeedsMore'
}
const more = (): never => {
  throw new NeedsMore('an object goes on')
}

const deepest = 64
const space = new Set([0, 9, 10, 12, 13, 32])
const delimiter = new Set([0x28, 0x29, 0x3c, 0x3e, 0x5b, 0x5d, 0x7b, 0x7d, 0x2f, 0x25])
const isDigit = (octet: number | undefined): boolean => octet !== undefined && octet >= 0x30 && octet <= 0x39
const regular = Uint8Array.from({ length: 256 }, (_, octet) => (space.has(octet) || delimiter.has(octet) ? 0 : 1))

export type PdfParser = {
  /** Next object; a lone word is a keyword. @throws MalformedError or NeedsMore */
  value(): PdfValue
  skipSpace(): void
  position(): number
  /** After the word `stream` and its line end. */
  seek(at: number): void
}

/** @param base offset of `bytes` in the file. @param whole nothing follows `bytes`. */
export function createParser(bytes: Uint8Array, start = 0, base = 0, whole = false): PdfParser {
  let at = start
  const here = (): number => bytes[at] ?? more()

  function skipSpace(): void {
    for (;;) {
      const octet = bytes[at]
      if (octet === undefined) return
      if (space.has(octet)) at += 1
      else if (octet === 0x25) while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at += 1
      else return
    }
  }
  function word(longest = 127): string {
    const from = at
    while (regular[here()] === 1) at += 1
    if (at - from > longest) malformed('a word too long')
    return units(bytes.subarray(from, at))
  }
  function name(): PdfName {
    at += 1
    // Each of its 127 octets may be written `#41` (ISO 32000-1 Annex C).
    return {
      name: word(3 * 127).replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    }
  }
  function hexString(): PdfString {
    const from = at
    at += 1
    const octets: number[] = []
    let half = -1
    for (let octet = here(); octet !== 0x3e; at += 1, octet = here()) {
      if (space.has(octet)) continue
      const digit = hexDigit(octet)
      if (half < 0) half = digit
      else {
        octets.push(half * 16 + digit)
        half = -1
      }
    }
    at += 1
    if (half >= 0) octets.push(half * 16)
    return { octets: Uint8Array.from(octets), start: base + from, end: base + at, hexadecimal: true }
  }
  function literalString(): PdfString {
    const from = at
    const octets: number[] = []
    at += 1
    for (let open = 1; open > 0; at += 1) {
      const octet = here()
      if (octet === 0x5c) {
        at += 1
        octets.push(...escaped())
        continue
      }
      if (octet === 0x28) open += 1
      else if (octet === 0x29) open -= 1
      if (open > 0) octets.push(octet)
    }
    return { octets: Uint8Array.from(octets), start: base + from, end: base + at, hexadecimal: false }
  }
  function escaped(): number[] {
    const octet = here()
    const known = escapes[octet]
    if (known !== undefined) return [known]
    if (octet === 13) {
      if (bytes[at + 1] === 10) at += 1
      return []
    }
    if (octet === 10) return []
    if (octet < 0x30 || octet > 0x37) return [octet]
    let value = 0
    let digits = 0
    for (let next = octet; digits < 3 && next >= 0x30 && next <= 0x37; next = bytes[at + digits] ?? more()) {
      value = value * 8 + next - 0x30
      digits += 1
    }
    at += digits - 1
    return [value & 0xff]
  }
  function list(depth: number): PdfValue[] {
    at += 1
    const found: PdfValue[] = []
    for (;;) {
      skipSpace()
      if (here() === 0x5d) {
        at += 1
        return found
      }
      found.push(read(depth + 1))
    }
  }
  function dictionary(depth: number): PdfDictionary {
    const from = at
    at += 2
    const entries = new Map<string, PdfValue>()
    let ambiguous = false
    for (;;) {
      skipSpace()
      if (here() === 0x3e) {
        at += 1
        if (here() !== 0x3e) malformed('end of a dictionary')
        at += 1
        return { entries, ambiguous, start: base + from, end: base + at }
      }
      if (here() !== 0x2f) malformed('key of a dictionary')
      const key = name().name
      const value = read(depth + 1)
      if (entries.has(key)) ambiguous = true
      entries.set(key, value)
    }
  }
  /** Passes over ` 0 R`, within 32 octets; null, and nowhere, when that is not there. By octets: a report has 100,000 numbers. */
  function generationHere(): number | null {
    const end = Math.min(at + 32, bytes.length)
    let next = at
    const spaces = (): boolean => {
      const from = next
      while (next < end && space.has(bytes[next] ?? -1)) next += 1
      return next > from
    }
    if (!spaces()) return null
    let generation = 0
    const from = next
    for (; next < end && isDigit(bytes[next]); next += 1) generation = generation * 10 + (bytes[next] ?? 0) - 0x30
    if (next === from || next - from > 5 || !spaces() || next >= end || bytes[next] !== 0x52) return null
    if (next + 1 < end && regular[bytes[next + 1] ?? 0] === 1) return null
    at = next + 1
    return generation
  }
  /** `12 0 R` and `12` start alike. */
  function number(text: string): PdfValue {
    const value = Number(text)
    if (!/^\d{1,10}$/.test(text)) return value
    const generation = generationHere()
    if (generation === null && !whole && at + 32 > bytes.length) more()
    return generation === null ? value : { reference: value, generation }
  }
  function read(depth: number): PdfValue {
    if (depth > deepest) malformed('objects nested too deep')
    skipSpace()
    const octet = here()
    if (octet === 0x2f) return name()
    if (octet === 0x28) return literalString()
    if (octet === 0x5b) return list(depth)
    if (octet === 0x3c) return (bytes[at + 1] ?? more()) === 0x3c ? dictionary(depth) : hexString()
    if (delimiter.has(octet)) malformed('an object starts with a delimiter')
    const text = word()
    if (/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text)) return number(text)
    if (text === 'true' || text === 'false') return text === 'true'
    return text === 'null' ? null : { keyword: text }
  }
  return {
    value: () => read(0),
    skipSpace,
    position: () => base + at,
    seek: (to) => {
      at = to - base
    },
  }
}

const escapes: Readonly<Record<number, number>> = { 0x6e: 10, 0x72: 13, 0x74: 9, 0x62: 8, 0x66: 12 }

function hexDigit(octet: number): number {
  if (octet >= 0x30 && octet <= 0x39) return octet - 0x30
  const lower = octet | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : malformed('hexadecimal string')
}

/** By `apply`, which takes the array as it is: spread calls its iterator for each octet, ten times slower. */
const units = (bytes: Uint8Array): string => String.fromCharCode.apply(null, bytes as unknown as number[])

/** One unit per octet. */
export function latin(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 8192) parts.push(units(bytes.subarray(at, at + 8192)))
  return parts.join('')
}

export type IndirectObject = {
  readonly number: number
  readonly generation: number
  readonly value: PdfValue
  readonly end: number
}

/** `12 0 obj … endobj`; of a stream, the place where its bytes start. @throws MalformedError or NeedsMore */
export function readIndirect(bytes: Uint8Array, base: number, whole: boolean): IndirectObject {
  const parser = createParser(bytes, 0, base, whole)
  const [number, generation, word] = [parser.value(), parser.value(), parser.value()]
  if (typeof number !== 'number' || typeof generation !== 'number' || !isKeyword(word, 'obj')) malformed('not an object')
  const value = parser.value()
  if (!isDictionary(value)) return { number, generation, value, end: parser.position() }
  parser.skipSpace()
  const after = parser.position()
  const next = latin(bytes.subarray(after - base, after - base + 8))
  if (next.length < 8) more()
  if (!next.startsWith('stream')) return { number, generation, value, end: after }
  const start = after + (next.startsWith('stream\r\n') ? 8 : 7)
  return { number, generation, value: { ...value, stream: { start, number, generation } }, end: start }
}
