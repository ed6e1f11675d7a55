import { randomUUIDv7 } from 'node:crypto'
import { DomainError } from '../../../../kernel/errors.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import { newEvidenceToken } from '../own/hold-evidence.ts'
import { findReachable, lockReachable, type Caller } from '../own/reach-store.ts'
import type { EvidenceRecord } from '../record/store.ts'
import { insertWitness, listWitnesses, revokeWitness as revoke, type WitnessRecord } from '../../../live/server/index.ts'

const mostWitnesses = 10
const open: ReadonlySet<EvidenceRecord['status']> = new Set(['queued', 'preparing', 'capturing'])

/**
 * A link for somebody who looks on. It works once the session can be joined, and ends with it.
 * @returns the token, which is kept only as a hash
 * @throws DomainError `live.not_capturing` when there is, and will be, no session; `live.too_many_witnesses`
 */
export async function inviteWitness(
  deps: EvidenceWebDeps,
  caller: Caller,
  id: string,
  label: string,
): Promise<{ readonly witness: WitnessRecord; readonly token: string }> {
  return await deps.db.transaction().execute(async (tx) => {
    const evidence = await lockReachable(tx, caller, id)
    if (evidence.action !== 'interactive' || !open.has(evidence.status)) throw new DomainError('conflict', 'live.not_capturing')
    if ((await listWitnesses(tx, id)).length >= mostWitnesses)
      throw new DomainError('limited', 'live.too_many_witnesses', { count: mostWitnesses })
    const { token, tokenHash } = newEvidenceToken()
    const { actor } = caller
    const invitedBy = actor == null || evidence.ownerId === null ? {} : { for: actor.userId, delegation: actor.delegation?.id }
    return { witness: await insertWitness(tx, { id: randomUUIDv7(), evidenceId: id, label, tokenHash, invitedBy }), token }
  })
}

export async function witnessesOf(deps: EvidenceWebDeps, caller: Caller, id: string): Promise<WitnessRecord[]> {
  const evidence = await findReachable(deps.db, caller, id)
  return await listWitnesses(deps.db, evidence.id)
}

/** Ends the link, and with it the connections made by it (decision 0330). @throws DomainError `live.witness_unknown` */
export async function revokeWitness(
  deps: EvidenceWebDeps,
  caller: Caller,
  id: string,
  witnessId: string,
): Promise<WitnessRecord> {
  const evidence = await findReachable(deps.db, caller, id)
  const witness = await revoke(deps.db, evidence.id, witnessId)
  if (witness === null) throw new DomainError('not_found', 'live.witness_unknown')
  return witness
}
