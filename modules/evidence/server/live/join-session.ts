import { DomainError } from '../../../../kernel/errors.ts'
import type { EvidenceWebDeps } from '../deps.ts'
import { assertHolder, hashOf } from '../hold-evidence.ts'
import { findEvidence } from '../store.ts'
import { findSession, findWitness, type WitnessRecord } from './live-store.ts'
import { issueTicket } from './live-ticket.ts'

type Actor = { readonly evidenceToken: string | undefined }
type Ticket = { readonly ticket: string; readonly expiresAt: Date }

/** A holder's ticket for one connection. @throws DomainError `evidence.not_found`; `live.not_capturing` when nothing can be joined */
export async function ticketForHolder(
  deps: EvidenceWebDeps,
  actor: Actor,
  id: string,
  role: 'controller' | 'watcher',
): Promise<Ticket> {
  const evidence = assertHolder(await findEvidence(deps.db, id), actor.evidenceToken)
  await assertJoinable(deps, evidence.id)
  return issueTicket(deps.secret, deps.clock.now(), { evidenceId: evidence.id, role, witnessId: null })
}

/** A ticket for whoever has the link. @throws DomainError `live.witness_unknown`; `live.not_capturing` while there is nothing to see yet */
export async function ticketForWitness(
  deps: EvidenceWebDeps,
  token: string,
): Promise<Ticket & { readonly witness: WitnessRecord }> {
  const witness = await findWitness(deps.db, { tokenHash: hashOf(token) })
  if (witness === null || witness.revokedAt !== null) throw new DomainError('not_found', 'live.witness_unknown')
  await assertJoinable(deps, witness.evidenceId)
  const { evidenceId, id } = witness
  return { witness, ...issueTicket(deps.secret, deps.clock.now(), { evidenceId, role: 'witness', witnessId: id }) }
}

async function assertJoinable(deps: EvidenceWebDeps, evidenceId: string): Promise<void> {
  if ((await findSession(deps.db, evidenceId)) === null) throw new DomainError('conflict', 'live.not_capturing')
}
