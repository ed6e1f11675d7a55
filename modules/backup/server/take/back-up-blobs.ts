import { createHash } from 'node:crypto'
import { BlobMissing, type BlobStore } from '../../../../platform/blobs/blob-store.ts'
import { largestPiece, type PieceStore } from '../pieces/piece-store.ts'
import { cutBytes } from '../pieces/cut.ts'

/** Scope, null for the store itself, and what is in it. */
export type FoundBlob = { readonly scope: string | null; readonly sha256: string; readonly bytes: number }

export async function* listBlobs(blobs: BlobStore): AsyncGenerator<FoundBlob> {
  for await (const { sha256, bytes } of blobs.list()) yield { scope: null, sha256, bytes }
  for await (const scope of blobs.scopes())
    for await (const { sha256, bytes } of blobs.scope(scope).list()) yield { scope, sha256, bytes }
}

/** What the pieces of a blob are found by: nobody has to read it to know that it is there. The same bytes of two scopes are one. */
const contentOf = ({ sha256, bytes }: FoundBlob, index: number) => `blob ${sha256} ${String(bytes)} ${String(index)}`

const countOf = ({ bytes }: FoundBlob) => Math.ceil(bytes / largestPiece)

/** Its objects; null while one of them is missing. */
function findBlob(pieces: PieceStore, blob: FoundBlob): string[] | null {
  const objects: string[] = []
  for (let index = 0; index < countOf(blob); index += 1) {
    const object = pieces.find(contentOf(blob, index))
    if (object === null) return null
    objects.push(object)
  }
  return objects
}

export type BackedUpBlob = { readonly blob: FoundBlob; readonly objects: readonly string[] }

/**
 * Sends what is missing of a blob, piece by piece. Nothing goes under its name before the whole of it was read and is what its name says: a
 * disk that fails is found out now, while there may be another copy.
 * @param named its size where it is known, by which it need not be read
 * @returns null: it is not there any more, or is not what its name says
 */
export async function backUpBlob(
  blobs: BlobStore,
  pieces: PieceStore,
  named: Pick<FoundBlob, 'scope' | 'sha256'> & { readonly bytes?: number },
): Promise<BackedUpBlob | null> {
  const { scope, sha256 } = named
  if (named.bytes !== undefined) {
    const blob = { scope, sha256, bytes: named.bytes }
    const known = findBlob(pieces, blob)
    if (known !== null) return { blob, objects: known }
  }
  const store = scope === null ? blobs : blobs.scope(scope)
  try {
    const read = createHash('sha256')
    let bytes = 0
    let only: Buffer = Buffer.alloc(0)
    for await (const piece of cutBytes(await store.open(sha256))) {
      read.update(piece)
      bytes += piece.length
      only = piece
    }
    const blob = { scope, sha256, bytes }
    if (read.digest('hex') !== sha256) return null
    if (bytes <= largestPiece) {
      const content = contentOf(blob, 0)
      return { blob, objects: bytes === 0 ? [] : [pieces.find(content) ?? (await pieces.put(content, only))] }
    }
    const objects: string[] = []
    for await (const piece of cutBytes(await store.open(sha256))) {
      const content = contentOf(blob, objects.length)
      objects.push(pieces.find(content) ?? (await pieces.put(content, piece)))
    }
    return { blob, objects }
  } catch (error) {
    if (error instanceof BlobMissing) return null
    throw error
  }
}
