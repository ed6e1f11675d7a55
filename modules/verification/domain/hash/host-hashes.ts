import type { DigestAlgorithm } from './digests.ts'

export type RunningDigest = { update(bytes: Uint8Array): unknown; digest(): Uint8Array }

/** What the host has that is faster than the portable code; each may be absent, and answers the same. */
export type HostHashes = {
  readonly running?: (algorithm: DigestAlgorithm) => RunningDigest | undefined
  /** Of bytes that are at hand as a whole: browsers have machine instructions for that alone. */
  readonly whole?: (algorithm: DigestAlgorithm, bytes: Uint8Array) => Promise<Uint8Array> | undefined
}
