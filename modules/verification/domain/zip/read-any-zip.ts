import { malformed } from '../der.ts'
import { inflate } from '../inflate.ts'
import { u16, u32, u64 } from '../little-endian.ts'
import { crc32 } from '../package-source.ts'
import type { Readable } from '../package-source.ts'

/** An entry of anybody's ZIP file (APPNOTE 6.3). */
export type AnyEntry = {
  /** As written, by the directory. Hostile text. */
  readonly path: string
  readonly method: number
  readonly crc32: number
  readonly size: number
  readonly compressedSize: number
  readonly headerAt: number
  /** Of the bytes as they stand, compressed or not. */
  readonly dataAt: number
}

export const zipFlaws = [
  'not_zip',
  'truncated',
  'too_many_entries',
  'encrypted',
  'method',
  'duplicate',
  'overlap',
  'escape',
  'headers_differ',
  'bytes_before',
  'name_encoding',
] as const
export type AnyZipFlaw = (typeof zipFlaws)[number]

export type AnyZip = {
  /** Those that can be read, in the order of the directory. */
  readonly entries: readonly AnyEntry[]
  readonly flaws: readonly { readonly reason: AnyZipFlaw; readonly path?: string }[]
}

const mostEntries = 20_000
const largestDirectory = 16 << 20
const longestTail = 65_557
const longestName = 1024

/**
 * Reads the directory of a container that others made: stored or deflated entries, with comments and data descriptors. What could
 * make two readers see two contents (names twice, entries that overlap, headers that disagree) is named; nothing is unpacked here.
 * Throws only what reading the file throws.
 */
export async function readAnyZip(file: Readable): Promise<AnyZip> {
  const flaws: { reason: AnyZipFlaw; path?: string }[] = []
  const none = (reason: AnyZipFlaw): AnyZip => ({ entries: [], flaws: [{ reason }] })
  if (file.size < 22) return none('not_zip')
  const from = Math.max(0, file.size - longestTail)
  const tail = await file.read(from, file.size - from)
  let end = tail.length - 22
  while (end >= 0 && !(u32(tail, end) === 0x06054b50 && end + 22 + u16(tail, end + 20) === tail.length)) end -= 1
  if (end < 0) return none(u32(await file.read(0, 4), 0) === 0x04034b50 ? 'truncated' : 'not_zip')
  let [count, length, at] = [u16(tail, end + 10), u32(tail, end + 12), u32(tail, end + 16)]
  if (end >= 76 && u32(tail, end - 20) === 0x07064b50 && u32(tail, end - 76) === 0x06064b50)
    [count, length, at] = [u64(tail, end - 76 + 32), u64(tail, end - 76 + 40), u64(tail, end - 76 + 48)]
  if (count > mostEntries || length > largestDirectory) return none('too_many_entries')
  if (!Number.isSafeInteger(at + length) || at + length > file.size) return none('truncated')
  const directory = await file.read(at, length)
  const entries: AnyEntry[] = []
  const seen = new Set<string>()
  let offset = 0
  for (let i = 0; i < count; i += 1) {
    if (offset + 46 > length || u32(directory, offset) !== 0x02014b50) return { entries: [], flaws: [{ reason: 'truncated' }] }
    const [nameBytes, extraBytes, commentBytes] = [
      u16(directory, offset + 28),
      u16(directory, offset + 30),
      u16(directory, offset + 32),
    ]
    const next = offset + 46 + nameBytes + extraBytes + commentBytes
    if (next > length || nameBytes > longestName) return { entries: [], flaws: [{ reason: 'truncated' }] }
    const encodedName = directory.subarray(offset + 46, offset + 46 + nameBytes)
    const path = nameOf(encodedName)
    const flags = u16(directory, offset + 8)
    const entry = await locate(
      file,
      at,
      {
        path: path ?? latinName(encodedName),
        method: u16(directory, offset + 10),
        crc32: u32(directory, offset + 16),
        ...sizesOf(directory, offset, nameBytes, extraBytes),
      },
      encodedName,
    )
    offset = next
    const name = entry === undefined ? (path ?? latinName(encodedName)) : entry.path
    if (path === undefined) flaws.push({ reason: 'name_encoding', path: name })
    if (seen.has(name)) flaws.push({ reason: 'duplicate', path: name })
    seen.add(name)
    if (!isInside(name)) flaws.push({ reason: 'escape', path: name })
    if ((flags & 0x41) !== 0) flaws.push({ reason: 'encrypted', path: name })
    else if (entry === undefined) flaws.push({ reason: 'headers_differ', path: name })
    else if (entry.method !== 0 && entry.method !== 8) flaws.push({ reason: 'method', path: name })
    else entries.push(entry)
  }
  let reached = 0
  for (const each of entries.toSorted((a, b) => a.headerAt - b.headerAt)) {
    // Entries that overlap would be read more than once: that is how a small file costs hours (Fifield, 2019).
    if (each.headerAt < reached) flaws.push({ reason: 'overlap', path: each.path })
    if (reached === 0 && each.headerAt > 0) flaws.push({ reason: 'bytes_before' })
    reached = Math.max(reached, each.dataAt + each.compressedSize)
  }
  const isSound = !flaws.some(({ reason }) => reason === 'overlap')
  return { entries: isSound ? entries : [], flaws }
}

