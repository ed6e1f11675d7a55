import { DomainError } from '../../../../kernel/errors.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { hashOf } from '../own/hold-evidence.ts'
import { findReachable, type Caller } from '../own/reach-store.ts'
import { findEvidence, type EvidenceRecord } from '../record/store.ts'
import { findSession, findWitness, issueTicket, type WitnessRecord } from '../../../live/server/index.ts'
import { assertInvited, groundOf } from './ask-for-viewer.ts'

type Ticket = { readonly ticket: string; readonly expiresAt: Date }

/** A holder's ticket for one connection. @throws DomainError `evidence.not_found`; `live.not_yet`; `live.not_capturing` */
export async function ticketForHolder(
  deps: EvidenceWebDeps,
  caller: Caller,
  id: string,
  role: 'controller' | 'watcher',
): Promise<Ticket> {
  const evidence = await findReachable(deps.db, caller, id)
  await assertJoinable(deps, evidence.id)
  return issueTicket(deps.secret, deps.clock.now(), {
    evidenceId: evidence.id,
    role,
    ground: groundOf(caller, evidence),
  })
}

/** A ticket for whoever has the link. @throws DomainError `live.witness_unknown`; `live.not_yet`; `live.not_capturing` */
export async function ticketForWitness(
  deps: EvidenceWebDeps,
  token: string,
): Promise<Ticket & { readonly witness: WitnessRecord }> {
  const { witness } = await assertInvited(deps, await findWitness(deps.db, { tokenHash: hashOf(token) }))
  await assertJoinable(deps, witness.evidenceId)
  const { evidenceId, id } = witness
  return {
    witness,
    ...issueTicket(deps.secret, deps.clock.now(), { evidenceId, role: 'witness', ground: { by: 'witness', witness: id } }),
  }
}

function comes({ action, status, progress }: EvidenceRecord): boolean {
  if (action !== 'interactive') return false
  return status === 'queued' || status === 'preparing' || (status === 'capturing' && progress?.phase === 'capturing')
}

/** What has still to begin is worth asking again for; what is over, or was never to be joined, is not. */
async function assertJoinable(deps: EvidenceWebDeps, evidenceId: string): Promise<void> {
  if ((await findSession(deps.db, evidenceId)) !== null) return
  const evidence = await findEvidence(deps.db, evidenceId)
  throw evidence !== null && comes(evidence)
    ? new DomainError('unavailable', 'live.not_yet')
    : new DomainError('conflict', 'live.not_capturing')
}
