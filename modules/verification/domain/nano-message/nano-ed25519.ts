import { eddsa } from '@noble/curves/abstract/edwards.js'
import { ed25519 } from '@noble/curves/ed25519.js'
import { blake2b } from '@noble/hashes/blake2.js'

/**
 * Ed25519 as Nano has it: RFC 8032 with BLAKE2b-512 in the place of SHA-512 (docs.nano.org, "Signing, hashing and key derivation").
 * Strict: encodings are canonical, S is below the order, and keys of small order are refused, so that one message has one signature.
 */
export const nanoEd25519 = /* @__PURE__ */ eddsa(ed25519.Point, blake2b, {
  adjustScalarBytes: (bytes: Uint8Array<ArrayBuffer>) => {
    bytes[0] = (bytes[0] ?? 0) & 248
    bytes[31] = ((bytes[31] ?? 0) & 127) | 64
    return bytes
  },
  zip215: false,
})

/** @param secret 32 octets. @returns 32 octets. */
export const nanoPublicKey = (secret: Uint8Array): Uint8Array => nanoEd25519.getPublicKey(secret)
