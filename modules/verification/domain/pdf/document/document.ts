import { malformed } from '../../encoding/der.ts'
import { VerificationStopped } from '../../file/readable.ts'
import type { Readable } from '../../file/readable.ts'
import { decode, largestStream } from './decode-stream.ts'
import { createParser, isDictionary, isList, isReference, latin, nameOf, NeedsMore, readIndirect } from './syntax.ts'
import type { PdfDictionary, PdfValue, Resolve } from './syntax.ts'

/** Where an object stands (ISO 32000-2 §7.5.4, §7.5.8). `key` is equal for the same place. */
export type Place =
  | { readonly kind: 'free' }
  | { readonly kind: 'offset'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'stream'; readonly container: number; readonly index: number }

/** One cross-reference section: what one revision adds. */
export type Section = {
  readonly at: number
  readonly places: ReadonlyMap<number, Place>
  readonly trailer: ReadonlyMap<string, PdfValue>
  /** Object number of the cross-reference stream itself. */
  readonly own: number | undefined
}

const mostSections = 512
const mostPlaces = 1_000_000
const largestObject = 16 << 20
const pageBytes = 1 << 16
const mostPages = 256

export type PdfDocument = {
  readonly size: number
  read(offset: number, length: number): Promise<Uint8Array>
  /** The object that starts at an offset. @throws MalformedError */
  objectAt(offset: number): ReturnType<typeof parseAt>
  /** Bytes of a stream as they stand, in clear. @throws MalformedError */
  rawStream(dictionary: PdfDictionary, resolve: Resolve, most?: number): Promise<Uint8Array>
  /** Decoded, when it is not compressed or by Flate alone; `most`: octets, both as they stand and decoded. @throws MalformedError */
  stream(dictionary: PdfDictionary, resolve: Resolve, most?: number): Promise<Uint8Array>
}

/** Reads a PDF by ranges: nothing is held but the objects asked for and some pages of the file. */
export function openDocument(file: Readable, signal: { readonly aborted: boolean } | undefined): PdfDocument {
  const pages = new Map<number, Uint8Array>()
  async function page(number: number): Promise<Uint8Array> {
    const known = pages.get(number)
    if (known !== undefined) return known
    if (signal?.aborted === true) throw new VerificationStopped('stopped')
    const from = number * pageBytes
    const bytes = await file.read(from, Math.min(pageBytes, file.size - from))
    if (pages.size >= mostPages) pages.delete(pages.keys().next().value as number)
    pages.set(number, bytes)
    return bytes
  }
  async function read(offset: number, length: number): Promise<Uint8Array> {
    if (offset < 0 || length < 0 || offset + length > file.size) malformed('past the end of the file')
    const first = Math.floor(offset / pageBytes)
    if (length > pageBytes) return await file.read(offset, length)
    const start = await page(first)
    const from = offset - first * pageBytes
    if (from + length <= start.length) return start.subarray(from, from + length)
    const out = new Uint8Array(length)
    out.set(start.subarray(from))
    out.set((await page(first + 1)).subarray(0, from + length - start.length), start.length - from)
    return out
  }
  async function rawStream(dictionary: PdfDictionary, resolve: Resolve, most = largestStream): Promise<Uint8Array> {
    const length = await resolve(dictionary.entries.get('Length'))
    if (dictionary.stream === undefined || typeof length !== 'number' || length < 0 || length > most)
      malformed('length of a stream')
    return await read(dictionary.stream.start, length)
  }
  return {
    size: file.size,
    read,
    objectAt: (offset) => parseAt(read, file.size, offset),
    rawStream,
    stream: async (dictionary, resolve, most = largestStream) =>
      decode(await rawStream(dictionary, resolve, most), dictionary, resolve, most),
  }
}

async function parseAt(read: PdfDocument['read'], size: number, offset: number) {
  if (!Number.isSafeInteger(offset) || offset < 0 || offset >= size) malformed('an offset past the end of the file')
  for (let length = 1024; ; length *= 8) {
    const available = Math.min(length, size - offset)
    const whole = available === size - offset
    try {
      return readIndirect(await read(offset, available), offset, whole)
    } catch (error) {
      if (!(error instanceof NeedsMore)) throw error
      if (whole || length > largestObject) malformed('an object without end')
    }
  }
}

/** The offset that the last `startxref` before `end` names. @throws MalformedError */
export async function startOfCrossReference(document: PdfDocument, end: number): Promise<number> {
  const length = Math.min(2048, end)
  const tail = latin(await document.read(end - length, length))
  const at = tail.lastIndexOf('startxref')
  const match = at < 0 ? null : /^startxref[\0\t\n\f\r ]+(\d{1,15})[\0\t\n\f\r ]+%%EOF/.exec(tail.slice(at))
  return match === null ? malformed('no startxref') : Number(match[1])
}

/**
 * The sections of a file, newest first, by following `Prev` from `startxref` (§7.5.5, §7.5.6): what a reader that does not repair
 * sees. @throws MalformedError
 */
