import { ed25519 } from '@noble/curves/ed25519.js'
import { brainpoolP256r1, brainpoolP384r1, brainpoolP512r1 } from '@noble/curves/misc.js'
import { p256, p384, p521 } from '@noble/curves/nist.js'
import { concatBytes, equalBytes, fromHex, toHex } from '../../../../kernel/bytes.ts'
import { digestNamed, digests } from '../hash/digests.ts'
import { ids, signatureIds } from './object-ids.ts'
import type { DigestName } from '../hash/digests.ts'
import {
  bitOctets,
  children,
  explicit,
  integerContents,
  integerOctets,
  oidOf,
  plainAlgorithm,
  readDer,
  sequence,
  smallInteger,
} from '../encoding/der.ts'
import type { Der } from '../encoding/der.ts'

export type PublicKey =
  | { readonly type: 'rsa'; readonly modulus: bigint; readonly exponent: bigint; readonly bytes: number }
  | { readonly type: 'ec'; readonly curve: typeof p256; readonly point: Uint8Array }
  | { readonly type: 'ed25519'; readonly point: Uint8Array }
  | { readonly type: 'other' }

const curves: Readonly<Record<string, typeof p256>> = {
  '1.2.840.10045.3.1.7': p256,
  '1.3.132.0.34': p384,
  '1.3.132.0.35': p521,
  '1.3.36.3.3.2.8.1.1.7': brainpoolP256r1,
  '1.3.36.3.3.2.8.1.1.11': brainpoolP384r1,
  '1.3.36.3.3.2.8.1.1.13': brainpoolP512r1,
}

/** Cards of Estonia had it written as a negative number, or with a zero too many: there is one number that it can be. */
function modulusOctets(found: Der | undefined): Uint8Array {
  const contents = integerContents(found)
  return contents[0] === 0 && contents.length > 1 ? contents.subarray(1) : contents
}

/** Larger keys are nobody's, and would cost a verifier minutes. */
const largestModulus = 1024

/** SubjectPublicKeyInfo (RFC 5480, RFC 8017 §A.1). @throws MalformedError */
export function readPublicKey(found: Der | undefined): PublicKey {
  const [algorithm, key] = sequence(found, 2)
  const [id, parameters] = sequence(algorithm, 1, 2)
  const name = oidOf(id)
  if (name === ids.ecPublicKey) {
    const curve = parameters?.tag === 0x06 ? curves[oidOf(parameters)] : undefined
    return curve === undefined ? { type: 'other' } : { type: 'ec', curve, point: bitOctets(key) }
  }
  if (name === ids.ed25519) return { type: 'ed25519', point: bitOctets(key) }
  if (name !== ids.rsa && name !== ids.rsaPss) return { type: 'other' }
  const [modulus, exponent] = sequence(readDer(bitOctets(key), 0x30), 2)
  const octets = modulusOctets(modulus)
  if (octets.length > largestModulus || integerOctets(exponent).length > 4) return { type: 'other' }
  return { type: 'rsa', modulus: toInteger(octets), exponent: toInteger(integerOctets(exponent)), bytes: octets.length }
}

/** With Ed25519 the digest is the one of the attributes alone: the signature is over the message itself (RFC 8419 §2.3). */
export type SignatureScheme = {
  readonly kind: 'pkcs1' | 'pss' | 'ecdsa' | 'ed25519'
  readonly digest: DigestName
  readonly salt: number
}

/**
 * @param digest of the SignerInfo, which alone names it when the algorithm is plain `rsaEncryption` (RFC 3370 §3.2).
 * @returns undefined for what we don't know. @throws MalformedError
 */
export function readScheme(algorithm: Der | undefined, digest?: DigestName): SignatureScheme | undefined {
  const [id, parameters] = sequence(algorithm, 1, 2)
  const name = oidOf(id)
  if (name === ids.rsaPss) return readPss(parameters)
  if (name === ids.ed25519) return parameters === undefined ? { kind: 'ed25519', digest: 'sha512', salt: 0 } : undefined
  plainAlgorithm(algorithm)
  if (name === ids.rsa) return digest === undefined ? undefined : { kind: 'pkcs1', digest, salt: 0 }
  const known = Object.hasOwn(signatureIds, name) ? signatureIds[name] : undefined
  if (known === undefined || (digest !== undefined && known.digest !== digest)) return undefined
  return { kind: known.key === 'rsa' ? 'pkcs1' : 'ecdsa', digest: known.digest, salt: 0 }
}

/** RSASSA-PSS-params, RFC 8017 §A.2.3; only the same digest in both places, as everybody has it. */
function readPss(parameters: Der | undefined): SignatureScheme | undefined {
  let digest: DigestName | undefined = 'sha1'
  let mask: DigestName | undefined = 'sha1'
  let salt = 20
  for (const part of children(parameters ?? readDer(Uint8Array.of(0x30, 0), 0x30))) {
    if (part.tag === 0xa0) digest = digestNamed(plainAlgorithm(explicit(part, 0xa0)))
    else if (part.tag === 0xa1) {
      const [generator, inner] = sequence(explicit(part, 0xa1), 2)
      mask = oidOf(generator) === ids.mgf1 ? digestNamed(plainAlgorithm(inner)) : undefined
    } else if (part.tag === 0xa2) salt = smallInteger(explicit(part, 0xa2))
    else if (part.tag !== 0xa3 || smallInteger(explicit(part, 0xa3)) !== 1) return undefined
  }
  return digest === undefined || digest !== mask || salt > 512 ? undefined : { kind: 'pss', digest, salt }
}

