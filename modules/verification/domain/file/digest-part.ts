import { crc32 } from '../encoding/crc32.ts'
import { digestOfHeld, roomFor } from './held.ts'
import { slicesOf, VerificationStopped } from './readable.ts'
import type { Readable } from './readable.ts'
import { portableSha256 } from '../hash/running-hash.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'

const slice = 2 << 20

export type Digest = { readonly sha256: Uint8Array; readonly crc32: number }

/** Hashes a part of a file in slices, so that neither its length nor the screen matters. */
export async function digestPart(
  file: Readable,
  parts: readonly { readonly offset: number; readonly length: number }[],
  deps: VerifyDeps,
  onBytes: (count: number) => void = () => undefined,
): Promise<Digest> {
  const start = () => deps.sha256?.() ?? portableSha256()
  const held = roomFor(
    parts.reduce((sum, { length }) => sum + length, 0),
    deps,
  )
  const hasher = held === undefined ? start() : undefined
  let at = 0
  let crc = 0
  for (const { offset, length } of parts) {
    for await (const bytes of slicesOf(file, { offset, length }, slice)) {
      if (deps.signal?.aborted === true) throw new VerificationStopped('stopped')
      hasher?.update(bytes)
      held?.set(bytes, at)
      at += bytes.length
      crc = crc32(bytes, crc)
      onBytes(bytes.length)
      await deps.pause?.()
    }
  }
  return { sha256: hasher?.digest() ?? (await digestOfHeld(held ?? new Uint8Array(), 'sha256', start, deps)), crc32: crc }
}
