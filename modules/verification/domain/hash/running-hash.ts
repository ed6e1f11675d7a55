import { sha256 } from '@noble/hashes/sha2.js'

export type Hasher = {
  update(bytes: Uint8Array): unknown
  /** Ends the hash. */
  digest(): Uint8Array
  /** The hash of what came so far, to be read while this one goes on. */
  copy(): Hasher
}

/** SHA-256 without anything of the host. */
export function portableSha256(hash = sha256.create()): Hasher {
  return { update: (bytes) => hash.update(bytes), digest: () => hash.digest(), copy: () => portableSha256(hash.clone()) }
}
