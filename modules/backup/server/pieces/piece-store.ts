import { createHash } from 'node:crypto'
import type { BackupTarget } from '../target/backup-target.ts'
import type { BackupSecret } from './backup-secret.ts'
import type { Cipher } from './cipher.ts'

/** As many octets as are held at a time, and as go in one request. */
export const largestPiece = 8 * 1024 * 1024

/**
 * A piece is an object `<name>.<SHA-256 of its octets as stored>`: the name is that of what it holds, by which it is found again
 * without being read, and the hash says of the object that it is whole to whoever cannot decipher it.
 */
export type PieceStore = {
  /** The object that holds that content; null: it is to be put. */
  find(content: string): string | null
  /** @returns the object */
  put(content: string, bytes: Uint8Array): Promise<string>
  /** What was sent by this run, and what was there already. */
  readonly sent: { pieces: number; bytes: number }
  /** Octets of an object of this run or of one before. */
  bytesOf(object: string): number
}

export const pieceObject = /^([0-9a-f]{64})\.([0-9a-f]{64})$/

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Reads once what is there. */
export async function openPieceStore(target: BackupTarget, secret: BackupSecret, cipher: Cipher): Promise<PieceStore> {
  const objects = new Map<string, { readonly object: string; readonly bytes: number }>()
  for await (const { name, bytes } of target.list('pieces')) {
    const [, content] = pieceObject.exec(name) ?? []
    if (content !== undefined) objects.set(content, { object: name, bytes })
  }
  const sent = { pieces: 0, bytes: 0 }
  return {
    find: (content) => objects.get(secret.nameOf(content))?.object ?? null,
    async put(content, bytes) {
      const name = secret.nameOf(content)
      const enciphered = await cipher.encipher(bytes)
      const object = `${name}.${sha256(enciphered)}`
      await target.write('pieces', object, enciphered)
      objects.set(name, { object, bytes: enciphered.length })
      sent.pieces += 1
      sent.bytes += enciphered.length
      return object
    },
    sent,
    bytesOf: (object) => objects.get(object.slice(0, 64))?.bytes ?? 0,
  }
}
