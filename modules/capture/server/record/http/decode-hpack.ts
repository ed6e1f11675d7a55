/** HPACK decoder (RFC 7541) with the bounds that hostile input asks for. */
import type { HeaderField } from '../exchange/exchange.ts'
import { decodeHuffman, staticTable } from './hpack-tables.ts'

export type HpackDecoder = {
  /** Decodes one whole header block; null when it is malformed: the connection can't be read further (RFC 9113 §4.3). */
  decode(block: Buffer): HeaderField[] | null
  /** SETTINGS_HEADER_TABLE_SIZE of the side that decodes: the bound of size updates. */
  allowTableSize(bytes: number): void
}

/** More than any browser takes (Chromium: 256 KiB). */
const maxListBytes = 1 << 20
const maxTableBytes = 1 << 20

export function createHpackDecoder(): HpackDecoder {
  const table: HeaderField[] = []
  let tableBytes = 0
  let capacity = 4096
  // The largest size ever allowed: an update may still be on its way when the allowance shrinks.
  let allowed = 4096

  const sizeOf = (field: HeaderField): number => field.name.length + field.value.length + 32
  const evict = (room: number): void => {
    while (tableBytes > room) {
      const oldest = table.pop()
      if (oldest === undefined) break
      tableBytes -= sizeOf(oldest)
    }
  }
  const insert = (field: HeaderField): void => {
    const size = sizeOf(field)
    evict(Math.max(0, capacity - size))
    if (size > capacity) return
    table.unshift(field)
    tableBytes += size
  }
  const lookUp = (index: number): HeaderField | undefined =>
    index <= staticTable.length ? staticTable[index - 1] : table[index - staticTable.length - 1]

  const decode = (block: Buffer): HeaderField[] | null => {
    let offset = 0
    const integer = (prefixBits: number): number | null => {
      const limit = 2 ** prefixBits - 1
      const first = block[offset]
      if (first === undefined) return null
      offset += 1
      let value = first & limit
      if (value < limit) return value
      for (let shift = 0; shift <= 28; shift += 7) {
        const byte = block[offset]
        if (byte === undefined) return null
        offset += 1
        value += (byte & 127) * 2 ** shift
        if (byte < 128) return value
      }
      return null
    }
    const string = (): string | null => {
      const huffman = ((block[offset] ?? 0) & 128) !== 0
      const length = integer(7)
      if (length === null || offset + length > block.length) return null
      const bytes = block.subarray(offset, offset + length)
      offset += length
      return huffman ? decodeHuffman(bytes) : bytes.toString('latin1')
    }

    const fields: HeaderField[] = []
    let listBytes = 0
    while (offset < block.length) {
      const first = block[offset] ?? 0
      let field: HeaderField | undefined
      if (first >= 128) {
        const index = integer(7)
        field = index === null || index === 0 ? undefined : lookUp(index)
      } else if (first >= 32 && first < 64) {
        // Size updates stand only at the beginning of a block (RFC 7541 §4.2).
        const size = integer(5)
        if (size === null || size > allowed || fields.length > 0) return null
        capacity = size
        evict(capacity)
        continue
      } else {
        const indexed = first >= 64
        const index = integer(indexed ? 6 : 4)
        if (index === null) return null
        const name = index === 0 ? string() : lookUp(index)?.name
        const value = name === undefined || name === null ? null : string()
        if (name !== undefined && name !== null && value !== null) field = { name, value }
        if (field !== undefined && indexed) insert(field)
      }
      if (field === undefined) return null
      listBytes += sizeOf(field)
      if (listBytes > maxListBytes) return null
      fields.push(field)
    }
    return fields
  }

  return {
    decode,
    allowTableSize(bytes) {
      allowed = Math.max(allowed, Math.min(bytes, maxTableBytes))
    },
  }
}
