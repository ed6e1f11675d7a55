import type { EvidenceDeps } from '../record/deps.ts'
import { forgetPreviews, listPreviewBlobs } from './preview-store.ts'

/** Bytes first: a crash between leaves nothing that no row names, and the second time finds less to do. */
export async function dropPreviews(deps: EvidenceDeps, evidenceId: string): Promise<void> {
  const scope = deps.blobs.scope(evidenceId)
  for (const sha256 of await listPreviewBlobs(deps.db, evidenceId)) await scope.remove(sha256)
  await forgetPreviews(deps.db, evidenceId)
}
