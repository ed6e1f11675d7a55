import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { trashLifetimeMs } from '../../domain/status.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import { listFiles, type FileRecord } from '../files/file-store.ts'
import { deleteContentJob } from '../record/jobs.ts'
import { findEvidence } from '../record/store.ts'
import { eraseVantage } from '../vantage/vantage-store.ts'
import { forgetContent, lockOldTrash, setContentDeleted } from './trash-store.ts'

const batch = 100

/** What was in the trash for thirty days loses its files (decision H-10). @returns how many */
export async function emptyTrash(deps: EvidenceDeps): Promise<number> {
  const now = deps.clock.now()
  let total = 0
  for (;;) {
    const found = await deps.db.transaction().execute(async (tx) => {
      const old = await lockOldTrash(tx, new Date(now.getTime() - trashLifetimeMs), batch)
      for (const { id } of old) {
        await setContentDeleted(tx, id, now)
        await enqueue(tx, deleteContentJob, { evidence_id: id }, { key: `delete:${id}` })
      }
      return old.length
    })
    total += found
    if (found < batch) return total
  }
}

/** Signature, time stamps, place in the log, anchor: they are about a digest and show nothing of the page. */
function isProof({ path, section }: FileRecord): boolean {
  return section !== 'piece' && path.startsWith('seal/')
}

/**
 * Deletes what a final evidence showed, once that was decided: bytes first, so that a crash between leaves nothing that no row
 * names, and the second time finds less to do. Left are its row, the seal, and the proofs of the digest.
 */
export async function deleteContent(deps: EvidenceDeps, id: string): Promise<void> {
  const evidence = await findEvidence(deps.db, id)
  if (evidence?.status !== 'final' || evidence.contentDeletedAt === null) return
  const files = await listFiles(deps.db, id)
  const proofs = files.filter(isProof)
  const kept = new Set(proofs.map(({ sha256 }) => sha256))
  const scope = deps.blobs.scope(id)
  // Also bytes that no row names any more, of a package that was made anew.
  for await (const { sha256 } of scope.list()) if (!kept.has(sha256)) await scope.remove(sha256)
  await deps.db.transaction().execute(async (tx) => {
    await forgetContent(
      tx,
      id,
      proofs.map(({ path }) => path),
    )
    await eraseVantage(tx, id)
  })
}
