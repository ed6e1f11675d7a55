import { fromHex } from '../../../../kernel/bytes.ts'
import {
  anchorNetwork,
  logHealthOf,
  logProofPath,
  presentHealth,
  progressOfAnchor,
  readStamps,
  type HealthFacts,
} from '../../../sealing/server/index.ts'
import type { ShownProofHealth } from '../../../../kernel/proof-health.ts'
import type { EvidenceDeps, EvidenceWebDeps } from '../record/deps.ts'
import { findShown } from '../download/download-files.ts'
import { listFiles, type FileRecord } from '../files/file-store.ts'
import { findSeal, type SealRecord } from '../seal/seal-store.ts'
import { findEvidenceAnchor } from '../anchor/anchor-store.ts'
import type { EvidenceRecord } from '../record/store.ts'
import { DomainError } from '../../../../kernel/errors.ts'

/** Tokens, chains and lists of the seal. */
const largestSealFile = 1 << 20

/** Bytes of the files under `seal/`, by path: what the health of a seal is read from. */
export async function readSealFiles(
  { blobs }: Pick<EvidenceDeps, 'blobs'>,
  evidenceId: string,
  files: readonly Pick<FileRecord, 'path' | 'sha256' | 'bytes'>[],
): Promise<Map<string, Uint8Array>> {
  const scope = blobs.scope(evidenceId)
  const read = new Map<string, Uint8Array>()
  for (const { path, sha256, bytes } of files) {
    if (!path.startsWith('seal/') || bytes > largestSealFile) continue
    read.set(path, new Uint8Array(await scope.read(sha256, { maxBytes: largestSealFile })))
  }
  return read
}

/** What proves an evidence now, measured on the files of its package. @throws DomainError not_found, gone or conflict */
export async function assessEvidence(deps: EvidenceWebDeps, id: string): Promise<ShownProofHealth> {
  const record = await findShown(deps, id, ['to_validate', 'awaiting_payment', 'finalizing', 'final'])
  const seal = await findSeal(deps.db, id)
  if (seal === null) throw new DomainError('conflict', 'evidence.not_ready', { status: record.status })
  const files = await readSealFiles(deps, id, await listFiles(deps.db, id))
  const now = deps.clock.now()
  const facts = {
    stamps: readStamps(files, fromHex(seal.root), now),
    log: logHealthOf(seal.summary.log, files.get(logProofPath)),
    anchor: await anchorFacts(deps, record, seal),
  }
  return presentHealth(id, facts, { pending: seal.summary.pending_authorities, askAgainAt: seal.askAgainAt }, now)
}

async function anchorFacts(
  { db, anchoring, bitcoinNetwork }: EvidenceWebDeps,
  record: EvidenceRecord,
  { summary, sealedAt }: SealRecord,
): Promise<HealthFacts['anchor']> {
  const anchor = await findEvidenceAnchor(db, record.id)
  if (anchor !== null) {
    const { height, blockTime, headerSources } = anchor
    const network = anchorNetwork(anchor, bitcoinNetwork)
    return { state: 'anchored', network, block_height: height, block_time: blockTime, header_source: headerSources.join(', ') }
  }
  if (anchoring !== true || summary.log == null) return null
  const { nextTryAt } = await progressOfAnchor(db, summary.log.index)
  return { state: 'pending', network: anchorNetwork(null, bitcoinNetwork), since: sealedAt, next_try: nextTryAt }
}
