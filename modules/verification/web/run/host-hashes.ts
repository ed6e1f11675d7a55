import { createSHA256, createSHA384, createSHA512 } from 'hash-wasm'
import { runningHashOf } from '../../../../ui/hash/running-hash.ts'
import type { HostHashes } from '../../domain/file/hash-file.ts'
import type { Hasher } from '../../domain/hash/running-hash.ts'
import type { DigestAlgorithm } from '../../domain/hash/digests.ts'

const subtleNames: Partial<Record<DigestAlgorithm, string>> = {
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
  sha1: 'SHA-1',
}

/**
 * The fastest hashes of this browser. Web Crypto uses the processor's own instructions and takes only what is there as a whole; what
 * is longer goes through WebAssembly in slices.
 */
export async function hostHashes(): Promise<{ sha256?: () => Hasher; hashes: HostHashes }> {
  const [sha256, sha384, sha512] = await Promise.all([
    runningHashOf(createSHA256),
    runningHashOf(createSHA384),
    runningHashOf(createSHA512),
  ])
  const running: Partial<Record<DigestAlgorithm, () => Hasher>> = {
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(sha384 === undefined ? {} : { sha384 }),
    ...(sha512 === undefined ? {} : { sha512 }),
  }
  // Web Crypto is there in secure contexts alone.
  const subtle = globalThis.isSecureContext ? globalThis.crypto.subtle : undefined
  return {
    ...(sha256 === undefined ? {} : { sha256 }),
    hashes: {
      running: (algorithm) => running[algorithm]?.(),
      whole: (algorithm, bytes) => {
        const name = subtleNames[algorithm]
        if (subtle === undefined || name === undefined) return undefined
        return subtle.digest(name, bytes as Uint8Array<ArrayBuffer>).then((digest) => new Uint8Array(digest))
      },
    },
  }
}
