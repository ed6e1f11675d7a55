import { randomUUIDv7 } from 'node:crypto'
import { DomainError } from '../../../../kernel/errors.ts'
import type { EvidenceWebDeps } from '../deps.ts'
import { assertHolder, newEvidenceToken } from '../hold-evidence.ts'
import { findEvidence, lockEvidence, type EvidenceRecord } from '../store.ts'
import { callSession } from './dial-session.ts'
import { findSession, insertWitness, listWitnesses, revokeWitness as revoke, type WitnessRecord } from './live-store.ts'

type Actor = { readonly evidenceToken: string | undefined }

const mostWitnesses = 10
const open: ReadonlySet<EvidenceRecord['status']> = new Set(['queued', 'preparing', 'capturing'])

/**
 * A link for somebody who looks on. It works once the session can be joined, and ends with it.
 * @returns the token, which is kept only as a hash
 * @throws DomainError `live.not_capturing` when there is, and will be, no session; `live.too_many_witnesses`
 */
export async function inviteWitness(
  deps: EvidenceWebDeps,
  actor: Actor,
  id: string,
  label: string,
): Promise<{ readonly witness: WitnessRecord; readonly token: string }> {
  return await deps.db.transaction().execute(async (tx) => {
    const evidence = assertHolder(await lockEvidence(tx, id), actor.evidenceToken)
    if (evidence.action !== 'interactive' || !open.has(evidence.status)) throw new DomainError('conflict', 'live.not_capturing')
    if ((await listWitnesses(tx, id)).length >= mostWitnesses)
      throw new DomainError('limited', 'live.too_many_witnesses', { count: mostWitnesses })
    const { token, tokenHash } = newEvidenceToken()
    return { witness: await insertWitness(tx, { id: randomUUIDv7(), evidenceId: id, label, tokenHash }), token }
  })
}

export async function witnessesOf(deps: EvidenceWebDeps, actor: Actor, id: string): Promise<WitnessRecord[]> {
  const evidence = assertHolder(await findEvidence(deps.db, id), actor.evidenceToken)
  return await listWitnesses(deps.db, evidence.id)
}

/** Ends the link first, then the connections made with it. @throws DomainError `live.witness_unknown` */
export async function revokeWitness(deps: EvidenceWebDeps, actor: Actor, id: string, witnessId: string): Promise<WitnessRecord> {
  const evidence = assertHolder(await findEvidence(deps.db, id), actor.evidenceToken)
  const witness = await revoke(deps.db, evidence.id, witnessId)
  if (witness === null) throw new DomainError('not_found', 'live.witness_unknown')
  const door = await findSession(deps.db, evidence.id)
  if (door !== null) await callSession(evidence.id, door, { name: 'revoke', witness: witness.id })
  return witness
}
