import { fromHex } from '../../../../kernel/bytes.ts'
import { findAnchored, logProofPath, newerProof, type AnchorBlock, type PublicLog } from '../../../sealing/server/index.ts'
import { renewalOfPath } from '../../../verification/server/index.ts'
import { linkOrigin } from '../../../../platform/trace/spans.ts'
import { listFiles, type FileRecord } from '../files/file-store.ts'
import { findSeal } from '../seal/seal-store.ts'
import { notifyPeople } from '../notify/notify-people.ts'
import { findEvidence } from '../record/store.ts'
import { insertEvidenceAnchor, type EvidenceAnchor } from '../anchor/anchor-store.ts'
import { remakeCore, type RemakeDeps } from '../package/remake-core.ts'

export type RefreshDeps = RemakeDeps & {
  /** Absent: nothing is ever anchored. */
  readonly publicLog?: Pick<PublicLog, 'find' | 'inclusionPath' | 'proofOf'>
}

export function evidenceAnchorOf(anchorId: string, block: AnchorBlock): EvidenceAnchor {
  const { height, hash, time, sources } = block
  return { anchorId, height, blockHash: hash, blockTime: time, headerSources: sources }
}

/**
 * Makes the package of a final evidence anew with the proofs of its anchor: three files more, its proof in the log where a newer one
 * says more, and the list of the core with a token of its own. Seal, reports and pieces stay as they were. The package as it was is served no more, and still verifies.
 * Nothing happens while no confirmed anchor covers the evidence, or when it was done already.
 * @throws Error when something else changed the package meanwhile: to be done again
 */
export async function refreshPackage(deps: RefreshDeps, evidenceId: string, signal: AbortSignal): Promise<void> {
  const { db, publicLog } = deps
  const evidence = await findEvidence(db, evidenceId)
  const seal = await findSeal(db, evidenceId)
  if (evidence?.status !== 'final' || evidence.anchoredAt !== null || seal === null || publicLog === undefined) return
  if (evidence.contentDeletedAt !== null) return
  linkOrigin(evidence.origin)
  const anchored = await findAnchored({ db, publicLog }, fromHex(seal.root))
  if (anchored === null) return
  const before = await listFiles(db, evidenceId)
  const logProof = await newerLogProof({ ...deps, publicLog }, evidenceId, { root: seal.root, size: anchored.size, before })
  const made = await remakeCore(
    deps,
    evidenceId,
    {
      before,
      files: [...(logProof === null ? [] : [logProof]), ...anchored.files],
      commit: async (tx, now) => {
        await insertEvidenceAnchor(tx, evidenceId, evidenceAnchorOf(anchored.anchorId, anchored.block), now)
        await notifyPeople(tx, evidence, { kind: 'anchored' }, now)
      },
    },
    signal,
  )
  if (made) return
  // Another worker may have done this very thing; anything else is done again on what the package has become.
  const now = await findEvidence(db, evidenceId)
  if (now?.status === 'final' && now.anchoredAt === null && now.contentDeletedAt === null)
    throw new Error(`the package of ${evidenceId} changed meanwhile`)
}

/**
 * The package's proof in the log as it is now. It is left as it was once a renewal names it by its digest; nothing that was renewed may
 * change after.
 */
async function newerLogProof(
  { blobs, publicLog }: Pick<RefreshDeps, 'blobs'> & { readonly publicLog: Pick<PublicLog, 'proofOf'> },
  evidenceId: string,
  { root, size, before }: { readonly root: string; readonly size: number; readonly before: readonly FileRecord[] },
): ReturnType<typeof newerProof> {
  const present = before.find(({ path }) => path === logProofPath)
  if (present === undefined || before.some(({ path }) => renewalOfPath(path) !== null)) return null
  const bytes = await blobs.scope(evidenceId).read(present.sha256, { maxBytes: largestProof })
  return await newerProof(publicLog, fromHex(root), new Uint8Array(bytes), size)
}

const largestProof = 1 << 20
