import { concatBytes, equalBytes, utf8 } from '../../../kernel/bytes.ts'
import type { Readable } from './package-source.ts'
import { u16, u32, u64 } from './little-endian.ts'

/**
 * Reads the container of docs/package-format.md. Its bytes follow from its entries alone, so after the directory is read every
 * header is *built again* and compared: nothing can hide in a field that nobody looks at, nor between entries.
 */
export type ZipEntry = {
  readonly path: string
  readonly size: number
  readonly crc32: number
  /** Where the local header starts, and the bytes after it. */
  readonly headerAt: number
  readonly dataAt: number
}

export type ZipFlaw = 'not_zip' | 'truncated' | 'directory' | 'duplicate' | 'header' | 'gap'

export type ZipReading = {
  readonly entries: readonly ZipEntry[]
  /** What is wrong, with the entry where it was found; empty for a sound container. */
  readonly flaws: readonly { readonly reason: ZipFlaw; readonly path?: string }[]
}

const max32 = 0xffffffff
const mostEntries = 100_000
const largestDirectory = 64 << 20
const longestName = 512

export async function readZip(file: Readable): Promise<ZipReading> {
  if (file.size < 4 || u32(await file.read(0, 4), 0) !== 0x04034b50) return { entries: [], flaws: [{ reason: 'not_zip' }] }
  const directory = await readDirectory(file)
  if (directory === undefined) return await walk(file)
  const flaws: { reason: ZipFlaw; path?: string }[] = []
  const seen = new Set<string>()
  let expectedAt = 0
  for (const entry of directory.entries) {
    const { path } = entry
    if (seen.has(path)) flaws.push({ reason: 'duplicate', path })
    seen.add(path)
    if (entry.headerAt !== expectedAt) flaws.push({ reason: 'gap', path })
    expectedAt = entry.dataAt + entry.size
    const header = localHeader(entry)
    const there = entry.headerAt + header.length <= file.size ? await file.read(entry.headerAt, header.length) : new Uint8Array()
    if (!equalBytes(there, header)) flaws.push({ reason: 'header', path })
  }
  if (expectedAt !== directory.at) flaws.push({ reason: 'gap' })
  const rebuilt = concatBytes(...directory.entries.map(centralHeader), endRecord(directory))
  if (directory.at + rebuilt.length !== file.size || !equalBytes(await file.read(directory.at, rebuilt.length), rebuilt)) {
    flaws.push({ reason: 'directory' })
  }
  // Entries that overlap would be hashed more than once: that is how a small file costs hours (Fifield, 2019).
  let reached = 0
  const sound = directory.entries.filter(({ headerAt, dataAt, size }) => {
    if (headerAt < reached || dataAt + size > directory.at) return false
    reached = dataAt + size
    return true
  })
  if (sound.length < directory.entries.length) flaws.push({ reason: 'truncated' })
  return { entries: uniqueByPath(sound), flaws }
}

/** Of two entries with one name none is *the* piece: the later one would be what some tools unpack, so it is what is hashed. */
function uniqueByPath(entries: readonly ZipEntry[]): ZipEntry[] {
  return [...new Map(entries.map((entry) => [entry.path, entry])).values()]
}

type Directory = { readonly entries: ZipEntry[]; readonly at: number; readonly length: number }

/** @returns undefined when there is no directory where the end of the file says it is. */
async function readDirectory(file: Readable): Promise<Directory | undefined> {
  const { size } = file
  if (size < 22) return undefined
  const tail = await file.read(Math.max(0, size - 98), Math.min(98, size))
  const end = tail.subarray(tail.length - 22)
  if (u32(end, 0) !== 0x06054b50) return undefined
  let count = u16(end, 10)
  let length = u32(end, 12)
  let at = u32(end, 16)
  if (tail.length === 98 && u32(tail, 56) === 0x07064b50 && u32(tail, 0) === 0x06064b50) {
    count = u64(tail, 32)
    length = u64(tail, 40)
    at = u64(tail, 48)
  }
  if (count > mostEntries || length > largestDirectory || at + length > size) return undefined
  const bytes = await file.read(at, length)
  const entries: ZipEntry[] = []
  let offset = 0
  for (let i = 0; i < count; i += 1) {
    if (offset + 46 > length || u32(bytes, offset) !== 0x02014b50) return undefined
    const name = u16(bytes, offset + 28)
    const extra = u16(bytes, offset + 30)
    const next = offset + 46 + name + extra + u16(bytes, offset + 32)
    if (next > length || name > longestName) return undefined
    const entry = entryOf({
      path: latin(bytes.subarray(offset + 46, offset + 46 + name)),
      crc32: u32(bytes, offset + 16),
      size: u32(bytes, offset + 24),
      headerAt: u32(bytes, offset + 42),
      extra: bytes.subarray(offset + 46 + name, offset + 46 + name + extra),
    })
    if (entry === undefined) return undefined
    entries.push(entry)
    offset = next
  }
  return offset === length ? { entries, at, length } : undefined
}

