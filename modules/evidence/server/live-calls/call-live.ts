import { DomainError } from '../../../../kernel/errors.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { findReachable, type Caller } from '../own/reach-store.ts'
import { findEvidence, type EvidenceRecord } from '../record/store.ts'
import { callSession, findSession, type SessionCall } from '../../../live/server/index.ts'

/**
 * C-35 to C-38: what a caller without a viewer asks of a session. Quitting is idempotent: of a session that is over, or was told
 * already, there is nothing to end.
 * @returns the evidence as it stands afterwards
 * @throws DomainError `live.not_capturing`, `live.unreachable`, or what the session refuses
 */
export async function callLive(deps: EvidenceWebDeps, caller: Caller, id: string, call: SessionCall): Promise<EvidenceRecord> {
  const evidence = await findReachable(deps.db, caller, id)
  const door = await findSession(deps.db, evidence.id)
  try {
    if (door === null) throw new DomainError('conflict', 'live.not_capturing')
    await callSession(evidence.id, door, call)
  } catch (error) {
    if (!(call.name === 'quit_interactivity' && (await hasEnded(deps, evidence, error)))) throw error
  }
  return await findReachable(deps.db, caller, id)
}

const over: ReadonlySet<EvidenceRecord['status']> = new Set([
  'completing',
  'to_validate',
  'awaiting_payment',
  'finalizing',
  'final',
  'rejected',
  'failed',
  'expired',
])

async function hasEnded(deps: EvidenceWebDeps, { id, action }: EvidenceRecord, error: unknown): Promise<boolean> {
  if (action !== 'interactive' || !(error instanceof DomainError)) return false
  if (error.code !== 'live.not_capturing' && error.code !== 'live.unreachable') return false
  const now = await findEvidence(deps.db, id)
  if (now === null) return false
  return over.has(now.status) || (now.status === 'capturing' && now.progress?.phase === 'completing')
}
