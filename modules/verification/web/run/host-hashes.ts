import { runningHash } from '../../../../ui/hash/running-hash.ts'
import type { DigestAlgorithm } from '../../domain/hash/digests.ts'
import type { HostHashes } from '../../domain/hash/host-hashes.ts'
import type { Hasher } from '../../domain/hash/running-hash.ts'
import { heldHashes } from './held-hashes.ts'

/**
 * The fastest hashes of this browser: Web Crypto for what may be held as a whole, WebAssembly slice by slice for what is longer.
 */
export async function hostHashes(): Promise<{ sha256?: () => Hasher; hashes: HostHashes }> {
  const [sha256, sha384, sha512] = await Promise.all([runningHash('sha256'), runningHash('sha384'), runningHash('sha512')])
  const running: Partial<Record<DigestAlgorithm, () => Hasher>> = {
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(sha384 === undefined ? {} : { sha384 }),
    ...(sha512 === undefined ? {} : { sha512 }),
  }
  return {
    ...(sha256 === undefined ? {} : { sha256 }),
    hashes: { ...heldHashes(), running: (algorithm) => running[algorithm]?.() },
  }
}
