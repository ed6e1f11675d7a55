/**
 * The records of a stored ZIP, PKWARE APPNOTE 6.3.9: §4.3.7 local header, §4.3.12 central header, §4.3.14–4.3.16 end of
 * central directory, §4.5.3 ZIP64. Only what docs/package-format.md allows: no compression, no data descriptor, no
 * comment, no extra field but ZIP64's, one fixed date and one fixed mode.
 */
export type ZipRecord = {
  /** ASCII path. */
  readonly path: string
  readonly bytes: number
  /** CRC-32 (ISO 3309) as an unsigned number. */
  readonly crc32: number
  /** Offset of the local header in the file. */
  readonly offset: number
}

const limit32 = 0xffffffff
const limit16 = 0xffff
/** DOS date of 1980-01-01; the time is 0. */
const date1980 = 0x0021
/** Made on Unix, so that the mode below is read. */
const madeByUnix = 3 << 8
const modeOfFile = 0o100644
const plainVersion = 20
const zip64Version = 45

function isLarge(record: Pick<ZipRecord, 'bytes'>): boolean {
  return record.bytes >= limit32
}

function zip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0)
  const extra = Buffer.alloc(4 + values.length * 8)
  extra.writeUInt16LE(0x0001, 0)
  extra.writeUInt16LE(values.length * 8, 2)
  values.forEach((value, index) => extra.writeBigUInt64LE(BigInt(value), 4 + index * 8))
  return extra
}

/** §4.4.3.2: the same in both headers. */
function versionNeeded(record: Pick<ZipRecord, 'bytes' | 'offset'>): number {
  return isLarge(record) || record.offset >= limit32 ? zip64Version : plainVersion
}

export function localHeaderLength(record: Pick<ZipRecord, 'path' | 'bytes'>): number {
  return 30 + record.path.length + (isLarge(record) ? 20 : 0)
}

/** §4.3.7: the sizes and the checksum stand here in full, so that a reader never has to look for the end of an entry. */
export function localHeader(record: ZipRecord): Buffer {
  const large = isLarge(record)
  const extra = zip64Extra(large ? [record.bytes, record.bytes] : [])
  const fixed = Buffer.alloc(30)
  fixed.writeUInt32LE(0x04034b50, 0)
  fixed.writeUInt16LE(versionNeeded(record), 4)
  fixed.writeUInt16LE(date1980, 12)
  fixed.writeUInt32LE(record.crc32, 14)
  fixed.writeUInt32LE(large ? limit32 : record.bytes, 18)
  fixed.writeUInt32LE(large ? limit32 : record.bytes, 22)
  fixed.writeUInt16LE(record.path.length, 26)
  fixed.writeUInt16LE(extra.length, 28)
  return Buffer.concat([fixed, Buffer.from(record.path, 'latin1'), extra])
}

/** §4.5.3: only the fields that do not fit stand in the ZIP64 extra field, in this order. */
function largeFields(record: Pick<ZipRecord, 'bytes' | 'offset'>): number[] {
  return [...(isLarge(record) ? [record.bytes, record.bytes] : []), ...(record.offset >= limit32 ? [record.offset] : [])]
}

export function centralHeaderLength(record: Pick<ZipRecord, 'path' | 'bytes' | 'offset'>): number {
  const fields = largeFields(record).length
  return 46 + record.path.length + (fields === 0 ? 0 : 4 + fields * 8)
}

export function centralHeader(record: ZipRecord): Buffer {
  const large = isLarge(record)
  const fields = largeFields(record)
  const extra = zip64Extra(fields)
  const version = versionNeeded(record)
  const fixed = Buffer.alloc(46)
  fixed.writeUInt32LE(0x02014b50, 0)
  fixed.writeUInt16LE(madeByUnix | version, 4)
  fixed.writeUInt16LE(version, 6)
  fixed.writeUInt16LE(date1980, 14)
  fixed.writeUInt32LE(record.crc32, 16)
  fixed.writeUInt32LE(large ? limit32 : record.bytes, 20)
  fixed.writeUInt32LE(large ? limit32 : record.bytes, 24)
  fixed.writeUInt16LE(record.path.length, 28)
  fixed.writeUInt16LE(extra.length, 30)
  fixed.writeUInt32LE(modeOfFile * 0x10000, 38)
  fixed.writeUInt32LE(Math.min(record.offset, limit32), 42)
  return Buffer.concat([fixed, Buffer.from(record.path, 'latin1'), extra])
}

export type Directory = { readonly entries: number; readonly offset: number; readonly bytes: number }

function needsZip64End(directory: Directory): boolean {
  return directory.entries >= limit16 || directory.offset >= limit32 || directory.bytes >= limit32
}

export function endLength(directory: Directory): number {
  return needsZip64End(directory) ? 56 + 20 + 22 : 22
}

export function endOfDirectory(directory: Directory): Buffer {
  const parts: Buffer[] = []
  if (needsZip64End(directory)) {
    const record = Buffer.alloc(56)
    record.writeUInt32LE(0x06064b50, 0)
    record.writeBigUInt64LE(44n, 4)
    record.writeUInt16LE(madeByUnix | zip64Version, 12)
    record.writeUInt16LE(zip64Version, 14)
    record.writeBigUInt64LE(BigInt(directory.entries), 24)
    record.writeBigUInt64LE(BigInt(directory.entries), 32)
    record.writeBigUInt64LE(BigInt(directory.bytes), 40)
    record.writeBigUInt64LE(BigInt(directory.offset), 48)
    const locator = Buffer.alloc(20)
    locator.writeUInt32LE(0x07064b50, 0)
    locator.writeBigUInt64LE(BigInt(directory.offset + directory.bytes), 8)
    locator.writeUInt32LE(1, 16)
    parts.push(record, locator)
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(directory.entries, limit16), 8)
  end.writeUInt16LE(Math.min(directory.entries, limit16), 10)
  end.writeUInt32LE(Math.min(directory.bytes, limit32), 12)
  end.writeUInt32LE(Math.min(directory.offset, limit32), 16)
  parts.push(end)
  return Buffer.concat(parts)
}
