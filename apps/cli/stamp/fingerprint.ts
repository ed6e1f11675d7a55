import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { readBlocks } from '../../../platform/files/read-blocks.ts'

/** By which a file is known to be as it was: size, and when its content and its entry last changed, in nanoseconds. */
export type Look = string

export type Fingerprint = { readonly sha256: string; readonly sha512: string; readonly bytes: number; readonly look: Look }

export class NotHashed extends Error {
  override readonly name = 'NotHashed'
  /** Words are `document.command.file.<code>`; `reason` of the system beside it. */
  readonly code: 'no_file' | 'unreadable' | 'changing'
  readonly reason: string
  constructor(code: NotHashed['code'], reason = '') {
    super(code)
    this.code = code
    this.reason = reason
  }
}

/** @returns null when it is no file: a folder, a pipe. @throws errors of the file system */
export async function lookAt(path: string): Promise<{ readonly look: Look; readonly bytes: number } | null> {
  const facts = await stat(path, { bigint: true })
  if (!facts.isFile()) return null
  return { look: [facts.size, facts.mtimeNs, facts.ctimeNs, facts.ino].join(' '), bytes: Number(facts.size) }
}

/**
 * Reads a file once, in bounded memory, and says what it is; one that changed meanwhile is none.
 * @throws NotHashed; the signal's reason
 */
export async function fingerprintOf(path: string, signal: AbortSignal): Promise<Fingerprint> {
  try {
    const before = await lookAt(path)
    if (before === null) throw new NotHashed('no_file')
    const [sha256, sha512] = [createHash('sha256'), createHash('sha512')]
    let bytes = 0
    for await (const block of readBlocks(path)) {
      signal.throwIfAborted()
      sha256.update(block)
      sha512.update(block)
      bytes += block.length
    }
    const after = await lookAt(path)
    if (after?.look !== before.look || bytes !== before.bytes) throw new NotHashed('changing')
    return { sha256: sha256.digest('hex'), sha512: sha512.digest('hex'), bytes, look: before.look }
  } catch (error) {
    if (error instanceof NotHashed || signal.aborted) throw error
    throw new NotHashed('unreadable', (error as NodeJS.ErrnoException).code ?? String(error))
  }
}
