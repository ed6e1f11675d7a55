import { DomainError } from '../../../../kernel/errors.ts'
import type { Decipher } from '../pieces/cipher.ts'
import { pieceObject, sha256 } from '../pieces/piece-store.ts'
import type { BackupTarget } from '../target/backup-target.ts'
import { readLines, type ContentsLine } from './contents.ts'
import type { Manifest } from './manifest.ts'

/** Octets as they are stored. @throws DomainError `backup.piece_missing`, `backup.piece_altered` */
export async function readObject(target: BackupTarget, object: string): Promise<Buffer> {
  const bytes = await target.read('pieces', object)
  if (bytes === null) throw new DomainError('conflict', 'backup.piece_missing', { object })
  if (pieceObject.exec(object)?.[2] !== sha256(bytes)) throw new DomainError('conflict', 'backup.piece_altered', { object })
  return bytes
}

/** What pieces hold, one after the other. @throws DomainError as {@link readObject}, and `backup.wrong_identity` */
export async function* openPieces(target: BackupTarget, decipher: Decipher, objects: readonly string[]): AsyncGenerator<Buffer> {
  for (const object of objects) {
    const clear = await decipher(await readObject(target, object))
    // Its octets are those that were stored: it is the identity that does not fit.
    if (clear === null) throw new DomainError('conflict', 'backup.wrong_identity', { object })
    yield clear
  }
}

/** @throws DomainError as {@link openPieces}, and `backup.altered` */
export async function* readContents(target: BackupTarget, decipher: Decipher, manifest: Manifest): AsyncGenerator<ContentsLine> {
  try {
    yield* readLines(openPieces(target, decipher, manifest.contents))
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw new DomainError('conflict', 'backup.altered', { name: manifest.id }, { cause: error })
  }
}