function entryOf(raw: { path: string; crc32: number; size: number; headerAt: number; extra: Uint8Array }): ZipEntry | undefined {
  let { size, headerAt } = raw
  if (raw.extra.length > 0) {
    let at = 4
    const next = (): number => (at + 8 <= raw.extra.length ? u64(raw.extra, (at += 8) - 8) : Number.NaN)
    if (size === max32) {
      size = next()
      next()
    }
    if (headerAt === max32) headerAt = next()
    if (!Number.isSafeInteger(size + headerAt)) return undefined
  }
  const entry = { path: raw.path, crc32: raw.crc32, size, headerAt }
  return { ...entry, dataAt: headerAt + 30 + raw.path.length + (size >= max32 ? 20 : 0) }
}

/**
 * The entries that can still be found from the start when the end of the file is lost: a cut package fails, and can still say
 * which pieces are whole.
 */
async function walk(file: Readable): Promise<ZipReading> {
  const entries: ZipEntry[] = []
  let at = 0
  for (; at + 30 <= file.size && entries.length < mostEntries;) {
    const header = await file.read(at, Math.min(30 + longestName + 20, file.size - at))
    if (u32(header, 0) !== 0x04034b50) break
    const name = u16(header, 26)
    const extra = u16(header, 28)
    if (30 + name + extra > header.length || name > longestName) break
    const entry = entryOf({
      path: latin(header.subarray(30, 30 + name)),
      crc32: u32(header, 14),
      size: u32(header, 22),
      headerAt: at,
      extra: header.subarray(30 + name, 30 + name + extra),
    })
    if (entry === undefined) break
    if (entry.dataAt + entry.size > file.size)
      return { entries: uniqueByPath(entries), flaws: [{ reason: 'truncated', path: entry.path }] }
    entries.push(entry)
    at = entry.dataAt + entry.size
  }
  return { entries: uniqueByPath(entries), flaws: [{ reason: 'truncated' }] }
}

type Field = readonly [bytes: 2 | 4 | 8, value: number]

function record(...fields: readonly Field[]): Uint8Array {
  const out = new Uint8Array(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of fields) {
    for (let i = 0, rest = value; i < bytes; i += 1, rest = Math.floor(rest / 256)) out[at + i] = rest % 256
    at += bytes
  }
  return out
}

const capped = (value: number): number => Math.min(value, max32)
const versionOf = ({ size, headerAt }: ZipEntry): number => (size >= max32 || headerAt >= max32 ? 45 : 20)

function localHeader(entry: ZipEntry): Uint8Array {
  const { size } = entry
  const long: Field[] =
    size >= max32
      ? [
          [2, 1],
          [2, 16],
          [8, size],
          [8, size],
        ]
      : []
  return concatBytes(
    record(
      [4, 0x04034b50],
      [2, versionOf(entry)],
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0x21],
      [4, entry.crc32],
      [4, capped(size)],
      [4, capped(size)],
      [2, entry.path.length],
      [2, long.length > 0 ? 20 : 0],
    ),
    utf8(entry.path),
    record(...long),
  )
}

function centralHeader(entry: ZipEntry): Uint8Array {
  const { size, headerAt } = entry
  const wide = (value: number): Field => [8, value]
  const long = [...(size >= max32 ? [wide(size), wide(size)] : []), ...(headerAt >= max32 ? [wide(headerAt)] : [])]
  const extra = long.length === 0 ? new Uint8Array() : record([2, 1], [2, long.length * 8], ...long)
  return concatBytes(
    record(
      [4, 0x02014b50],
      [2, 0x0300 | versionOf(entry)],
      [2, versionOf(entry)],
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0x21],
      [4, entry.crc32],
      [4, capped(size)],
      [4, capped(size)],
    ),
    record([2, entry.path.length], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, 0o100644 * 0x10000], [4, capped(headerAt)]),
    utf8(entry.path),
    extra,
  )
}

function endRecord({ entries, at, length }: Directory): Uint8Array {
  const count = entries.length
  const long = count >= 0xffff || at >= max32 || length >= max32
  const zip64 = long
    ? record(
        [4, 0x06064b50],
        [8, 44],
        [2, 0x032d],
        [2, 45],
        [4, 0],
        [4, 0],
        [8, count],
        [8, count],
        [8, length],
        [8, at],
        [4, 0x07064b50],
        [4, 0],
        [8, at + length],
        [4, 1],
      )
    : new Uint8Array()
  const short = Math.min(count, 0xffff)
  return concatBytes(
    zip64,
    record([4, 0x06054b50], [2, 0], [2, 0], [2, short], [2, short], [4, capped(length)], [4, capped(at)], [2, 0]),
  )
}

/** One unit per octet: whatever is not ASCII can never equal a name of the format. */
function latin(bytes: Uint8Array): string {
  return Array.from(bytes, (octet) => String.fromCharCode(octet)).join('')
}
