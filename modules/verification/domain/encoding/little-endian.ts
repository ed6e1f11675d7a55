/** Unsigned integers as ZIP writes them (APPNOTE 4.4.1); octets past the end count as zero, and values beyond 2⁵³ are not exact. */
export function u16(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 0x100
}
export function u32(bytes: Uint8Array, at: number): number {
  return u16(bytes, at) + u16(bytes, at + 2) * 0x10000
}
export function u64(bytes: Uint8Array, at: number): number {
  return u32(bytes, at) + u32(bytes, at + 4) * 0x100000000
}
