import { fromHex } from '../../../../kernel/bytes.ts'
import { parseTlogProof } from '../../../verification/server/index.ts'
import {
  anchorNetwork,
  assessProofHealth,
  logProofPath,
  progressOfAnchor,
  readStamps,
  type HealthFacts,
  type ProofHealth,
} from '../../../sealing/server/index.ts'
import type { EvidenceProofHealth } from '../../contract/proof-health.ts'
import type { EvidenceDeps, EvidenceWebDeps } from '../deps.ts'
import { findShown } from '../download-files.ts'
import { findSeal, listFiles, type FileRecord, type SealRecord } from '../file-store.ts'
import { findEvidenceAnchor } from '../package/anchor-store.ts'
import type { EvidenceRecord } from '../store.ts'
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
export async function assessEvidence(deps: EvidenceWebDeps, id: string): Promise<EvidenceProofHealth> {
  const record = await findShown(deps, id, ['to_validate', 'finalizing', 'final'])
  const seal = await findSeal(deps.db, id)
  if (seal === null) throw new DomainError('conflict', 'evidence.not_ready', { status: record.status })
  const files = await readSealFiles(deps, id, await listFiles(deps.db, id))
  const now = deps.clock.now()
  const facts: HealthFacts = {
    stamps: readStamps(files, fromHex(seal.root), now),
    pending_authorities: seal.summary.pending_authorities.length,
    ask_again_at: seal.askAgainAt,
    log: logFacts(seal, files.get(logProofPath)),
    anchor: await anchorFacts(deps, record, seal),
  }
  return present(id, seal, facts, assessProofHealth(facts, now), now)
}

function logFacts({ summary }: SealRecord, proof: Uint8Array | undefined): HealthFacts['log'] {
  if (summary.log == null) return null
  const read = proof === undefined ? 'absent' : parseTlogProof(proof)
  const signatures = typeof read === 'string' ? [] : read.checkpoint.note.signatures
  return {
    index: summary.log.index,
    logged_at: new Date(summary.log.logged_at),
    cosignatures: signatures.filter(({ name }) => name !== summary.log?.origin).length,
  }
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

function present(id: string, seal: SealRecord, facts: HealthFacts, health: ProofHealth, now: Date): EvidenceProofHealth {
  const iso = (at: Date | null): string | null => at?.toISOString() ?? null
  const { log, anchor } = facts
  return {
    id,
    assessed_at: now.toISOString(),
    state: health.state,
    stamped_until: iso(health.stamped_until),
    anchored: health.anchored,
    renewal_due: health.renewal_due,
    renew_at: iso(health.renew_at),
    elements: health.elements.map(({ until, next, ...element }) => ({
      ...element,
      until: iso(until),
      next: { action: next.action, at: iso(next.at) },
    })),
    facts: {
      stamps: facts.stamps.map(({ file, authority, at, until, covers, weak }) => ({
        file,
        authority,
        at: at.toISOString(),
        until: until.toISOString(),
        covers: [...covers],
        weak,
      })),
      pending_authorities: seal.summary.pending_authorities.map(({ authority }) => authority),
      ask_again_at: iso(seal.askAgainAt),
      log: log === null ? null : { ...log, logged_at: log.logged_at.toISOString() },
      anchor:
        anchor === null
          ? null
          : anchor.state === 'pending'
            ? { ...anchor, since: anchor.since.toISOString(), next_try: iso(anchor.next_try) }
            : { ...anchor, block_time: anchor.block_time.toISOString() },
    },
  }
}
