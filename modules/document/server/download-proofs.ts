import { Readable } from 'node:stream'
import { DomainError } from '../../../kernel/errors.ts'
import { buildEvidenceRecord } from '../../verification/server/index.ts'
import { findBatches, findBatchFile, findPath, type BatchRecord } from './batch-store.ts'
import type { DocumentWebDeps } from './deps.ts'
import { findDocument, type DocumentRecord } from './store.ts'

/** A file of a deposit as its bytes are asked for. */
export type ProofDownload = {
  readonly bytes: number
  readonly mediaType: string
  readonly fileName: string
  /** Strong validator: what the bytes are determined by. */
  readonly etag: string
  /** `end` is exclusive. */
  open(start: number, end: number): Promise<Readable>
}

/** Of tokens and signatures: 64 kB would be a strange one. */
export const maxProofBytes = 1024 * 1024

export type SealedDeposit = {
  readonly record: DocumentRecord & { readonly batchId: string }
  readonly batch: BatchRecord & { readonly root: Uint8Array; readonly summary: NonNullable<BatchRecord['summary']> }
}

/** @throws DomainError `document.not_found`; gone `document.expired`; conflict `document.not_final` */
export async function findSealed(deps: Pick<DocumentWebDeps, 'db'>, id: string): Promise<SealedDeposit> {
  const record = await findDocument(deps.db, id)
  if (record === null) throw new DomainError('not_found', 'document.not_found')
  if (record.status === 'expired') throw new DomainError('gone', 'document.expired')
  const { batchId } = record
  const batch = batchId === null ? undefined : (await findBatches(deps.db, [batchId])).get(batchId)
  if (record.status !== 'final' || batchId === null || batch?.root == null || batch.summary === null)
    throw new DomainError('conflict', 'document.not_final', { status: record.status })
  return { record: { ...record, batchId }, batch: { ...batch, root: batch.root, summary: batch.summary } }
}

/** C-75: the token, over the fingerprint itself or the root of its batch. @throws DomainError as {@link findSealed} */
export async function downloadToken(deps: DocumentWebDeps, id: string): Promise<ProofDownload> {
  const { batch } = await findSealed(deps, id)
  const file = await findBatchFile(deps.db, batch.id, 'document.tsr')
  if (file === null) throw new Error(`batch ${batch.id} is sealed without a token`)
  const scope = deps.blobs.scope(batch.id)
  return {
    bytes: file.bytes,
    mediaType: file.mediaType,
    fileName: 'document.tsr',
    etag: file.sha256,
    open: async (start, end) => (start >= end ? Readable.from([]) : await scope.open(file.sha256, { start, end: end - 1 })),
  }
}

/** RFC 4998: the fingerprint, its way to the root, and the token over that. */
export async function evidenceRecordOf(
  deps: Pick<DocumentWebDeps, 'db' | 'blobs'>,
  { record, batch }: SealedDeposit,
): Promise<Uint8Array> {
  const file = await findBatchFile(deps.db, batch.id, 'document.tsr')
  if (file === null) throw new Error(`batch ${batch.id} is sealed without a token`)
  const token = await deps.blobs.scope(batch.id).read(file.sha256, { maxBytes: maxProofBytes })
  return buildEvidenceRecord({ leaf: record.sha256, path: await findPath(deps.db, record.id), token })
}

export function downloadOf(data: Uint8Array, described: Pick<ProofDownload, 'mediaType' | 'fileName' | 'etag'>): ProofDownload {
  return {
    ...described,
    bytes: data.length,
    open: async (start, end) => await Promise.resolve(Readable.from([data.subarray(start, end)])),
  }
}

/** @throws DomainError as {@link findSealed} */
export async function downloadEvidenceRecord(deps: DocumentWebDeps, id: string): Promise<ProofDownload> {
  const sealed = await findSealed(deps, id)
  const data = await evidenceRecordOf(deps, sealed)
  return downloadOf(data, { mediaType: 'application/octet-stream', fileName: 'document.ers', etag: `${id}-ers-${data.length}` })
}