export async function readSections(document: PdfDocument, start: number): Promise<Section[]> {
  const sections: Section[] = []
  const seen = new Set<number>()
  let places = 0
  for (let at: number | undefined = start; at !== undefined;) {
    if (seen.has(at) || sections.length >= mostSections) malformed('cross-references in a circle')
    seen.add(at)
    const section: Section = await readSection(document, at)
    sections.push(section)
    const previous = section.trailer.get('Prev')
    const hybrid = section.own === undefined ? section.trailer.get('XRefStm') : undefined
    if (typeof hybrid === 'number') {
      // §7.5.8.4: what the table calls free, its stream may say.
      const stream = await readSection(document, hybrid)
      sections[sections.length - 1] = { ...section, places: new Map([...stream.places, ...inUse(section.places)]) }
    }
    places += (sections.at(-1) as Section).places.size
    if (places > mostPlaces) malformed('too many objects')
    at = previous === undefined ? undefined : typeof previous === 'number' ? previous : malformed('Prev')
  }
  return sections
}

const inUse = (places: ReadonlyMap<number, Place>): [number, Place][] => [...places].filter(([, { kind }]) => kind !== 'free')

async function readSection(document: PdfDocument, at: number): Promise<Section> {
  if (at < 0 || at >= document.size) malformed('an offset past the end of the file')
  const head = latin(await document.read(at, Math.min(16, document.size - at)))
  // Some point at the line end before it, which every reader passes over.
  const spaces = /^[\0\t\n\f\r ]*/.exec(head)?.[0].length ?? 0
  return head.startsWith('xref', spaces)
    ? { ...(await readTable(document, at + spaces)), at }
    : await readCrossReferenceStream(document, at)
}

async function readTable(document: PdfDocument, at: number): Promise<Section> {
  const places = new Map<number, Place>()
  let offset = at + 4
  for (;;) {
    const room = Math.min(64, document.size - offset)
    const head = latin(await document.read(offset, room))
    const match = /^[\0\t\n\f\r ]*(\d{1,10})[ \t]+(\d{1,10})[\0\t\f ]*(?:\r\n|\n|\r)/.exec(head)
    if (match === null) break
    const [first, count] = [Number(match[1]), Number(match[2])]
    if (places.size + count > mostPlaces) malformed('too many objects')
    offset += match[0].length
    for (let i = 0; i < count; i += 1, offset += 20) {
      const entry = /^(\d{10}) (\d{5}) ([nf])[ \r\n]{2}$/.exec(latin(await document.read(offset, 20)))
      if (entry === null) malformed('an entry of a cross-reference table')
      const place: Place =
        entry[3] === 'f' ? { kind: 'free' } : { kind: 'offset', offset: Number(entry[1]), generation: Number(entry[2]) }
      places.set(first + i, place)
    }
  }
  for (let length = 1024; ; length *= 8) {
    const available = Math.min(length, document.size - offset)
    const parser = createParser(await document.read(offset, available), 0, offset, available < length)
    try {
      const word = parser.value()
      if (word === null || typeof word !== 'object' || !('keyword' in word) || word.keyword !== 'trailer') malformed('no trailer')
      const trailer = parser.value()
      if (!isDictionary(trailer) || trailer.ambiguous) malformed('trailer')
      return { at, places, trailer: trailer.entries, own: undefined }
    } catch (error) {
      if (!(error instanceof NeedsMore)) throw error
      if (available < length || length > largestObject) malformed('a trailer without end')
    }
  }
}

async function readCrossReferenceStream(document: PdfDocument, at: number): Promise<Section> {
  const { value, number } = await document.objectAt(at)
  if (!isDictionary(value) || nameOf(value.entries.get('Type')) !== 'XRef' || value.ambiguous) malformed('not a cross-reference')
  // §7.5.8.2: its values are direct.
  const bytes = await document.stream(value, async (each) => (isReference(each) ? malformed('indirect value') : each))
  const widths = value.entries.get('W')
  const size = value.entries.get('Size')
  if (!isList(widths) || widths.length < 3 || typeof size !== 'number') malformed('cross-reference stream')
  const [w0 = 0, w1 = 0, w2 = 0] = widths.map((each) =>
    typeof each === 'number' && Number.isInteger(each) && each >= 0 && each <= 7 ? each : malformed('widths'),
  )
  const row = w0 + w1 + w2
  const index = value.entries.get('Index') ?? [0, size]
  if (!isList(index) || index.length % 2 !== 0 || row === 0) malformed('index')
  const places = new Map<number, Place>()
  let offset = 0
  const field = (width: number): number => {
    let found = 0
    for (let i = 0; i < width; i += 1, offset += 1) found = found * 256 + (bytes[offset] as number)
    return found
  }
  for (let i = 0; i < index.length; i += 2) {
    const [first, count] = [index[i], index[i + 1]]
    if (typeof first !== 'number' || typeof count !== 'number' || count < 0 || first < 0) malformed('index')
    if (offset + count * row > bytes.length || places.size + count > mostPlaces) malformed('cross-reference stream')
    for (let k = 0; k < count; k += 1) {
      const [kind, second, third] = [w0 === 0 ? 1 : field(w0), field(w1), field(w2)]
      if (kind === 0) places.set(first + k, { kind: 'free' })
      else if (kind === 1) places.set(first + k, { kind: 'offset', offset: second, generation: third })
      else if (kind === 2) places.set(first + k, { kind: 'stream', container: second, index: third })
    }
  }
  return { at, places, trailer: value.entries, own: number }
}
