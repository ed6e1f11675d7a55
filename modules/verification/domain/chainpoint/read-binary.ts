import { malformed } from '../encoding/der.ts'
import { inflate } from '../encoding/inflate.ts'
import { jsonBounds } from '../encoding/bounded-json.ts'

/** Longest that a binary proof may be once inflated: proofs have some kilobytes. */
const longestInflated = 1 << 20

/** Binary Chainpoint: MessagePack, compressed as zlib (RFC 1950). @throws MalformedError `binary` */
export function readBinary(bytes: Uint8Array): unknown {
  const [first = 0, second = 0] = bytes
  const zlib = (first & 0x0f) === 8 && first >> 4 <= 7 && (second & 0x20) === 0 && (first * 256 + second) % 31 === 0
  if (!zlib || bytes.length < 8) malformed('binary')
  const packed = inflated(bytes)
  const cursor = { at: 0, values: 0 }
  const value = readValue(packed, cursor, 0)
  return cursor.at === packed.length ? value : malformed('binary')
}

function inflated(bytes: Uint8Array): Uint8Array {
  const { bytes: out, used } = inflateOrMalformed(bytes.subarray(2))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return used + 6 === bytes.length && view.getUint32(bytes.length - 4) === adler32(out) ? out : malformed('binary')
}

function inflateOrMalformed(bytes: Uint8Array): ReturnType<typeof inflate> {
  try {
    return inflate(bytes, longestInflated)
  } catch {
    return malformed('binary')
  }
}

function adler32(bytes: Uint8Array): number {
  let a = 1
  let b = 0
  for (const byte of bytes) {
    a = (a + byte) % 65_521
    b = (b + a) % 65_521
  }
  return b * 65_536 + a
}

type Cursor = { at: number; values: number }

/** What proofs hold of MessagePack: maps, arrays, texts, and integers that are passed over. */
function readValue(bytes: Uint8Array, cursor: Cursor, depth: number): unknown {
  cursor.values += 1
  if (depth > jsonBounds.depth || cursor.values > jsonBounds.values) malformed('too_deep')
  const tag = number(bytes, cursor, 1)
  if (tag < 0x80 || tag >= 0xe0) return tag < 0x80 ? tag : tag - 256
  if (tag < 0x90) return readMap(bytes, cursor, tag & 0x0f, depth)
  if (tag < 0xa0) return readArray(bytes, cursor, tag & 0x0f, depth)
  if (tag < 0xc0) return readText(bytes, cursor, tag & 0x1f)
  switch (tag) {
    case 0xc0:
      return null
    case 0xc2:
    case 0xc3:
      return tag === 0xc3
    case 0xcc:
    case 0xcd:
    case 0xce:
      return number(bytes, cursor, 2 ** (tag - 0xcc))
    case 0xd9:
    case 0xda:
    case 0xdb:
      return readText(bytes, cursor, number(bytes, cursor, 2 ** (tag - 0xd9)))
    case 0xdc:
    case 0xdd:
      return readArray(bytes, cursor, number(bytes, cursor, 2 ** (tag - 0xdb)), depth)
    case 0xde:
    case 0xdf:
      return readMap(bytes, cursor, number(bytes, cursor, 2 ** (tag - 0xdd)), depth)
    default:
      return malformed('binary')
  }
}

function readMap(bytes: Uint8Array, cursor: Cursor, size: number, depth: number): Record<string, unknown> {
  // Without a prototype, so that no key means anything.
  const map = Object.create(null) as Record<string, unknown>
  for (let i = 0; i < size; i += 1) {
    const key = readValue(bytes, cursor, depth + 1)
    map[typeof key === 'string' ? key : malformed('binary')] = readValue(bytes, cursor, depth + 1)
  }
  return map
}

function readArray(bytes: Uint8Array, cursor: Cursor, size: number, depth: number): unknown[] {
  const items: unknown[] = []
  for (let i = 0; i < size; i += 1) items.push(readValue(bytes, cursor, depth + 1))
  return items
}

function readText(bytes: Uint8Array, cursor: Cursor, length: number): string {
  if (length > bytes.length - cursor.at) malformed('binary')
  cursor.at += length
  return new TextDecoder().decode(bytes.subarray(cursor.at - length, cursor.at))
}

/** Big-endian, of 1, 2 or 4 octets. */
function number(bytes: Uint8Array, cursor: Cursor, width: number): number {
  let value = 0
  for (let i = 0; i < width; i += 1, cursor.at += 1) value = value * 256 + (bytes[cursor.at] ?? malformed('binary'))
  return value
}
