import { toHex } from '../../kernel/bytes.ts'
import type { RunningHash } from './running-hash.ts'

export type FileHashes = { readonly sha256: string; readonly sha512: string }

/** `unreadable`: the browser could not read it (moved, locked, or changed); `changed`: it is no longer as long as it was. */
export type HashFailureReason = 'unreadable' | 'changed' | 'no_hashes'

export class HashFailure extends Error {
  override readonly name = 'HashFailure'
  readonly reason: HashFailureReason
  constructor(reason: HashFailureReason, cause?: unknown) {
    super(reason, { cause })
    this.reason = reason
  }
}

export type HashTools = {
  /** Absent outside secure contexts. */
  readonly subtle?: Pick<SubtleCrypto, 'digest'> | undefined
  readonly sha256?: (() => RunningHash) | undefined
  readonly sha512?: (() => RunningHash) | undefined
}

/** Read at once; whoever pauses or cancels is heard between two of them. */
export const sliceBytes = 8 * 1024 * 1024

/** Of a device with so many GiB of memory (`navigator.deviceMemory`, which some browsers do not tell), in bytes. */
export function mostHeld(deviceMemory: number | undefined): number {
  return Math.min(1024, Math.max(16, (deviceMemory ?? 2) * 64)) * 1024 * 1024
}

/**
 * SHA-256 and SHA-512 in one reading. A file that may be held goes through Web Crypto, which uses the processor's own instructions
 * and takes only what is there as a whole; what is longer, or what there is no memory for, through WebAssembly in slices.
 * @param options.held whether it may be held in memory
 * @param options.step awaited before each slice: waits while paused, throws to end it
 * @throws HashFailure, and whatever `step` throws
 */
export async function hashBlob(
  blob: Blob,
  tools: HashTools,
  options: { held: boolean; step: () => Promise<void>; onProgress: (done: number) => void },
): Promise<FileHashes> {
  if (options.held && tools.subtle !== undefined) {
    const bytes = room(blob.size)
    if (bytes !== null) {
      for (let at = 0; at < blob.size; at += sliceBytes) {
        await options.step()
        bytes.set(await read(blob, at), at)
        options.onProgress(Math.min(blob.size, at + sliceBytes))
      }
      await options.step()
      const found = await whole(tools.subtle, bytes)
      if (found !== null) return found
    }
  }
  return await inSlices(blob, tools, options)
}

/** null where there is no memory for it. */
function room(size: number): Uint8Array<ArrayBuffer> | null {
  try {
    return new Uint8Array(size)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

async function whole(subtle: Pick<SubtleCrypto, 'digest'>, bytes: Uint8Array<ArrayBuffer>): Promise<FileHashes | null> {
  try {
    const [sha256, sha512] = await Promise.all([subtle.digest('SHA-256', bytes), subtle.digest('SHA-512', bytes)])
    return { sha256: toHex(new Uint8Array(sha256)), sha512: toHex(new Uint8Array(sha512)) }
  } catch {
    // It copies what it is given, and may find no room for that.
    return null
  }
}

async function inSlices(
  blob: Blob,
  tools: HashTools,
  options: { step: () => Promise<void>; onProgress: (done: number) => void },
): Promise<FileHashes> {
  const [sha256, sha512] = [tools.sha256?.(), tools.sha512?.()]
  if (sha256 === undefined || sha512 === undefined) throw new HashFailure('no_hashes')
  // The next slice is read while this one is hashed.
  let next = blob.size === 0 ? null : settled(read(blob, 0))
  for (let at = 0; at < blob.size; at += sliceBytes) {
    await options.step()
    const slice = await next
    const after = at + sliceBytes
    next = after < blob.size ? settled(read(blob, after)) : null
    if (slice === null) break
    if (!(slice instanceof Uint8Array)) throw slice.failure
    sha256.update(slice)
    sha512.update(slice)
    options.onProgress(Math.min(blob.size, after))
  }
  return { sha256: toHex(sha256.digest()), sha512: toHex(sha512.digest()) }
}

/** So that one that fails while nobody waits for it yet is not taken for a promise that nobody looked after. */
function settled(reading: Promise<Uint8Array>): Promise<Uint8Array | { readonly failure: unknown }> {
  return reading.catch((failure: unknown) => ({ failure }))
}

async function read(blob: Blob, at: number): Promise<Uint8Array> {
  const wanted = Math.min(sliceBytes, blob.size - at)
  let bytes: Uint8Array
  try {
    bytes = new Uint8Array(await blob.slice(at, at + wanted).arrayBuffer())
  } catch (error) {
    throw new HashFailure('unreadable', error)
  }
  if (bytes.length !== wanted) throw new HashFailure('changed')
  return bytes
}
