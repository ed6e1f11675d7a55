import { blake2b } from '@noble/hashes/blake2.js'
import { ripemd160, sha1 } from '@noble/hashes/legacy.js'
import { sha384, sha512 } from '@noble/hashes/sha2.js'
import { sha3_256 } from '@noble/hashes/sha3.js'
import { toHex } from '../../../../kernel/bytes.ts'
import { portableSha256 } from '../hash/running-hash.ts'
import { slicesOf, VerificationStopped } from './readable.ts'
import type { Readable } from './readable.ts'
import { digestOfHeld, roomFor } from './held.ts'
import type { DigestAlgorithm } from '../hash/digests.ts'
import type { RunningDigest } from '../hash/host-hashes.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'

const slice = 2 << 20
/** Digests of one file under several algorithms in one pass. @throws VerificationStopped; the error of the file's own `read` */
export async function hashFile(
  file: Readable,
  algorithms: readonly DigestAlgorithm[],
  deps: Pick<VerifyDeps, 'sha256' | 'signal' | 'pause' | 'hashes'>,
  onBytes: (count: number) => void = () => undefined,
): Promise<Partial<Record<DigestAlgorithm, string>>> {
  const out: Partial<Record<DigestAlgorithm, string>> = {}
  const held = roomFor(file.size, deps)
  const running = algorithms.map((algorithm) => [algorithm, held ?? startHash(algorithm, deps)] as const)
  let at = 0
  for await (const bytes of slicesOf(file, { offset: 0, length: file.size }, slice)) {
    if (deps.signal?.aborted === true) throw new VerificationStopped('stopped')
    held?.set(bytes, at)
    for (const [, hash] of running) if ('update' in hash) hash.update(bytes)
    at += bytes.length
    onBytes(bytes.length)
    await deps.pause?.()
  }
  for (const [algorithm, hash] of running) {
    const digest = 'update' in hash ? hash.digest() : await digestOfHeld(hash, algorithm, () => startHash(algorithm, deps), deps)
    out[algorithm] = toHex(digest)
  }
  return out
}

function startHash(algorithm: DigestAlgorithm, deps: Parameters<typeof hashFile>[2]): RunningDigest {
  const host = deps.hashes?.running?.(algorithm)
  if (host !== undefined) return host
  return portable[algorithm](deps)
}

const portable: Readonly<Record<DigestAlgorithm, (deps: Pick<VerifyDeps, 'sha256'>) => RunningDigest>> = {
  sha256: (deps) => deps.sha256?.() ?? portableSha256(),
  sha1: () => sha1.create(),
  sha384: () => sha384.create(),
  sha512: () => sha512.create(),
  'sha3-256': () => sha3_256.create(),
  ripemd160: () => ripemd160.create(),
  'blake2b-256': () => blake2b.create({ dkLen: 32 }),
}
