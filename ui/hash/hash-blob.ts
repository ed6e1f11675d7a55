import { toHex } from '../../kernel/bytes.ts'
import { HashFailure } from './hash-failure.ts'
import { readPieces } from './read-pieces.ts'
import type { RunningHash } from './hasher.ts'

export type FileHashes = { readonly sha256: string; readonly sha512: string }
export type HashName = keyof FileHashes
export const hashNames = ['sha256', 'sha512'] as const satisfies readonly HashName[]

export type HashTools = { readonly [Name in HashName]?: (() => RunningHash) | undefined } & {
  /** Absent outside secure contexts. */
  readonly subtle?: Pick<SubtleCrypto, 'digest'> | undefined
}

export type HashOptions = {
  /** Which fingerprints, all of one reading. */
  readonly names: readonly HashName[]
  /** Whether it may be held in memory. */
  readonly held: boolean
  /** Awaited before each piece: waits while paused, throws to end it. */
  readonly step: () => Promise<void>
  readonly onProgress: (done: number) => void
}

/** Of a device with so many GiB of memory (`navigator.deviceMemory`, which some browsers do not tell), in bytes. */
export function mostHeld(deviceMemory: number | undefined): number {
  return Math.min(1024, Math.max(16, (deviceMemory ?? 2) * 64)) * 1024 * 1024
}

/**
 * The fingerprints that are asked for, in one reading. A file that may be held goes through Web Crypto, which uses the processor's own
 * instructions and takes only what is there as a whole; what is longer, or what there is no memory for, through WebAssembly piece by
 * piece. SHA-512 alone, for which few processors have instructions, goes piece by piece too: it is done as soon, and holds nothing.
 * @throws HashFailure, and whatever `step` throws
 */
export async function hashBlob(blob: Blob, tools: HashTools, options: HashOptions): Promise<Partial<FileHashes>> {
  const { names, held, step, onProgress } = options
  const { subtle } = tools
  const { size } = blob
  const quickInPieces = tools.sha512 !== undefined && !names.includes('sha256')
  if (held && subtle !== undefined && !quickInPieces) {
    const bytes = room(size)
    if (bytes !== null) {
      let at = 0
      await readPieces(blob, size, step, (piece) => {
        bytes.set(piece, at)
        at += piece.length
        onProgress(at)
      })
      await step()
      const found = await whole(subtle, bytes, names)
      if (found !== null) return found
    }
  }
  const running = names.map((name) => [name, tools[name]?.()] as const)
  if (running.some(([, hash]) => hash === undefined)) throw new HashFailure('no_hashes')
  let at = 0
  await readPieces(blob, size, step, (piece) => {
    for (const [, hash] of running) hash?.update(piece)
    at += piece.length
    onProgress(at)
  })
  return Object.fromEntries(running.flatMap(([name, hash]) => (hash === undefined ? [] : [[name, toHex(hash.digest())]])))
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

const names = { sha256: 'SHA-256', sha512: 'SHA-512' } as const satisfies Record<HashName, string>

/** One after the other: each copies what it is given, and none holds its copy longer than it needs it. */
async function whole(
  subtle: Pick<SubtleCrypto, 'digest'>,
  bytes: Uint8Array<ArrayBuffer>,
  wanted: readonly HashName[],
): Promise<Partial<FileHashes> | null> {
  const found: { -readonly [Name in HashName]?: string } = {}
  try {
    for (const name of wanted) found[name] = toHex(new Uint8Array(await subtle.digest(names[name], bytes)))
  } catch {
    // No room for the copy.
    return null
  }
  return found
}
