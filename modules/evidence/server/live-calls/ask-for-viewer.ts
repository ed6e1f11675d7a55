/** Whether who takes part in a live session reaches the evidence that it is of; the session's doors ask it again as long as he is there. */
import { scopeSuffices, groundsOf, type Actor, type FindDelegation } from '../../../../kernel/actor.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { Recall } from '../../../../platform/http/authenticate.ts'
import { findWitness, type ViewerGround, type ViewerHolding, type WitnessRecord } from '../../../live/server/index.ts'
import { hashOf } from '../own/hold-evidence.ts'
import { assertLinkHolds } from '../own/link-to.ts'
import { findHost } from '../own/host-store.ts'
import { findReachable, type Caller } from '../own/reach-store.ts'
import type { EvidenceRecord } from '../record/store.ts'

export type HolderRights = {
  readonly db: Db
  readonly clock: Clock
  /** Absent where nobody signs in: only tokens and witnesses are let in. */
  readonly recall?: Recall
  readonly findDelegation?: FindDelegation
}

/** Least scope of a delegate who takes part: that of the call for a ticket. */
const leastScope = 'create'

const accessEnded = () => new DomainError('forbidden', 'live.access_ended')

/** @param evidence that the caller reaches */
export function groundOf({ actor, evidenceToken }: Caller, evidence: Pick<EvidenceRecord, 'ownerId'>): ViewerGround {
  if (evidence.ownerId === null && evidenceToken !== undefined)
    return { by: 'token', hash: hashOf(evidenceToken).toString('base64url') }
  if (actor == null) throw accessEnded()
  return { by: 'session', session: actor.sessionId, delegation: actor.delegation?.id ?? null }
}

/**
 * Whether a viewer may take part: the owner's account must be open, whoever looks on.
 * @throws DomainError `live.access_ended`, `live.witness_unknown`, `evidence.not_found`, or why he is nobody any more
 */
export async function askForViewer(rights: HolderRights, evidenceId: string, ground: ViewerGround): Promise<ViewerHolding> {
  const host = await findHost(rights.db, evidenceId)
  if (host === null || !host.open) throw accessEnded()
  const ids = host.ownerId === null ? [evidenceId] : [evidenceId, host.ownerId]
  const { until, on } =
    ground.by === 'witness'
      ? await askForWitness(rights, evidenceId, ground.witness)
      : await askForHolder(rights, evidenceId, ground)
  return { ids: [...ids, ...on], until }
}

type Asked = { readonly on: readonly string[]; readonly until: Date | null }

type InviterRights = Pick<HolderRights, 'db' | 'clock' | 'findDelegation'>

/**
 * An invitation holds as long as it is not withdrawn, and whoever gave it reaches the evidence.
 * @throws DomainError `live.witness_unknown`
 */
export async function assertInvited(
  rights: InviterRights,
  witness: WitnessRecord | null,
): Promise<{ readonly witness: WitnessRecord; readonly until: Date | null }> {
  const unknown = () => new DomainError('not_found', 'live.witness_unknown')
  if (witness === null || witness.revokedAt !== null) throw unknown()
  const { until } = await assertLinkHolds(rights, witness.evidenceId, witness.invitedBy, leastScope).catch((error: unknown) => {
    throw error instanceof DomainError && error.kind === 'not_found' ? unknown() : error
  })
  return { witness, until }
}

async function askForWitness(rights: HolderRights, evidenceId: string, id: string): Promise<Asked> {
  const { witness, until } = await assertInvited(rights, await findWitness(rights.db, { id, evidenceId }))
  const { for: inviter, delegation } = witness.invitedBy
  return { on: [id, inviter, delegation].filter((each) => each !== undefined), until }
}

async function askForHolder(
  rights: HolderRights,
  evidenceId: string,
  ground: Exclude<ViewerGround, { by: 'witness' }>,
): Promise<Asked> {
  if (ground.by === 'token') {
    await findReachable(rights.db, { tokenHash: Buffer.from(ground.hash, 'base64url') }, evidenceId)
    return { on: [], until: null }
  }
  const actor: Actor | undefined = await rights.recall?.(ground)
  if (actor === undefined) throw accessEnded()
  if (actor.delegation !== null && !scopeSuffices(actor.delegation.scope, leastScope)) throw accessEnded()
  await findReachable(rights.db, { actor }, evidenceId)
  return { on: groundsOf(actor), until: actor.until ?? null }
}
