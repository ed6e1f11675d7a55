import { concatBytes, equalBytes, utf8 } from '../../../../kernel/bytes.ts'
import { u16, u32 } from '../encoding/little-endian.ts'
import { packageFolder } from '../file/package-folder.ts'
import type { Readable } from '../file/readable.ts'
import { extraFields, longValues, max32, readDirectory } from './read-directory.ts'
import type { CentralEntry, ZipDirectory } from './read-directory.ts'
import { isBomb } from './read-inflated.ts'

/** An entry by its path in the package: without the folder that the whole was packed with. */
export type ZipEntry = {
  readonly path: string
  readonly size: number
  readonly crc32: number
  readonly method: number
  readonly compressedSize: number
  /** Where the local header starts, and the bytes after it. */
  readonly headerAt: number
  readonly dataAt: number
}

/** What two readers could see differently, or nobody vouches for; then what is not read here; then what cannot be read at all. */
export type ZipFlaw =
  | 'duplicate'
  | 'overlap'
  | 'header'
  | 'gap'
  | 'comment'
  | 'link'
  | 'directory'
  | 'encrypted'
  | 'method'
  | 'too_large'
  | 'not_zip'
  | 'truncated'

export type ZipReading = {
  readonly entries: readonly ZipEntry[]
  /** What is wrong, with the entry where it was found; empty for a sound container. */
  readonly flaws: readonly { readonly reason: ZipFlaw; readonly path?: string }[]
  /** Sound, and not octet for octet what docs/package-format.md has the platform write: somebody packed the same files again. */
  readonly remade: boolean
}

const most = { entries: 100_000, octets: 64 << 20 }
const longestName = 512

/**
 * Reads the container of docs/package-format.md, or what somebody packed its files into again: any ZIP file of which all readers see
 * the same content. Each octet of it is one of an entry, of a header that its two places agree on, or of a data descriptor; so
 * nothing can hide between entries. How it differs from the bytes that the platform writes is `remade` alone.
 */
export async function readZip(file: Readable): Promise<ZipReading> {
  const none = (reason: ZipFlaw): ZipReading => ({ entries: [], flaws: [{ reason }], remade: false })
  if (file.size < 4 || u32(await file.read(0, 4), 0) !== 0x04034b50) return none('not_zip')
  const directory = await readDirectory(file, most)
  if (typeof directory === 'string') return await walk(file)
  if (isBomb(file.size, directory.entries)) return none('too_large')
  const flaws: { reason: ZipFlaw; path?: string }[] = []
  const found: ZipEntry[] = []
  const inPlace = directory.entries.toSorted((a, b) => a.headerAt - b.headerAt)
  let remade = inPlace.some((entry, i) => entry !== directory.entries[i])
  let reached = 0
  for (const [i, central] of inPlace.entries()) {
    const { path, headerAt } = central
    // Entries that overlap would be hashed more than once: that is how a small file costs hours.
    if (headerAt < reached) flaws.push({ reason: 'overlap', path })
    else {
      if (headerAt > reached) flaws.push({ reason: 'gap', path })
      const next = inPlace[i + 1]?.headerAt ?? directory.at
      const { entry, end, reasons, asWritten } = await readEntry(file, central, directory.at, next)
      flaws.push(...reasons.map((reason) => ({ reason, path })))
      if (entry !== undefined) found.push(entry)
      remade ||= !asWritten
      reached = Math.max(headerAt + 1, end)
    }
  }
  if (reached !== directory.at) flaws.push({ reason: 'gap' })
  const endAt = directory.at + directory.length
  const end = await file.read(endAt, Math.min(98, directory.fileEnd - endAt))
  const isWhole = endAt + end.length === directory.fileEnd
  if (directory.fileEnd !== file.size) remade = true
  if (!isWhole || !equalBytes(end, endRecord(directory))) {
    remade = true
    if (!isWhole || !isEnd(end, directory))
      flaws.push({ reason: end.length > 22 && u32(end, 0) === 0x06054b50 ? 'comment' : 'directory' })
  }
  const order = new Map(directory.entries.map(({ headerAt }, i) => [headerAt, i]))
  const listed = found.toSorted((a, b) => (order.get(a.headerAt) ?? 0) - (order.get(b.headerAt) ?? 0))
  const entries = inFolder(listed)
  const seen = new Set<string>()
  for (const { path } of entries) {
    if (seen.has(path)) flaws.push({ reason: 'duplicate', path })
    seen.add(path)
  }
  return {
    entries: uniqueByPath(entries),
    flaws,
    remade: remade || entries.length < listed.length || entries.some(({ path }, i) => path !== listed[i]?.path),
  }
}

