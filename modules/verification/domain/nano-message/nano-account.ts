import { blake2b } from '@noble/hashes/blake2.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { equalBytes, fromHex, toHex } from '../../../../kernel/bytes.ts'

/** Nano's alphabet of 32 signs; 5 bits each, big-endian, four bits of nothing first (docs.nano.org, "Account public key vs address"). */
const alphabet = '13456789abcdefghijkmnopqrstuwxyz'
const form = /^(?:nano|xrb)_[13][13456789abcdefghijkmnopqrstuwxyz]{59}$/

function toText(bytes: Uint8Array, signs: number): string {
  let value = BigInt(`0x${toHex(bytes)}`)
  let text = ''
  for (let i = 0; i < signs; i += 1, value >>= 5n) text = alphabet.charAt(Number(value & 31n)) + text
  return text
}

function toBytes(text: string, octets: number): Uint8Array | undefined {
  let value = 0n
  for (const sign of text) value = (value << 5n) | BigInt(alphabet.indexOf(sign))
  const hex = value.toString(16).padStart(octets * 2, '0')
  return hex.length === octets * 2 ? fromHex(hex) : undefined
}

const checksum = (publicKey: Uint8Array): Uint8Array => blake2b(publicKey, { dkLen: 5 }).toReversed()

/** @param publicKey 32 octets. */
export function nanoAccount(publicKey: Uint8Array): string {
  return `nano_${toText(publicKey, 52)}${toText(checksum(publicKey), 8)}`
}

/** Public key of `nano_…` or the older `xrb_…`; undefined when the form or the checksum is wrong. */
export function readNanoAccount(text: string): Uint8Array | undefined {
  if (text.length > 66 || !form.test(text)) return undefined
  const body = text.slice(text.indexOf('_') + 1)
  const publicKey = toBytes(body.slice(0, 52), 32)
  const sum = toBytes(body.slice(52), 5)
  return publicKey !== undefined && sum !== undefined && equalBytes(checksum(publicKey), sum) ? publicKey : undefined
}

/** Not a point, or one of the eight for which a signature fits any text. */
export function isUnusableKey(publicKey: Uint8Array): boolean {
  try {
    return ed25519.Point.fromBytes(publicKey).isSmallOrder()
  } catch {
    return true
  }
}
