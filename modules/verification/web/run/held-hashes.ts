import type { DigestAlgorithm } from '../../domain/hash/digests.ts'
import type { HostHashes } from '../../domain/hash/host-hashes.ts'

const names: Partial<Record<DigestAlgorithm, string>> = {
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
  sha1: 'SHA-1',
}

/** Web Crypto, which has the processor's own instructions and takes what is there as a whole; it is there in secure contexts alone. */
export function heldHashes(): HostHashes {
  if (!globalThis.isSecureContext) return {}
  const { subtle } = globalThis.crypto
  return {
    whole: (algorithm, bytes) => {
      const name = names[algorithm]
      if (name === undefined) return undefined
      return subtle.digest(name, bytes as Uint8Array<ArrayBuffer>).then((digest) => new Uint8Array(digest))
    },
  }
}
