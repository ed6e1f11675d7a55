import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { findSettings } from '../../../account/server/index.ts'
import { largestDirect } from '../../domain/status.ts'
import { insertBatches } from '../deposit/batch-store.ts'
import { sealBatchJob } from '../deposit/jobs.ts'

/** How long a seal is tried before its deposits are said to have failed. */
export const sealingLastsMs = 24 * 60 * 60 * 1000

/**
 * What is agreed to at once: up to twenty each in a batch of its own, so that each has a token over its own fingerprint; above, one batch
 * for all. The jobs that seal are asked for in the same transaction.
 * @returns each with its batch
 */
export async function openBatches<T extends { readonly id: string }>(
  tx: Tx,
  ownerId: string,
  documents: readonly T[],
  now: Date,
): Promise<(T & { readonly batchId: string })[]> {
  const direct = documents.length <= largestDirect
  const settings = await findSettings(tx, ownerId)
  const common = {
    ownerId,
    outsideStamps: settings.eidasTimestamping,
    createdAt: now,
    giveUpAt: new Date(now.getTime() + sealingLastsMs),
  }
  const ofAll = randomUUIDv7()
  const batched = documents.map((each) => ({ ...each, batchId: direct ? randomUUIDv7() : ofAll }))
  const batches = direct ? batched.map(({ batchId }) => batchId) : [ofAll]
  await insertBatches(
    tx,
    batches.map((id) => ({ id, ...common, size: direct ? 1 : documents.length, blind: randomBytes(32) })),
  )
  for (const id of batches) await enqueue(tx, sealBatchJob, { batch_id: id }, { key: `seal:${id}` })
  return batched
}
