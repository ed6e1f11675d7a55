import { sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js'
import type { Hasher } from './running-hash.ts'

/** Digests that tokens and certificates of outside authorities use. SHA-1 is read, and said to be weak wherever it signs. */
export type DigestName = 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512' | 'sha3-256' | 'sha3-384' | 'sha3-512'

type Digest = ((bytes: Uint8Array) => Uint8Array) & {
  readonly outputLen: number
  create(): Pick<Hasher, 'update' | 'digest'>
}

export const digests: Readonly<Record<DigestName, Digest>> = {
  sha1,
  sha224,
  sha256,
  sha384,
  sha512,
  'sha3-256': sha3_256,
  'sha3-384': sha3_384,
  'sha3-512': sha3_512,
}

const digestIds: Readonly<Record<string, DigestName>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
  '2.16.840.1.101.3.4.2.9': 'sha3-384',
  '2.16.840.1.101.3.4.2.10': 'sha3-512',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

export function isDigestName(name: string): name is DigestName {
  return Object.hasOwn(digests, name)
}

export function digestNamed(id: string): DigestName | undefined {
  return Object.hasOwn(digestIds, id) ? digestIds[id] : undefined
}

/** Digests that proofs of any kind name. */
export type DigestAlgorithm = 'sha1' | 'sha256' | 'sha384' | 'sha512' | 'sha3-256' | 'blake2b-256' | 'ripemd160'