/** Of two entries with one name none is *the* piece: the later one would be what some tools unpack, so it is what is hashed. */
function uniqueByPath(entries: readonly ZipEntry[]): ZipEntry[] {
  return [...new Map(entries.map((entry) => [entry.path, entry])).values()]
}

/** Without entries of folders, which hold nothing, and without the folder around everything; `/` for what Windows writes as `\`. */
function inFolder(entries: readonly ZipEntry[]): ZipEntry[] {
  const isWindows = entries.every(({ path }) => !path.includes('/'))
  const files = entries
    .map((entry) => (isWindows ? { ...entry, path: entry.path.replaceAll('\\', '/') } : entry))
    .filter(({ path, size }) => size > 0 || !path.endsWith('/'))
  const folder = packageFolder(files.map(({ path }) => path)) ?? ''
  return files.map((entry) => (entry.path.startsWith(folder) ? { ...entry, path: entry.path.slice(folder.length) } : entry))
}

/** One entry where the directory says that it is, and what is wrong with how it stands there. */
async function readEntry(file: Readable, central: CentralEntry, directoryAt: number, next: number) {
  const { path, name, flags, method, size, compressedSize, headerAt, header } = central
  const reasons: ZipFlaw[] = []
  // Packed in a way that is not unpacked here, which leaves other values in its header too.
  const unread = (flags & 0x41) !== 0 ? 'encrypted' : method !== 0 && method !== 8 ? 'method' : undefined
  if (unread !== undefined) return { entry: undefined, end: next, reasons: [unread as ZipFlaw], asWritten: false }
  const cut = { entry: undefined, end: headerAt, reasons: ['truncated' as ZipFlaw], asWritten: false }
  const extraAt = headerAt + 30 + name.length
  if (!(extraAt <= directoryAt)) return cut
  const head = await file.read(headerAt, 30 + name.length)
  const extra = extraAt + u16(head, 28) <= directoryAt ? await file.read(extraAt, u16(head, 28)) : new Uint8Array()
  const dataAt = extraAt + extra.length
  const dataEnd = dataAt + compressedSize
  const entry = {
    path,
    size: method === 0 ? compressedSize : size,
    crc32: central.crc32,
    method,
    compressedSize,
    headerAt,
    dataAt,
  }
  if (!Number.isSafeInteger(dataEnd + size) || dataEnd > directoryAt) return cut
  if (!agree(central, head, extra) || (method === 0 && size !== compressedSize)) reasons.push('header')
  if (u16(header, 32) > 0) reasons.push('comment')
  // Unix and macOS say so of what is no file and no folder (APPNOTE 4.4.2, 4.4.15).
  if ([3, 19].includes(header[5] ?? 0) && ![0, 4, 8].includes((header[41] ?? 0) >> 4)) reasons.push('link')
  const isDescribed = (flags & 8) !== 0
  if (isDescribed && !(await isDescriptor(file, entry, dataEnd, next))) reasons.push('gap')
  const asWritten = equalBytes(concatBytes(head, extra), localHeader(entry)) && equalBytes(header, centralHeader(entry))
  return { entry, end: isDescribed ? next : dataEnd, reasons, asWritten }
}

