/** By what a viewer takes part in a live session, and whether that still holds: asked by every process that carries him. */
import { z } from 'zod'
import { scopeSuffices, groundsOf, type Actor, type FindDelegation } from '../../../../kernel/actor.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Admission, Admissions, Ground } from '../../../../platform/admission/admissions.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { Recall } from '../../../../platform/http/authenticate.ts'
import { liveClose } from '../../../live/server/index.ts'
import { hashOf } from '../own/hold-evidence.ts'
import { assertLinkHolds } from '../own/link-to.ts'
import { findReachable, type Caller } from '../own/reach-store.ts'
import type { EvidenceRecord } from '../record/store.ts'
import { findHost, findWitness, type WitnessRecord } from './live-store.ts'

/** What admitted him. It stands in his ticket, and goes with him to the session's own process, which believes it of nobody but asks. */
export const viewerGround = z.discriminatedUnion('by', [
  z.object({ by: z.literal('token'), hash: z.string().length(43) }),
  z.object({ by: z.literal('session'), session: z.uuid(), delegation: z.uuid().nullable() }),
  z.object({ by: z.literal('witness'), witness: z.uuid() }),
])
export type ViewerGround = z.infer<typeof viewerGround>

export type ViewerRights = {
  readonly db: Db
  readonly clock: Clock
  readonly admissions: Admissions
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
 * Lets a viewer in for as long as what admitted him holds. The owner's account must be open, whoever looks on.
 * @throws DomainError `live.access_ended`, `live.witness_unknown`, `evidence.not_found`, or why he is nobody any more
 */
async function holdViewer(rights: ViewerRights, evidenceId: string, ground: ViewerGround): Promise<Admission> {
  const { ids } = await askForViewer(rights, evidenceId, ground)
  const known = new Set(ids)
  const ask: Ground['ask'] = async () => {
    const asked = await askForViewer(rights, evidenceId, ground)
    // The evidence may have passed to an account meanwhile: from now on what happens to that one concerns him too.
    const added = asked.ids.filter((id) => !known.has(id))
    for (const id of added) known.add(id)
    if (added.length > 0) admission.hangOn({ ids: added, ask: async () => null })
    return asked.until
  }
  const admission = rights.admissions.hold({ ids, ask })
  return admission
}

/** How the connection of somebody is closed whose admission ended for that reason. */
export function closeOf({ by }: ViewerGround, why: unknown): { readonly code: number; readonly reason: string } {
  if (why instanceof DomainError && why.kind === 'unavailable') return { code: liveClose.lost, reason: 'lost' }
  return { code: liveClose.refused, reason: by === 'witness' ? 'revoked' : 'access_ended' }
}

/** {@link holdViewer}, or how a connection is closed that is not let in. */
export async function letIn(
  rights: ViewerRights,
  evidenceId: string,
  ground: ViewerGround,
): Promise<Admission | { readonly code: number; readonly reason: string }> {
  try {
    return await holdViewer(rights, evidenceId, ground)
  } catch (error) {
    if (error instanceof DomainError) return closeOf(ground, error)
    throw error
  }
}

type Holding = { readonly ids: readonly string[]; readonly until: Date | null }

async function askForViewer(rights: ViewerRights, evidenceId: string, ground: ViewerGround): Promise<Holding> {
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

type InviterRights = Pick<ViewerRights, 'db' | 'clock' | 'findDelegation'>

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

async function askForWitness(rights: ViewerRights, evidenceId: string, id: string): Promise<Asked> {
  const { witness, until } = await assertInvited(rights, await findWitness(rights.db, { id, evidenceId }))
  const { for: inviter, delegation } = witness.invitedBy
  return { on: [id, inviter, delegation].filter((each) => each !== undefined), until }
}

async function askForHolder(
  rights: ViewerRights,
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
