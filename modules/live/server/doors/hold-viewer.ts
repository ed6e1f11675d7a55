/** By what a viewer takes part in a live session, and whether that still holds: asked by every process that carries him. */
import { z } from 'zod'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Admission, Admissions, Ground } from '../../../../platform/admission/admissions.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { liveClose } from '../../contract/live.ts'

/** What admitted him. It stands in his ticket, and goes with him to the session's own process, which believes it of nobody but asks. */
export const viewerGround = z.discriminatedUnion('by', [
  z.object({ by: z.literal('token'), hash: z.string().length(43) }),
  z.object({ by: z.literal('session'), session: z.uuid(), delegation: z.uuid().nullable() }),
  z.object({ by: z.literal('witness'), witness: z.uuid() }),
])
export type ViewerGround = z.infer<typeof viewerGround>

/** On what he hangs, and until when at most. */
export type ViewerHolding = { readonly ids: readonly string[]; readonly until: Date | null }

export type ViewerRights = {
  readonly db: Db
  readonly clock: Clock
  readonly admissions: Admissions
  /**
   * Whether that lets him take part in the session of that evidence, now: answered by whoever keeps evidences.
   * @throws DomainError `live.access_ended`, `live.witness_unknown`, `evidence.not_found`, or why he is nobody any more
   */
  ask(evidenceId: string, ground: ViewerGround): Promise<ViewerHolding>
}

/**
 * Lets a viewer in for as long as what admitted him holds. The owner's account must be open, whoever looks on.
 * @throws DomainError what `ask` throws
 */
async function holdViewer(rights: ViewerRights, evidenceId: string, ground: ViewerGround): Promise<Admission> {
  const { ids } = await rights.ask(evidenceId, ground)
  const known = new Set(ids)
  const ask: Ground['ask'] = async () => {
    const asked = await rights.ask(evidenceId, ground)
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
