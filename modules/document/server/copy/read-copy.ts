import { Readable } from 'node:stream'
import { DomainError } from '../../../../kernel/errors.ts'
import { BlobMissing } from '../../../../platform/blobs/blob-store.ts'
import { toHex } from '../../../../kernel/bytes.ts'
import { copyPartBytes, lengthOfPart } from '../../domain/copy.ts'
import type { ProofDownload } from '../proofs/proof-download.ts'
import { findDocument } from '../deposit/store.ts'
import type { CopyDeps } from './copy-deps.ts'
import { openCopyKey, opensCopyKey, scopeOfCopy } from './copy-key.ts'
import { findCopyOf, listPieces, setUnopened, type CopyRecord } from './copy-store.ts'
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
  const pieces = Map.groupBy(await listPieces(db, copy.id), ({ part }) => part)
  const kept = blobs.scope(scopeOfCopy(copy.id))
  for (let part = Math.floor(start / copyPartBytes); part * copyPartBytes < end; part += 1) {
    const first = part * copyPartBytes
    const range = { start: Math.max(0, start - first), end: Math.min(lengthOfPart(copy.bytes, part), end - first) }
    let read = range.start
    for (const { at, bytes, blob } of pieces.get(part) ?? []) {
      const until = Math.min(range.end, at + bytes)
      if (until <= read) continue
      if (at > read) break
      const sealed = await kept.open(blob, sealedRange(bytes, read - at, until - at)).catch((error: unknown) => {
        throw error instanceof BlobMissing || error instanceof RangeError ? new PartDamaged(part, error) : error
      })
      try {
        yield* openPart(key, { copyId: copy.id, part }, sealed as AsyncIterable<Buffer>, { start: read, end: until })
      } finally {
        sealed.destroy()
      }
      read = until
    }
    if (read < range.end) throw new PartDamaged(part)
  }
}

/** E-34: the file, as it was compared. @throws DomainError `document.not_found`; gone `document.copy_gone`; unavailable `document.copy_unopened` */
export async function downloadCopy(deps: Omit<CopyDeps, 'copyLimits'>, documentId: string): Promise<ProofDownload> {
  const record = await findDocument(deps.db, documentId)
  const copy = await findCopyOf(deps.db, documentId)
  if (record === null || copy === null) throw new DomainError('not_found', 'document.not_found')
  if (copy.state === 'deleted') throw new DomainError('gone', 'document.copy_gone')
  if (copy.state !== 'stored') throw new DomainError('not_found', 'document.not_found')
  if (copy.sealedKey === null || !opensCopyKey(deps.vault, copy.id, copy.sealedKey)) {
    if ((await setUnopened(deps.db, [copy.id], deps.clock.now())) > 0)
      deps.log.error(
        { document: documentId },
        'the key of a copy does not open: it was kept under another master key, or damaged',
      )
    throw new DomainError('unavailable', 'document.copy_unopened')
  }
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
