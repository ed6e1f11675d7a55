import { u16, u32, u64 } from '../encoding/little-endian.ts'
import type { Readable } from '../file/readable.ts'

/** An entry as the directory of a ZIP file (APPNOTE 6.3) has it. */
export type CentralEntry = {
  /** By UTF-8, or octet by octet where it is not that. Hostile text. */
  readonly path: string
  readonly name: Uint8Array
  readonly isUtf8: boolean
  readonly flags: number
  readonly method: number
  readonly crc32: number
  readonly compressedSize: number
  readonly size: number
  readonly headerAt: number
  /** Its whole header there. */
  readonly header: Uint8Array
}

export type ZipDirectory = {
  readonly entries: readonly CentralEntry[]
  readonly at: number
  readonly length: number
  /**
   * Other readers may find other entries: it goes on behind as many as it counts, does not end where its end record begins (they count back
   * from there), or has two end records that differ.
   */
  readonly isAmbiguous: boolean
  /** Where the end record ends: that of the file, but for the zeros of {@link unpadded}. */
  readonly fileEnd: number
}

export const max32 = 0xffffffff
const longestTail = 65_557
const longestName = 1024

/** The directory of a container, or what is wrong with it as a whole. Throws only what reading the file throws. */
export async function readDirectory(
  file: Readable,
  most: { readonly entries: number; readonly octets: number },
): Promise<ZipDirectory | 'not_zip' | 'truncated' | 'too_many_entries'> {
  if (file.size < 22) return 'not_zip'
  const from = Math.max(0, file.size - longestTail)
  const tail = unpadded(await file.read(from, file.size - from), file.size)
  let end = tail.length - 22
  while (end >= 0 && !(u32(tail, end) === 0x06054b50 && end + 22 + u16(tail, end + 20) === tail.length)) end -= 1
  if (end < 0) return u32(await file.read(0, 4), 0) === 0x04034b50 ? 'truncated' : 'not_zip'
  const short = [u16(tail, end + 10), u32(tail, end + 12), u32(tail, end + 16)] as const
  const isLong = end >= 76 && u32(tail, end - 20) === 0x07064b50 && u32(tail, end - 76) === 0x06064b50
  const [count, length, at] = isLong ? [u64(tail, end - 76 + 32), u64(tail, end - 76 + 40), u64(tail, end - 76 + 48)] : short
  if (count > most.entries || length > most.octets) return 'too_many_entries'
  if (!Number.isSafeInteger(at + length) || at + length > file.size) return 'truncated'
  const directory = await file.read(at, length)
  const entries: CentralEntry[] = []
  let offset = 0
  while (entries.length < count) {
    if (offset + 46 > length || u32(directory, offset) !== 0x02014b50) return 'truncated'
    const nameBytes = u16(directory, offset + 28)
    const next = offset + 46 + nameBytes + u16(directory, offset + 30) + u16(directory, offset + 32)
    if (next > length || nameBytes > longestName) return 'truncated'
    entries.push(centralEntry(directory.subarray(offset, next)))
    offset = next
  }
  const holdsMore = offset + 4 <= length && u32(directory, offset) === 0x02014b50
  const isApart = at + length !== from + end - (isLong ? 76 : 0)
  const differs = [count, length, at].some((value, i) => short[i] !== value && short[i] !== (i === 0 ? 0xffff : max32))
  return { entries, at, length, isAmbiguous: holdsMore || isApart || differs, fileEnd: from + tail.length }
}

/** Of what a tape was written with: what libarchive writes to a pipe is filled with zeros to whole blocks. */
const block = 10_240

/** The end of a file without such zeros: fewer than a block, behind an end record without comment, in a file of whole blocks. */
function unpadded(tail: Uint8Array, fileSize: number): Uint8Array {
  if (fileSize % block !== 0 || tail.at(-1) !== 0) return tail
  let last = tail.length - 1
  while (last >= 0 && tail[last] === 0) last -= 1
  // The record may end with zeros of its own.
  for (let end = Math.min(last, tail.length - 22); end >= Math.max(0, last - 21); end -= 1)
    if (u32(tail, end) === 0x06054b50 && u16(tail, end + 20) === 0 && tail.length - end - 22 < block)
      return tail.subarray(0, end + 22)
  return tail
}

function centralEntry(header: Uint8Array): CentralEntry {
  const extraAt = 46 + u16(header, 28)
  const name = header.subarray(46, extraAt)
  const path = utf8Of(name)
  const [size = 0, compressedSize = 0, headerAt = 0] = longValues(
    extraFields(header.subarray(extraAt, extraAt + u16(header, 30)))?.get(1),
    [u32(header, 24), u32(header, 20), u32(header, 42)],
  )
  return {
    path: path ?? String.fromCharCode(...name),
    name,
    isUtf8: path !== undefined,
    flags: u16(header, 8),
    method: u16(header, 10),
    crc32: u32(header, 16),
    compressedSize,
    size,
    headerAt,
    header,
  }
}

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The extra fields of a header by their numbers; undefined when they are not in their form. */
export function extraFields(extra: Uint8Array): ReadonlyMap<number, Uint8Array> | undefined {
  const fields = new Map<number, Uint8Array>()
  let at = 0
  for (; at + 4 <= extra.length; at += 4 + u16(extra, at + 2))
    if (!fields.has(u16(extra, at))) fields.set(u16(extra, at), extra.subarray(at + 4, at + 4 + u16(extra, at + 2)))
  return at === extra.length ? fields : undefined
}

/** Values of 32 bits; those that do not fit stand in the ZIP64 field, in this order (APPNOTE 4.5.3). */
export function longValues(field: Uint8Array | undefined, values: readonly number[]): number[] {
  let at = 0
  return values.map((value) => {
    if (value !== max32 || field === undefined) return value
    at += 8
    return at <= field.length ? u64(field, at - 8) : Number.NaN
  })
}
