import { addressOfKey } from '../../bitcoin-message/address.ts'
import { doubleSha256, magicMessage } from '../../bitcoin-message/recover-key.ts'
import { nanoEd25519 } from '../../nano-message/nano-ed25519.ts'
import { nanoSignedBytes } from '../../nano-message/nano-schemes.ts'

/** What a signer needs of the rules by which its signatures are verified. */

/** P2PKH address of a compressed secp256k1 key. */
export const bitcoinAddress = (publicKey: Uint8Array): string => addressOfKey(publicKey, 'p2pkh').text

/** What a Bitcoin message signature is over: 32 octets. */
export const bitcoinMessageDigest = (message: Uint8Array): Uint8Array => doubleSha256(magicMessage(message))

/** What a Nano account signs for a text under ORIS-001: 32 octets. */
export function orisDigest(message: Uint8Array): Uint8Array {
  const digest = nanoSignedBytes('oris_001', '', message)
  if (digest === undefined) throw new TypeError('ORIS-001 hashes any text')
  return digest
}

/** @param secret 32 octets. @returns 64 octets. */
export const signNano = (digest: Uint8Array, secret: Uint8Array): Uint8Array => nanoEd25519.sign(digest, secret)
