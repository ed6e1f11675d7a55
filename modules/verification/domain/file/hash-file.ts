import { blake2b } from '@noble/hashes/blake2.js'
import { ripemd160, sha1 } from '@noble/hashes/legacy.js'
import { sha384, sha512 } from '@noble/hashes/sha2.js'
import { sha3_256 } from '@noble/hashes/sha3.js'
import { toHex } from '../../../../kernel/bytes.ts'
import { portableSha256 } from '../hash/running-hash.ts'
import { slicesOf, VerificationStopped } from './readable.ts'
import type { Readable } from './readable.ts'
import type { DigestAlgorithm } from '../hash/digests.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'

type Running = { update(bytes: Uint8Array): unknown; digest(): Uint8Array }

/** What the host has that is faster than the portable code; each may be absent, and answers the same. */
export type HostHashes = {
  readonly running?: (algorithm: DigestAlgorithm) => Running | undefined
  /** Of bytes that are at hand as a whole: browsers have machine instructions for that alone. */
  readonly whole?: (algorithm: DigestAlgorithm, bytes: Uint8Array) => Promise<Uint8Array> | undefined
}

const slice = 2 << 20
/** A file up to this length may be held as a whole; longer ones go through in slices. */
export const largestWhole = 64 << 20

/** Digests of one file under several algorithms in one pass. @throws VerificationStopped; the error of the file's own `read` */
export async function hashFile(
  file: Readable,
  algorithms: readonly DigestAlgorithm[],
  deps: Pick<VerifyDeps, 'sha256' | 'signal' | 'pause'> & { readonly hashes?: HostHashes },
  onBytes: (count: number) => void = () => undefined,
): Promise<Partial<Record<DigestAlgorithm, string>>> {
  const out: Partial<Record<DigestAlgorithm, string>> = {}
  if (deps.hashes?.whole !== undefined && file.size <= largestWhole) {
    const bytes = await file.read(0, file.size)
    for (const algorithm of algorithms) {
      const digest = await deps.hashes.whole(algorithm, bytes)
      if (digest !== undefined) out[algorithm] = toHex(digest)
    }
  }
  const left = algorithms.filter((algorithm) => out[algorithm] === undefined)
  const running = left.map((algorithm) => [algorithm, startHash(algorithm, deps)] as const)
  for await (const bytes of slicesOf(file, { offset: 0, length: running.length > 0 ? file.size : 0 }, slice)) {
    if (deps.signal?.aborted === true) throw new VerificationStopped('stopped')
    for (const [, hash] of running) hash.update(bytes)
    onBytes(bytes.length)
    await deps.pause?.()
  }
  for (const [algorithm, hash] of running) out[algorithm] = toHex(hash.digest())
  if (running.length === 0) onBytes(file.size)
  return out
}

function startHash(algorithm: DigestAlgorithm, deps: Parameters<typeof hashFile>[2]): Running {
  const host = deps.hashes?.running?.(algorithm)
  if (host !== undefined) return host
  return portable[algorithm](deps)
}

const portable: Readonly<Record<DigestAlgorithm, (deps: Pick<VerifyDeps, 'sha256'>) => Running>> = {
  sha256: (deps) => deps.sha256?.() ?? portableSha256(),
  sha1: () => sha1.create(),
  sha384: () => sha384.create(),
  sha512: () => sha512.create(),
  'sha3-256': () => sha3_256.create(),
  ripemd160: () => ripemd160.create(),
  'blake2b-256': () => blake2b.create({ dkLen: 32 }),
}
