import { DomainError } from '../../../../kernel/errors.ts'
import { findBatches, type BatchRecord } from '../deposit/batch-store.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import { findDocument, type DocumentRecord } from '../deposit/store.ts'

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
