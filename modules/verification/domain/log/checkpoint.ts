import { base64 } from '@scure/base'
import { decodeBase64, parseNote } from './note.ts'
import type { Note } from './note.ts'

/** C2SP tlog-checkpoint: what a log says of itself at one size. */
export type CheckpointBody = {
  readonly origin: string
  readonly size: number
  /** 32 octets. */
  readonly rootHash: Uint8Array
  /** Opaque; ours have none. */
  readonly extensions: readonly string[]
}

export type SignedCheckpoint = CheckpointBody & { readonly note: Note }

/** Text of the note, with its last line break. @throws RangeError for what cannot be read back */
export function formatCheckpoint({ origin, size, rootHash, extensions }: CheckpointBody): string {
  const text = `${[origin, String(size), base64.encode(rootHash), ...extensions].join('\n')}\n`
  if (parseCheckpointText(text) === null) throw new RangeError('not a checkpoint')
  return text
}

/** @returns null for what is not the text of a checkpoint; sizes beyond 2⁵³ are not read. */
export function parseCheckpointText(text: string): CheckpointBody | null {
  if (!text.endsWith('\n')) return null
  const [origin = '', count = '', hash = '', ...extensions] = text.slice(0, -1).split('\n')
  const size = parseCount(count)
  const rootHash = decodeBase64(hash)
  if (origin === '' || size === null || rootHash?.length !== 32 || extensions.includes('')) return null
  return { origin, size, rootHash, extensions }
}

export function parseCheckpoint(bytes: Uint8Array): SignedCheckpoint | null {
  const note = parseNote(bytes)
  const body = note === null ? null : parseCheckpointText(note.text)
  return note === null || body === null ? null : { ...body, note }
}

/** ASCII decimal without leading zeroes. */
export function parseCount(text: string): number | null {
  const value = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : null
}
