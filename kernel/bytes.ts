/** Byte encodings shared by both sides of the wire. Pure: no Node Buffer, no DOM. */

const hexDigits = '0123456789abcdef'

/** Lower-case hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  let out = ''
  for (const byte of bytes) out += hexDigits.charAt(byte >> 4) + hexDigits.charAt(byte & 15)
  return out
}

/** Decodes an even-length hexadecimal string of either case. @throws RangeError naming the flaw. */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  if (hex.length % 2 !== 0) throw new RangeError('hexadecimal string of odd length')
  if (!/^[0-9a-fA-F]*$/.test(hex)) throw new RangeError('not a hexadecimal string')
  const out = new Uint8Array(hex.length / 2)
  for (let i = 0; i < out.length; i += 1) out[i] = Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16)
  return out
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    out.set(part, offset)
    offset += part.length
  }
  return out
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
