import type { DigestAlgorithm } from '../hash/digests.ts'
import type { RunningDigest } from '../hash/host-hashes.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'

/** More is read and hashed as soon in slices, and takes no memory. */
const mostHeld = 64 << 20

/** Memory for what may be hashed as a whole, where the host does that faster; none where there is not so much. */
export function roomFor(length: number, { hashes }: Pick<VerifyDeps, 'hashes'>): Uint8Array | undefined {
  if (hashes?.whole === undefined || length > mostHeld) return undefined
  try {
    return new Uint8Array(length)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** By the host, which copies it; where it does not know the algorithm, or has no memory for the copy, by the running hash. */
export async function digestOfHeld(
  held: Uint8Array,
  algorithm: DigestAlgorithm,
  start: () => RunningDigest,
  { hashes }: Pick<VerifyDeps, 'hashes'>,
): Promise<Uint8Array> {
  const digest = await hashes?.whole?.(algorithm, held)?.catch(() => undefined)
  if (digest !== undefined) return digest
  const hash = start()
  hash.update(held)
  return hash.digest()
}
