import { digests } from '../../hash/digests.ts'
import type { DigestName } from '../../hash/digests.ts'
import { VerificationStopped } from '../../file/readable.ts'
import type { VerifyDeps } from '../../known/verify-deps.ts'
import type { PdfDocument } from '../document/document.ts'
import type { Gap } from '../document/find-signatures.ts'

const slice = 1 << 20

/** Of what a signature covers, in slices. */
export async function digestRanges(document: PdfDocument, gap: Gap, name: DigestName, deps: VerifyDeps): Promise<Uint8Array> {
  const hasher = name === 'sha256' && deps.sha256 !== undefined ? deps.sha256() : digests[name].create()
  for (const [from, to] of [
    [0, gap.start],
    [gap.end, gap.exactEnd],
  ] as const)
    for (let at = from; at < to; at += slice) {
      if (deps.signal?.aborted === true) throw new VerificationStopped('stopped')
      hasher.update(await document.read(at, Math.min(slice, to - at)))
      deps.onProgress?.(Math.min(to, at + slice), document.size)
      await deps.pause?.()
    }
  return hasher.digest()
}

/** Each answer calculated once. */
export function memo<K, V>(calculate: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const known = new Map<K, V>()
  return async (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = await calculate(key)
    known.set(key, made)
    return made
  }
}
