import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { findAnchored } from '../../../sealing/server/index.ts'
import { listUnanchored, setAnchored } from './anchor-store.ts'
import { askCertificates } from '../deposit/ask-certificates.ts'
import { listCertified } from '../deposit/certificate-store.ts'
import { findBatches, lockBatch } from '../deposit/batch-store.ts'
import type { DocumentSealDeps } from '../deposit/deps.ts'
import { spreadAnchorJob } from '../deposit/jobs.ts'
import { notifyAnchored } from '../notify/notify-depositors.ts'
import { loggedOf } from '../seal/seal-batch.ts'

const batch = 200

/** An anchor of a checkpoint of `size` leaves was confirmed: asked for in the same transaction as that. */
export async function announceDocumentAnchor(tx: Tx, { size }: { readonly size: number }): Promise<void> {
  await enqueue(tx, spreadAnchorJob, { size }, { key: `spread-documents:${size}` })
}

/** Batches below the checkpoint are anchored from now on, each in a transaction of its own. @returns how many */
export async function spreadAnchor(
  deps: Pick<DocumentSealDeps, 'db' | 'clock' | 'publicLog'>,
  { size }: { readonly size: number },
): Promise<number> {
  let total = 0
  for (let after: string | null = null; ;) {
    const ids: string[] = await listUnanchored(deps.db, { size, after, limit: batch })
    for (const id of ids) if (await anchorBatch(deps, id)) total += 1
    after = ids.at(-1) ?? null
    if (ids.length < batch || after === null) return total
  }
}

/** Once; nothing happens while no confirmed anchor covers it. */
export async function anchorBatch(deps: Pick<DocumentSealDeps, 'db' | 'clock' | 'publicLog'>, id: string): Promise<boolean> {
  const { db, publicLog } = deps
  const found = (await findBatches(db, [id])).get(id)
  if (publicLog === undefined || found?.root == null || found.anchoredAt !== null) return false
  const anchored = await findAnchored({ db, publicLog }, loggedOf(found, found.root))
  if (anchored === null) return false
  const chainpoint = anchored.files.some(({ path }) => path.endsWith('.chainpoint.json'))
  return await db.transaction().execute(async (tx) => {
    const locked = await lockBatch(tx, id)
    if (locked === null || locked.anchoredAt !== null) return false
    await setAnchored(tx, id, { anchorId: anchored.anchorId, chainpoint }, deps.clock.now())
    await notifyAnchored(tx, locked.ownerId, anchored.anchorId, deps.clock.now())
    for (const documentId of await listCertified(tx, id)) await askCertificates(tx, documentId)
    return true
  })
}
