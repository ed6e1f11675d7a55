/**
 * The package as a stream (docs/package-format.md, decision 0080): a stored ZIP whose every byte is known from the list
 * of entries alone. So its length is told before the first byte, any part of it can be asked for, and the same entries
 * give the same bytes.
 */
import { Readable } from 'node:stream'
import { crc32 as updateCrc32 } from 'node:zlib'
import {
  type ZipRecord,
  centralHeader,
  centralHeaderLength,
  endLength,
  endOfDirectory,
  localHeader,
  localHeaderLength,
} from '../../../../platform/zip/zip-records.ts'

/** Content of the first entry, `mimetype` (EN 319 162-1 annex A.1). */
export const asicMimetype = 'application/vnd.etsi.asic-e+zip'

export type PackageEntry = {
  /** `^[A-Za-z0-9._/-]+$`, unique in the package. */
  readonly path: string
  readonly bytes: number
  /** CRC-32 of the bytes, unsigned. When it is absent the entry is read once more, before it is written. */
  readonly crc32?: number
  /** The bytes from the first one. Called at most twice a stream. */
  open(): Promise<AsyncIterable<Uint8Array>>
  /** The bytes from `start` on, where the store can do that; otherwise the bytes before it are read and dropped. */
  openAt?(start: number): Promise<AsyncIterable<Uint8Array>>
}

/** Bytes `start` (inclusive) to `end` (exclusive) of the package. */
export type PackageRange = { readonly start: number; readonly end?: number }

export type PackageStream = {
  readonly stream: Readable
  /** Length of the whole package, whatever the range. */
  readonly totalBytes: number
}

/** An entry whose bytes are not what its list says. The stream breaks off: a half download, never a false package. */
export class EntryMismatch extends Error {
  override readonly name = 'EntryMismatch'
  readonly path: string
  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`)
    this.path = path
  }
}

const pathPattern = /^[A-Za-z0-9._/-]+$/

function refuseBadList(entries: readonly PackageEntry[]): void {
  const seen = new Set<string>()
  for (const entry of entries) {
    const parts = entry.path.split('/')
    if (
      !pathPattern.test(entry.path) ||
      entry.path.length > 1024 ||
      parts.some((part) => part === '' || part === '.' || part === '..')
    )
      throw new EntryMismatch(entry.path, 'not a path of the format')
    if (seen.has(entry.path)) throw new EntryMismatch(entry.path, 'stands twice in the list')
    seen.add(entry.path)
    if (!Number.isSafeInteger(entry.bytes) || entry.bytes < 0) throw new EntryMismatch(entry.path, 'has no length')
  }
}

type Placed = { readonly entry: PackageEntry; readonly offset: number; readonly header: number }

/** Source now being read, so that a reader who leaves also stops a source that never answers. */
type Open = { source: AsyncIterable<Uint8Array> | null }

async function* contentOf(entry: PackageEntry, start: number, open: Open): AsyncGenerator<Uint8Array> {
  const skipHere = start > 0 && entry.openAt === undefined ? start : 0
  const source = start > 0 && entry.openAt !== undefined ? await entry.openAt(start) : await entry.open()
  open.source = source
  let position = start - skipHere
  for await (const chunk of source) {
    const before = position
    position += chunk.length
    if (position > entry.bytes) throw new EntryMismatch(entry.path, `is longer than ${entry.bytes} bytes`)
    if (position > start) yield before < start ? chunk.subarray(start - before) : chunk
  }
  open.source = null
  if (position !== entry.bytes) throw new EntryMismatch(entry.path, `is ${position} bytes long, not ${entry.bytes}`)
}

async function measureCrc32(entry: PackageEntry, open: Open): Promise<number> {
  let value = 0
  for await (const chunk of contentOf(entry, 0, open)) value = updateCrc32(chunk, value)
  return value
}

/**
 * @param entries in the order of the format; `mimetype` first.
 * @returns the stream of the range (the whole package by default). It fails with `EntryMismatch` when an entry turns out to
 * differ from its list. Memory: the headers and one chunk. Leaving the stream closes the open source.
 * @throws EntryMismatch when the list itself cannot be a package; RangeError when the range is outside of it.
 */
export function packageStream(entries: readonly PackageEntry[], range: PackageRange = { start: 0 }): PackageStream {
  refuseBadList(entries)
  let offset = 0
  const placed = entries.map((entry): Placed => {
    const here = { entry, offset, header: localHeaderLength(entry) }
    offset += here.header + entry.bytes
    return here
  })
  const directoryBytes = placed.reduce(
    (sum, { entry, offset: at }) => sum + centralHeaderLength({ path: entry.path, bytes: entry.bytes, offset: at }),
    0,
  )
  const directory = { entries: entries.length, offset, bytes: directoryBytes }
  const totalBytes = offset + directoryBytes + endLength(directory)
  const end = range.end ?? totalBytes
  if (
    !(
      Number.isSafeInteger(range.start) &&
      Number.isSafeInteger(end) &&
      0 <= range.start &&
      range.start <= end &&
      end <= totalBytes
    )
  )
    throw new RangeError(`bytes ${range.start} to ${end} of a package of ${totalBytes}`)

  const open: Open = { source: null }
  const checksums = new Map<string, number>()
  const checksumOf = async (entry: PackageEntry): Promise<number> => {
    const known = entry.crc32 ?? checksums.get(entry.path) ?? (await measureCrc32(entry, open))
    checksums.set(entry.path, known)
    return known
  }

  /** What of `bytes`, standing at `at` in the file, falls into the range. */
  const within = (bytes: Uint8Array, at: number): Uint8Array =>
    bytes.subarray(Math.min(bytes.length, Math.max(0, range.start - at)), Math.max(0, Math.min(bytes.length, end - at)))

  async function* generate(): AsyncGenerator<Uint8Array> {
    for (const { entry, offset: at, header } of placed) {
      const contentAt = at + header
      if (at >= end) return
      if (contentAt + entry.bytes <= range.start) continue
      if (contentAt > range.start)
        yield within(localHeader({ path: entry.path, bytes: entry.bytes, offset: at, crc32: await checksumOf(entry) }), at)
      const start = Math.max(0, range.start - contentAt)
      let position = contentAt + start
      let crc = 0
      for await (const chunk of contentOf(entry, start, open)) {
        crc = updateCrc32(chunk, crc)
        if (position >= end) return
        const part = within(chunk, position)
        position += chunk.length
        if (part.length > 0) yield part
      }
      if (start === 0 && crc !== (await checksumOf(entry))) throw new EntryMismatch(entry.path, 'does not have its checksum')
    }
    let at = directory.offset
    for (const { entry, offset: localAt } of placed) {
      const place = { path: entry.path, bytes: entry.bytes, offset: localAt }
      const length = centralHeaderLength(place)
      if (at >= end) return
      if (at + length > range.start) {
        const record: ZipRecord = { ...place, crc32: await checksumOf(entry) }
        const part = within(centralHeader(record), at)
        if (part.length > 0) yield part
      }
      at += length
    }
    if (at < end) yield within(endOfDirectory(directory), at)
  }

  const stream = Readable.from(generate(), { objectMode: false, highWaterMark: 256 * 1024 })
  stream.once('close', () => {
    if (open.source instanceof Readable) open.source.destroy()
  })
  return { stream, totalBytes }
}
