import { fromHex } from '../../../../kernel/bytes.ts'
import { findAnchored, type AnchorBlock, type PublicLog } from '../../../sealing/server/index.ts'
import { findSeal, listFiles } from '../file-store.ts'
import { findEvidence } from '../store.ts'
import { insertEvidenceAnchor, type EvidenceAnchor } from './anchor-store.ts'
import { remakeCore, type RemakeDeps } from './remake-core.ts'

export type RefreshDeps = RemakeDeps & {
  /** Absent: nothing is ever anchored. */
  readonly publicLog?: Pick<PublicLog, 'find' | 'inclusionPath'>
}

export function evidenceAnchorOf(anchorId: string, block: AnchorBlock): EvidenceAnchor {
  const { height, hash, time, sources } = block
  return { anchorId, height, blockHash: hash, blockTime: time, headerSources: sources }
}

/**
 * Makes the package of a final evidence anew with the proofs of its anchor: three files more, and the list of the core with a token
 * of its own. Seal, reports and pieces stay as they were. The package as it was is served no more, and still verifies.
 * Nothing happens while no confirmed anchor covers the evidence, or when it was done already.
 * @throws Error when something else changed the package meanwhile: to be done again
 */
export async function refreshPackage(deps: RefreshDeps, evidenceId: string, signal: AbortSignal): Promise<void> {
  const { db, publicLog } = deps
  const evidence = await findEvidence(db, evidenceId)
  const seal = await findSeal(db, evidenceId)
  if (evidence?.status !== 'final' || evidence.anchoredAt !== null || seal === null || publicLog === undefined) return
  const anchored = await findAnchored({ db, publicLog }, fromHex(seal.root))
  if (anchored === null) return
  const made = await remakeCore(
    deps,
    evidenceId,
    {
      before: await listFiles(db, evidenceId),
      files: anchored.files,
      commit: async (tx, now) =>
        await insertEvidenceAnchor(tx, evidenceId, evidenceAnchorOf(anchored.anchorId, anchored.block), now),
    },
    signal,
  )
  if (made) return
  // Another worker may have done this very thing; anything else is done again on what the package has become.
  const now = await findEvidence(db, evidenceId)
  if (now?.status === 'final' && now.anchoredAt === null) throw new Error(`the package of ${evidenceId} changed meanwhile`)
}
