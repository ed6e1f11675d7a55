import { crc32, deflateRawSync } from 'node:zlib'

/** An entry, and what a test wants wrong with it. */
export type ZipPart = {
  readonly path: string
  readonly bytes: Uint8Array
  readonly deflate?: boolean
  readonly flags?: number
  readonly method?: number
  /** Stands in place of the packed bytes. */
  readonly raw?: Uint8Array
  /** The name in its own header, of the same length. */
  readonly localName?: string
  /** Its header is that of an earlier entry. */
  readonly sameAs?: string
}

/** A ZIP file (APPNOTE 6.3) of given parts, in their order. */
export function zipOf(parts: readonly ZipPart[], comment = ''): Uint8Array {
  const chunks: Buffer[] = []
  const central: Buffer[] = []
  const places = new Map<string, number>()
  let at = 0
  for (const part of parts) {
    const name = Buffer.from(part.path)
    const packed = Buffer.from(part.raw ?? (part.deflate === true ? deflateRawSync(part.bytes) : part.bytes))
    const method = part.method ?? (part.deflate === true ? 8 : 0)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE((part.flags ?? 0) | 0x800, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt16LE(0x21, 8)
    common.writeUInt32LE(crc32(part.bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(part.bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const place = part.sameAs === undefined ? at : (places.get(part.sameAs) ?? at)
    places.set(part.path, at)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(part.localName ?? part.path), packed])
    chunks.push(local)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(place, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, tail, name]))
    at += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(Buffer.byteLength(comment), 20)
  return new Uint8Array(Buffer.concat([...chunks, directory, end, Buffer.from(comment)]))
}

/** The same file, whose end record counts so many entries fewer than its directory holds. */
export function countingFewer(zip: Uint8Array, fewer: number): Uint8Array {
  const bytes = Buffer.from(zip)
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  for (const at of [end + 8, end + 10]) bytes.writeUInt16LE(bytes.readUInt16LE(at) - fewer, at)
  return new Uint8Array(bytes)
}