/** Never throws: what cannot be checked does not hold. */
export function signatureHolds(key: PublicKey, scheme: SignatureScheme, message: Uint8Array, signature: Uint8Array): boolean {
  if (scheme.kind !== 'ed25519') return digestSignatureHolds(key, scheme, digests[scheme.digest](message), signature)
  if (key.type !== 'ed25519') return false
  try {
    // The rule of RFC 8032: points of small order and other encodings of the same point are nobody's signature.
    return ed25519.verify(signature, message, key.point, { zip215: false })
  } catch {
    return false
  }
}

/** The same, for a message of which only the digest under `scheme.digest` is at hand. */
export function digestSignatureHolds(
  key: PublicKey,
  scheme: SignatureScheme,
  digest: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (scheme.kind === 'ed25519' || digest.length !== digests[scheme.digest].outputLen) return false
  if (scheme.kind === 'ecdsa') {
    if (key.type !== 'ec') return false
    try {
      // Certificates may carry either of the two equal signatures: `lowS` is a rule of Bitcoin, not of X9.62.
      return key.curve.verify(signature, digest, key.point, { prehash: false, lowS: false, format: 'der' })
    } catch {
      return false
    }
  }
  if (key.type !== 'rsa' || signature.length !== key.bytes || key.modulus < 3n) return false
  const value = toInteger(signature)
  if (value >= key.modulus) return false
  const encoded = fromHex(
    power(value, key.exponent, key.modulus)
      .toString(16)
      .padStart(key.bytes * 2, '0'),
  )
  return scheme.kind === 'pkcs1'
    ? equalBytes(encoded, pkcs1(digest, scheme.digest, key.bytes))
    : pssHolds(encoded, digest, scheme, key)
}

const digestInfo: Readonly<Record<DigestName, string>> = {
  sha1: '3021300906052b0e03021a05000414',
  sha224: '302d300d06096086480165030402040500041c',
  'sha3-256': '3031300d060960864801650304020805000420',
  'sha3-384': '3041300d060960864801650304020905000430',
  'sha3-512': '3051300d060960864801650304020a05000440',
  sha256: '3031300d060960864801650304020105000420',
  sha384: '3041300d060960864801650304020205000430',
  sha512: '3051300d060960864801650304020305000440',
}

/** EMSA-PKCS1-v1_5, RFC 8017 §9.2: built and compared, never parsed, which is what Bleichenbacher's forgery needs. */
function pkcs1(digest: Uint8Array, name: DigestName, length: number): Uint8Array {
  const tail = concatBytes(fromHex(digestInfo[name]), digest)
  const padding = length - tail.length - 3
  if (padding < 8) return new Uint8Array()
  return concatBytes(Uint8Array.of(0, 1), new Uint8Array(padding).fill(0xff), Uint8Array.of(0), tail)
}

/** EMSA-PSS-VERIFY, RFC 8017 §9.1.2. */
function pssHolds(encoded: Uint8Array, digest: Uint8Array, scheme: SignatureScheme, key: { modulus: bigint }): boolean {
  const hash = digests[scheme.digest]
  const bits = key.modulus.toString(2).length - 1
  const em = encoded.subarray(encoded.length - Math.ceil(bits / 8))
  if (encoded.length > em.length && encoded[0] !== 0) return false
  const maskedLength = em.length - digest.length - 1
  if (em.at(-1) !== 0xbc || maskedLength < scheme.salt + 1) return false
  const expected = em.subarray(maskedLength, em.length - 1)
  const block = em.slice(0, maskedLength)
  const spare = 8 * em.length - bits
  if ((block[0] ?? 0) >> (8 - spare) !== 0 && spare > 0) return false
  for (let at = 0, counter = 0; at < block.length; at += digest.length, counter += 1) {
    const mask = hash(concatBytes(expected, Uint8Array.of(counter >>> 24, counter >>> 16, counter >>> 8, counter)))
    for (let i = 0; i < mask.length && at + i < block.length; i += 1) block[at + i] = (block[at + i] ?? 0) ^ (mask[i] ?? 0)
  }
  block[0] = (block[0] ?? 0) & (0xff >> spare)
  const saltAt = maskedLength - scheme.salt
  if (block[saltAt - 1] !== 1 || block.subarray(0, saltAt - 1).some((octet) => octet !== 0)) return false
  return equalBytes(hash(concatBytes(new Uint8Array(8), digest, block.subarray(saltAt))), expected)
}

function toInteger(octets: Uint8Array): bigint {
  return BigInt(`0x${toHex(octets) || '0'}`)
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  let square = base
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

/** RSA under 2048 bits and SHA-1 signatures no longer prove who signed (ETSI TS 119 312). */
export function isWeak(key: PublicKey, scheme: SignatureScheme): boolean {
  return scheme.digest === 'sha1' || (key.type === 'rsa' && key.bytes < 256)
}
