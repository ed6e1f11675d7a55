import { sha256 } from '@noble/hashes/sha2.js'
import type { BitcoinNetwork } from './bitcoin/known-chain.ts'
import type { HeaderSource, PlatformKeys } from './proof.ts'
import type { TrustedLists } from './trusted-list/trusted-lists.ts'

/** Random access to bytes on disk or in the browser. `read` answers exactly `length` octets, or throws. */
export type Readable = {
  readonly size: number
  read(offset: number, length: number): Promise<Uint8Array>
}

/** A package as it was handed to us: one ZIP file, or the files of the folder that it was unpacked to. */
export type PackageSource =
  | { readonly kind: 'zip'; readonly file: Readable }
  | { readonly kind: 'folder'; readonly files: readonly (Readable & { readonly path: string })[] }

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

export type VerifyDeps = {
  readonly now: () => Date
  /** Faster SHA-256 of the host; the pure one is used when absent. */
  readonly sha256?: () => Hasher
  /** Octets hashed so far, of all. */
  readonly onProgress?: (done: number, total: number) => void
  /** Called between slices: the page lets the screen draw. */
  readonly pause?: () => Promise<void>
  readonly signal?: { readonly aborted: boolean }
  /** Roots that the reader got from elsewhere, PEM: the platform's must be among them, and those that date ought to be. */
  readonly trust?: Uint8Array
  /** Keys that the operator publishes, from elsewhere than the package. */
  readonly keys?: PlatformKeys
  /** Bitcoin block headers, from elsewhere than the package. */
  readonly headers?: HeaderSource
  /** The network that they are measured against; `main` when absent. */
  readonly network?: BitcoinNetwork
  /** What the European trusted lists say of time-stamping services. */
  readonly trustedLists?: TrustedLists
}

/** Stopped by the person who asked; the only thing that verification throws. */
export class VerificationStopped extends Error {
  override readonly name = 'VerificationStopped'
}

const slice = 1 << 20

export type Digest = { readonly sha256: Uint8Array; readonly crc32: number }

/** Hashes a part of a file in slices, so that neither its length nor the screen matters. */
export async function digestPart(
  file: Readable,
  parts: readonly { readonly offset: number; readonly length: number }[],
  deps: VerifyDeps,
  onBytes: (count: number) => void = () => undefined,
): Promise<Digest> {
  const hasher = deps.sha256?.() ?? portableSha256()
  let crc = 0
  for (const { offset, length } of parts) {
    for (let at = 0; at < length; at += slice) {
      if (deps.signal?.aborted === true) throw new VerificationStopped('stopped')
      const bytes = await file.read(offset + at, Math.min(slice, length - at))
      hasher.update(bytes)
      crc = crc32(bytes, crc)
      onBytes(bytes.length)
      await deps.pause?.()
    }
  }
  return { sha256: hasher.digest(), crc32: crc }
}

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})

/** CRC-32 of ISO 3309, as ZIP has it; `crc` continues an earlier one. */
export function crc32(bytes: Uint8Array, crc = 0): number {
  let value = ~crc
  for (let i = 0; i < bytes.length; i += 1) value = (table[(value ^ (bytes[i] as number)) & 0xff] as number) ^ (value >>> 8)
  return ~value >>> 0
}
