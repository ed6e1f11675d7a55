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
  /** SHA-256 of authorities' certificates that the reader compared with what their operators publish; lower-case hexadecimal. */
  readonly fingerprints?: readonly string[]
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

const slice = 2 << 20

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
    for await (const bytes of slicesOf(file, { offset, length }, slice)) {
      if (deps.signal?.aborted === true) throw new VerificationStopped('stopped')
      hasher.update(bytes)
      crc = crc32(bytes, crc)
      onBytes(bytes.length)
      await deps.pause?.()
    }
  }
  return { sha256: hasher.digest(), crc32: crc }
}

/** Eight tables of 256: the CRC of eight octets at once ("slicing by 8", Kounavis and Berry 2005). */
const tables = crcTables()

function crcTables(): Uint32Array {
  const all = new Uint32Array(8 * 256)
  for (let n = 0; n < 256; n += 1) {
    let value = n
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
    all[n] = value >>> 0
  }
  for (let i = 256; i < all.length; i += 1) {
    const before = all[i - 256] as number
    all[i] = ((all[before & 0xff] as number) ^ (before >>> 8)) >>> 0
  }
  return all
}

/** CRC-32 of ISO 3309, as ZIP has it; `crc` continues an earlier one. */
export function crc32(bytes: Uint8Array, crc = 0): number {
  const t = tables
  let value = ~crc
  let i = 0
  for (; i + 8 <= bytes.length; i += 8) {
    value ^=
      (bytes[i] as number) | ((bytes[i + 1] as number) << 8) | ((bytes[i + 2] as number) << 16) | ((bytes[i + 3] as number) << 24)
    value =
      (t[1792 + (value & 0xff)] as number) ^
      (t[1536 + ((value >>> 8) & 0xff)] as number) ^
      (t[1280 + ((value >>> 16) & 0xff)] as number) ^
      (t[1024 + (value >>> 24)] as number) ^
      (t[768 + (bytes[i + 4] as number)] as number) ^
      (t[512 + (bytes[i + 5] as number)] as number) ^
      (t[256 + (bytes[i + 6] as number)] as number) ^
      (t[bytes[i + 7] as number] as number)
  }
  for (; i < bytes.length; i += 1) value = (value >>> 8) ^ (t[(value ^ (bytes[i] as number)) & 0xff] as number)
  return ~value >>> 0
}

/** The slices of a part, each asked for while the one before is worked on: the disk and the processor do not wait for each other. */
export async function* slicesOf(
  file: Readable,
  { offset, length }: { readonly offset: number; readonly length: number },
  size: number,
): AsyncGenerator<Uint8Array> {
  const ask = (at: number): Promise<Uint8Array> => {
    const asked = file.read(offset + at, Math.min(size, length - at))
    // Whoever waits for it is told; nobody does when the work was stopped before.
    asked.catch(() => undefined)
    return asked
  }
  let next = length > 0 ? ask(0) : undefined
  for (let at = 0; next !== undefined; at += size) {
    const bytes = await next
    next = at + size < length ? ask(at + size) : undefined
    yield bytes
  }
}