const isInside = (path: string): boolean =>
  !path.startsWith('/') &&
  !path.includes('\\') &&
  !/^[A-Za-z]:/.test(path) &&
  !path.split('/').some((part) => part === '..') &&
  !path.includes('\0')

function nameOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function latinName(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}

/** Sizes and offset; those that do not fit stand in the ZIP64 field, in this order (APPNOTE 4.5.3). */
function sizesOf(directory: Uint8Array, offset: number, nameBytes: number, extraBytes: number) {
  let [compressedSize, size, headerAt] = [u32(directory, offset + 20), u32(directory, offset + 24), u32(directory, offset + 42)]
  const end = offset + 46 + nameBytes + extraBytes
  for (let at = offset + 46 + nameBytes; at + 4 <= end; at += 4 + u16(directory, at + 2)) {
    if (u16(directory, at) !== 1) continue
    let place = at + 4
    const next = (): number => (place + 8 <= end ? u64(directory, (place += 8) - 8) : Number.NaN)
    if (size === 0xffffffff) size = next()
    if (compressedSize === 0xffffffff) compressedSize = next()
    if (headerAt === 0xffffffff) headerAt = next()
  }
  return { compressedSize, size, headerAt }
}

/** The entry with the place of its bytes; undefined when its own header is not what the directory says. */
async function locate(
  file: Readable,
  directoryAt: number,
  entry: Omit<AnyEntry, 'dataAt'>,
  name: Uint8Array,
): Promise<AnyEntry | undefined> {
  const { headerAt, compressedSize, size } = entry
  if (!Number.isSafeInteger(headerAt + compressedSize + size) || headerAt + 30 + name.length > directoryAt) return undefined
  const header = await file.read(headerAt, 30 + name.length)
  if (u32(header, 0) !== 0x04034b50 || u16(header, 26) !== name.length || u16(header, 8) !== entry.method) return undefined
  if (name.some((octet, i) => header[30 + i] !== octet)) return undefined
  const dataAt = headerAt + 30 + name.length + u16(header, 28)
  const hasDescriptor = (u16(header, 6) & 8) !== 0
  const local = [u32(header, 14), u32(header, 18), u32(header, 22)]
  const central = [entry.crc32, compressedSize, size]
  // With a data descriptor, or ZIP64, the sizes stand elsewhere.
  const agrees = local.every(
    (value, i) => value === central[i] || (hasDescriptor && value === 0) || (i > 0 && value === 0xffffffff),
  )
  if (!agrees || dataAt + compressedSize > directoryAt || (entry.method === 0 && size !== compressedSize)) return undefined
  return { ...entry, dataAt }
}

/** The bytes of an entry, whole. @throws MalformedError when they are longer than `most`, cut, or not what their CRC says. */
export async function readEntry(file: Readable, entry: AnyEntry, most: number): Promise<Uint8Array> {
  if (entry.size > most || entry.compressedSize > most) malformed('an entry longer than allowed')
  const raw = await file.read(entry.dataAt, entry.compressedSize)
  const bytes = entry.method === 0 ? raw : inflate(raw, entry.size).bytes
  if (bytes.length !== entry.size || crc32(bytes) !== entry.crc32) malformed('an entry is not what its checksum says')
  return bytes
}
