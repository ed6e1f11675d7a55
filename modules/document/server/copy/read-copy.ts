import { Readable } from 'node:stream'
import { DomainError } from '../../../../kernel/errors.ts'
import { BlobMissing } from '../../../../platform/blobs/blob-store.ts'
import { toHex } from '../../../../kernel/bytes.ts'
import { copyPartBytes, lengthOfPart } from '../../domain/copy.ts'
import type { ProofDownload } from '../download-proofs.ts'
import { findDocument } from '../store.ts'
import type { CopyDeps } from './copy-deps.ts'
import { openCopyKey, scopeOfCopy } from './copy-key.ts'
import { findCopyOf, listParts, type CopyRecord } from './copy-store.ts'
import { openPart, PartDamaged, sealedRange } from './part-cipher.ts'

/**
 * The clear bytes `start` to `end`, exclusive, of a copy, one segment in memory at a time.
 * @throws PartDamaged; Error when the copy has ended
 */
export async function* copyBytes(
  { db, blobs, vault }: Pick<CopyDeps, 'db' | 'blobs' | 'vault'>,
  copy: Pick<CopyRecord, 'id' | 'sealedKey' | 'bytes'>,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Buffer> {
  if (copy.sealedKey === null) throw new Error(`copy ${copy.id} has ended`)
  const key = openCopyKey(vault, copy.id, copy.sealedKey)
  const parts = await listParts(db, copy.id)
  const kept = blobs.scope(scopeOfCopy(copy.id))
  for (let part = Math.floor(start / copyPartBytes); part * copyPartBytes < end; part += 1) {
    const at = part * copyPartBytes
    const length = lengthOfPart(copy.bytes, part)
    const range = { start: Math.max(0, start - at), end: Math.min(length, end - at) }
    const blob = parts.get(part)
    if (blob === undefined) throw new PartDamaged(part)
    const sealed = await kept.open(blob, sealedRange(length, range.start, range.end)).catch((error: unknown) => {
      throw error instanceof BlobMissing || error instanceof RangeError ? new PartDamaged(part, error) : error
    })
    try {
      yield* openPart(key, { copyId: copy.id, part }, sealed as AsyncIterable<Buffer>, range)
    } finally {
      sealed.destroy()
    }
  }
}

/** E-34: the file, as it was compared. @throws DomainError `document.not_found`; gone `document.copy_gone` */
export async function downloadCopy(deps: Pick<CopyDeps, 'db' | 'blobs' | 'vault'>, documentId: string): Promise<ProofDownload> {
  const record = await findDocument(deps.db, documentId)
  const copy = await findCopyOf(deps.db, documentId)
  if (record === null || copy === null) throw new DomainError('not_found', 'document.not_found')
  if (copy.state === 'deleted') throw new DomainError('gone', 'document.copy_gone')
  if (copy.state !== 'stored') throw new DomainError('not_found', 'document.not_found')
  return {
    bytes: copy.bytes,
    // What kind of file it is was never looked at, and no browser shall guess.
    mediaType: 'application/octet-stream',
    fileName: record.name ?? `document_${documentId}.bin`,
    etag: toHex(record.sha256),
    open: async (start, end) =>
      await Promise.resolve(Readable.from(copyBytes(deps, copy, { start, end }), { objectMode: false })),
  }
}
