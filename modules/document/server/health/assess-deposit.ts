import type { Actor } from '../../../../kernel/actor.ts'
import type { ShownProofHealth } from '../../../../kernel/proof-health.ts'
import {
  anchorNetwork,
  findAnchored,
  logHealthOf,
  presentHealth,
  progressOfAnchor,
  type HealthFacts,
} from '../../../sealing/server/index.ts'
import { listBatchFiles } from '../deposit/batch-store.ts'
import type { DocumentWebDeps } from '../deposit/deps.ts'
import { findSealed, type SealedDeposit } from '../proofs/sealed-deposit.ts'
import { findReachable } from '../deposit/reach-store.ts'
import { loggedOf } from '../seal/seal-batch.ts'
import { factsOfChain, readStampChains } from '../stamps/stamp-chains.ts'

/**
 * What proves a deposit now, measured on its time stamps, their renewals, its place in the log and its anchor.
 * @throws DomainError `document.not_found`; gone `document.expired`; conflict `document.not_final`
 */
export async function assessDeposit(deps: DocumentWebDeps, actor: Actor, id: string): Promise<ShownProofHealth> {
  await findReachable(deps.db, actor, id)
  const sealed = await findSealed(deps, id)
  const { batch } = sealed
  const files = await listBatchFiles(deps.db, batch.id)
  const chains = await readStampChains(deps.db, batch, files)
  const proof = files.find(({ name }) => name === 'log-proof.txt')?.data
  const facts = {
    stamps: chains.flatMap((chain) => factsOfChain(chain, batch.root)),
    renewed: 'each',
    log: logHealthOf(batch.summary.log, proof),
    anchor: await anchorFacts(deps, sealed),
  } as const
  return presentHealth(id, facts, { pending: batch.pending, askAgainAt: batch.askAgainAt }, deps.clock.now())
}

async function anchorFacts(
  { db, publicLog, anchoring, bitcoinNetwork }: DocumentWebDeps,
  { batch, record }: SealedDeposit,
): Promise<HealthFacts['anchor']> {
  const { log } = batch.summary
  if (publicLog === undefined || log === null) return null
  const anchored = batch.anchoredAt === null ? null : await findAnchored({ db, publicLog }, loggedOf(batch, batch.root))
  if (anchored !== null) {
    const { height, header, time, sources } = anchored.block
    const network = anchorNetwork({ height, header }, bitcoinNetwork)
    return { state: 'anchored', network, block_height: height, block_time: time, header_source: sources.join(', ') }
  }
  if (anchoring !== true) return null
  const { nextTryAt } = await progressOfAnchor(db, log.index)
  const since = batch.sealedAt ?? record.createdAt
  return { state: 'pending', network: anchorNetwork(null, bitcoinNetwork), since, next_try: nextTryAt }
}
