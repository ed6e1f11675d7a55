import { equalBytes } from '../../../../kernel/bytes.ts'
import { malformed } from '../encoding/der.ts'
import { inflate } from '../encoding/inflate.ts'
import { u16, u32 } from '../encoding/little-endian.ts'
import { crc32 } from '../encoding/crc32.ts'
import type { Readable } from '../file/readable.ts'
import { max32, readDirectory } from './read-directory.ts'
import type { CentralEntry } from './read-directory.ts'

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

const most = { entries: 20_000, octets: 16 << 20 }

/**
 * Reads the directory of a container that others made: stored or deflated entries, with comments and data descriptors. What could
 * make two readers see two contents (names twice, entries that overlap, headers that disagree, a directory that may be taken for another) is
 * named; nothing is unpacked here. Throws only what reading the file throws.
 */
export async function readAnyZip(file: Readable): Promise<AnyZip> {
  const directory = await readDirectory(file, most)
  if (typeof directory === 'string') return { entries: [], flaws: [{ reason: directory }] }
  if (directory.isAmbiguous) return { entries: [], flaws: [{ reason: 'truncated' }] }
  const flaws: { reason: AnyZipFlaw; path?: string }[] = []
  const entries: AnyEntry[] = []
  const seen = new Set<string>()
  for (const central of directory.entries) {
    const { path } = central
    const entry = await locate(file, directory.at, central)
    if (!central.isUtf8) flaws.push({ reason: 'name_encoding', path })
    if (seen.has(path)) flaws.push({ reason: 'duplicate', path })
    seen.add(path)
    if (!isInside(path)) flaws.push({ reason: 'escape', path })
    if ((central.flags & 0x41) !== 0) flaws.push({ reason: 'encrypted', path })
    else if (entry === undefined) flaws.push({ reason: 'headers_differ', path })
    else if (entry.method !== 0 && entry.method !== 8) flaws.push({ reason: 'method', path })
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

/** The entry with the place of its bytes; undefined when its own header is not what the directory says. */
async function locate(file: Readable, directoryAt: number, central: CentralEntry): Promise<AnyEntry | undefined> {
  const { path, name, method, headerAt, compressedSize, size } = central
  if (!Number.isSafeInteger(headerAt + compressedSize + size) || headerAt + 30 + name.length > directoryAt) return undefined
  const header = await file.read(headerAt, 30 + name.length)
  if (u32(header, 0) !== 0x04034b50 || u16(header, 26) !== name.length || u16(header, 8) !== method) return undefined
  if (!equalBytes(header.subarray(30), name)) return undefined
  const dataAt = headerAt + 30 + name.length + u16(header, 28)
  const hasDescriptor = (u16(header, 6) & 8) !== 0
  const local = [u32(header, 14), u32(header, 18), u32(header, 22)]
  const said = [central.crc32, compressedSize, size]
  // With a data descriptor, or ZIP64, the sizes stand elsewhere.
  const agrees = local.every((value, i) => value === said[i] || (hasDescriptor && value === 0) || (i > 0 && value === max32))
  if (!agrees || dataAt + compressedSize > directoryAt || (method === 0 && size !== compressedSize)) return undefined
  return { path, method, crc32: central.crc32, size, compressedSize, headerAt, dataAt }
}

/** The bytes of an entry, whole. @throws MalformedError when they are longer than `most`, cut, or not what their CRC says. */
export async function readEntry(file: Readable, entry: AnyEntry, most: number): Promise<Uint8Array> {
  if (entry.size > most || entry.compressedSize > most) malformed('an entry longer than allowed')
  const raw = await file.read(entry.dataAt, entry.compressedSize)
  const bytes = entry.method === 0 ? raw : inflate(raw, entry.size).bytes
  if (bytes.length !== entry.size || crc32(bytes) !== entry.crc32) malformed('an entry is not what its checksum says')
  return bytes
}
