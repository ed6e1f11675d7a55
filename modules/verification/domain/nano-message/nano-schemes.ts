import { blake2b } from '@noble/hashes/blake2.js'
import { concatBytes, fromHex, utf8 } from '../../../../kernel/bytes.ts'

/** What wallets sign in the place of a text. No standard was there before ORIS-001, so that several are in use. */
export const nanoSchemes = ['oris_001', 'nano_signed_message', 'blake2b_256', 'raw', 'block_hash'] as const
export type NanoScheme = (typeof nanoSchemes)[number]

const orisHeader = utf8('\u0018Nano Off-chain Message:\n')
const signedHeader = utf8('Nano Signed Message:\n')

/** ORIS-001: header of 25 octets, length in 4 (big-endian), text. */
export function orisPayload(message: Uint8Array): Uint8Array {
  const length = message.length
  return concatBytes(orisHeader, Uint8Array.of(length >>> 24, length >>> 16, length >>> 8, length), message)
}

const blake2b256 = (bytes: Uint8Array): Uint8Array => blake2b(bytes, { dkLen: 32 })

/** What is hashed before it is signed; undefined for a scheme that signs the octets themselves. */
export function nanoPayload(scheme: NanoScheme, message: Uint8Array): Uint8Array | undefined {
  if (scheme === 'oris_001') return orisPayload(message)
  if (scheme === 'nano_signed_message') return concatBytes(signedHeader, message)
  return scheme === 'blake2b_256' ? message : undefined
}

/** The octets that the account signs; undefined when the text cannot be of that scheme. */
export function nanoSignedBytes(scheme: NanoScheme, text: string, message: Uint8Array): Uint8Array | undefined {
  const payload = nanoPayload(scheme, message)
  if (payload !== undefined) return blake2b256(payload)
  if (scheme === 'raw') return message
  return /^[0-9a-fA-F]{64}$/.test(text.trim()) ? fromHex(text.trim()) : undefined
}