/** Whether an entry's own header says what the directory says of it. */
function agree({ name, crc32: crc, size, compressedSize, header }: CentralEntry, head: Uint8Array, extra: Uint8Array): boolean {
  const nameEnd = 46 + name.length
  const fields = [extraFields(extra), extraFields(header.subarray(nameEnd, nameEnd + u16(header, 30)))]
  const [sizes = Number.NaN, compressed = Number.NaN] = longValues(fields[0]?.get(1), [u32(head, 22), u32(head, 18)])
  const mayBeLater = (u16(head, 6) & 8) !== 0
  const same = (local: number, said: number): boolean => local === said || (mayBeLater && local === 0)
  return (
    u32(head, 0) === 0x04034b50 &&
    // Flags, method, time and date.
    equalBytes(head.subarray(6, 14), header.subarray(8, 16)) &&
    u16(head, 26) === name.length &&
    equalBytes(head.subarray(30), name) &&
    same(u32(head, 14), crc) &&
    same(compressed, compressedSize) &&
    same(sizes, size) &&
    // A second name for the same entry (APPNOTE 4.6.9) must be no other.
    fields.every((each) => each !== undefined && equalBytes(each.get(0x7075)?.subarray(5) ?? name, name))
  )
}

/** What follows the bytes of an entry whose sizes were not known when it was begun (APPNOTE 4.3.9), with or without its mark. */
async function isDescriptor(
  file: Readable,
  { crc32: crc, compressedSize, size }: ZipEntry,
  at: number,
  next: number,
): Promise<boolean> {
  const length = next - at
  if (![12, 16, 20, 24].includes(length)) return false
  const wide = length >= 20 ? 8 : 4
  const mark: Field[] = length % 8 === 0 ? [[4, 0x08074b50]] : []
  return equalBytes(await file.read(at, length), record(...mark, [4, crc], [wide, compressedSize], [wide, size]))
}

/** The end as any tool may write it: with ZIP64 records where none were needed, by another version, without comment. */
function isEnd(end: Uint8Array, directory: ZipDirectory): boolean {
  const isLong = end.length === 98
  const expected = endRecord(directory, isLong)
  if (isLong) expected.set(end.subarray(12, 16), 12)
  // What stands in the ZIP64 record may be left out of the short one.
  for (const [from, to] of isLong
    ? [
        [84, 86],
        [86, 88],
        [88, 92],
        [92, 96],
      ]
    : [])
    if (end.subarray(from, to).every((octet) => octet === 0xff)) expected.fill(0xff, from, to)
  return equalBytes(end, expected)
}

/**
 * The entries that can still be found from the start when the end of the file is lost: a cut package fails, and can still say
 * which pieces are whole.
 */
async function walk(file: Readable): Promise<ZipReading> {
  const entries: ZipEntry[] = []
  const flaws: { reason: ZipFlaw; path?: string }[] = []
  for (let at = 0; at + 30 <= file.size && entries.length < most.entries;) {
    const header = await file.read(at, Math.min(30 + 2 * longestName, file.size - at))
    const [nameEnd, extra] = [30 + u16(header, 26), u16(header, 28)]
    // Where sizes come later, nothing says where an entry ends.
    if (u32(header, 0) !== 0x04034b50 || (u16(header, 6) & 0x49) !== 0 || ![0, 8].includes(u16(header, 8))) break
    if (nameEnd + extra > header.length || nameEnd > 30 + longestName) break
    const long = extraFields(header.subarray(nameEnd, nameEnd + extra))?.get(1)
    const [said = 0, compressedSize = 0] = longValues(long, [u32(header, 22), u32(header, 18)])
    const path = latin(header.subarray(30, nameEnd))
    const dataAt = at + nameEnd + extra
    if (!(dataAt + compressedSize <= file.size)) {
      flaws.push({ reason: 'truncated', path })
      break
    }
    const method = u16(header, 8)
    const size = method === 0 ? compressedSize : said
    entries.push({ path, size, crc32: u32(header, 14), method, compressedSize, headerAt: at, dataAt })
    at = dataAt + compressedSize
  }
  if (isBomb(file.size, entries)) return { entries: [], flaws: [{ reason: 'too_large' }], remade: false }
  return { entries: uniqueByPath(inFolder(entries)), flaws: flaws.length > 0 ? flaws : [{ reason: 'truncated' }], remade: false }
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

function endRecord({ entries, at, length }: ZipDirectory, isLong = false): Uint8Array {
  const count = entries.length
  const long = isLong || count >= 0xffff || at >= max32 || length >= max32
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
