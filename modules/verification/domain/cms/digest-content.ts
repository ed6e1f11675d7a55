import { fromHex } from '../../../../kernel/bytes.ts'
import { digests, isDigestName } from '../hash/digests.ts'
import type { DigestName } from '../hash/digests.ts'
import { VerificationStopped } from '../file/readable.ts'
import type { Readable } from '../file/readable.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'

/** What a proof is compared with: the bytes, or the digests that somebody calculated elsewhere, by algorithm, hexadecimal. */
export type Compared =
  | {
      readonly digests: Readonly<Partial<Record<DigestName, string>>>
      /** Where it is at hand: for another algorithm, or to be hashed with something else. */
      readonly file?: Readable
    }
  | { readonly bytes: Uint8Array }
  | { readonly file: Readable }

const slice = 1 << 20

/**
 * @param around octets that are hashed with it.
 * @returns the digest, or undefined when only digests under other algorithms are at hand, or one that cannot be one.
 * @throws VerificationStopped; whatever reading the file throws.
 */
export async function digestCompared(
  compared: Compared,
  algorithm: DigestName,
  deps: VerifyDeps,
  around?: { readonly before: Uint8Array; readonly after: Uint8Array },
): Promise<Uint8Array | undefined> {
  if ('digests' in compared) {
    const hex = around === undefined ? compared.digests[algorithm] : undefined
    const right = hex !== undefined && /^[0-9a-fA-F]*$/.test(hex) && hex.length === digests[algorithm].outputLen * 2
    if (right) return fromHex(hex)
    return compared.file === undefined ? undefined : await digestCompared({ file: compared.file }, algorithm, deps, around)
  }
  const hasher = algorithm === 'sha256' && deps.sha256 !== undefined ? deps.sha256() : digests[algorithm].create()
  if (around !== undefined) hasher.update(around.before)
  const file =
    'file' in compared
      ? compared.file
      : { size: compared.bytes.length, read: async (at: number, length: number) => compared.bytes.subarray(at, at + length) }
  for (let at = 0; at < file.size; at += slice) {
    if (deps.signal?.aborted === true) throw new VerificationStopped('stopped')
    const bytes = await file.read(at, Math.min(slice, file.size - at))
    hasher.update(bytes)
    if ('file' in compared) deps.onProgress?.(at + bytes.length, file.size)
    await deps.pause?.()
  }
  if (around !== undefined) hasher.update(around.after)
  return hasher.digest()
}

/** A digest that a person typed: the algorithm is the one named, else the one whose length it has. */
export function typedDigest(hex: string, algorithm?: string): Compared | undefined {
  const clean = hex.replaceAll(/[\s:]/g, '').toLowerCase()
  if (!/^[0-9a-f]+$/.test(clean)) return undefined
  if (algorithm !== undefined)
    return isDigestName(algorithm) && digests[algorithm].outputLen * 2 === clean.length
      ? { digests: { [algorithm]: clean } }
      : undefined
  // SHA-2 and SHA-3 have digests of the same length: the proof says which of them it is.
  const fitting = Object.entries(digests).filter(([, { outputLen }]) => outputLen * 2 === clean.length)
  return fitting.length === 0 ? undefined : { digests: Object.fromEntries(fitting.map(([name]) => [name, clean])) }
}
