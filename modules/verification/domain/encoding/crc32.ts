/** Eight tables of 256: the CRC of eight octets at once ("slicing by 8", Kounavis and Berry 2005). */
const tables = crcTables()

function crcTables(): Uint32Array {
  const all = new Uint32Array(8 * 256)
  for (let n = 0; n < 256; n += 1) {
    let value = n
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
    all[n] = value >>> 0
  }
  for (let i = 256; i < all.length; i += 1) {
    const before = all[i - 256] as number
    all[i] = ((all[before & 0xff] as number) ^ (before >>> 8)) >>> 0
  }
  return all
}

/** CRC-32 of ISO 3309, as ZIP has it; `crc` continues an earlier one. */
export function crc32(bytes: Uint8Array, crc = 0): number {
  const t = tables
  let value = ~crc
  let i = 0
  for (; i + 8 <= bytes.length; i += 8) {
    value ^=
      (bytes[i] as number) | ((bytes[i + 1] as number) << 8) | ((bytes[i + 2] as number) << 16) | ((bytes[i + 3] as number) << 24)
    value =
      (t[1792 + (value & 0xff)] as number) ^
      (t[1536 + ((value >>> 8) & 0xff)] as number) ^
      (t[1280 + ((value >>> 16) & 0xff)] as number) ^
      (t[1024 + (value >>> 24)] as number) ^
      (t[768 + (bytes[i + 4] as number)] as number) ^
      (t[512 + (bytes[i + 5] as number)] as number) ^
      (t[256 + (bytes[i + 6] as number)] as number) ^
      (t[bytes[i + 7] as number] as number)
  }
  for (; i < bytes.length; i += 1) value = (value >>> 8) ^ (t[(value ^ (bytes[i] as number)) & 0xff] as number)
  return ~value >>> 0
}
