import type { Actor } from '../../../../kernel/actor.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { holdAssignment, holdGroup, setAssignment } from './assignment-store.ts'

export type AssignmentDeps = {
  readonly db: Db
  readonly clock: Clock
  /** Ends what waits for that server and may not any more. @returns their ids */
  readonly endWithdrawn: (tx: Tx, serverId: string) => Promise<readonly string[]>
}

/**
 * Dedicates a server to a group, or takes it from one (decision 0338): what waits for it in the name of another ends with it, what is under way
 * goes on. It is said whose it was: two who change it at the same moment do not undo each other unseen.
 * @param actor null: the operator, at the command line
 * @param change `to` null: it becomes nobody's; `from` null: it was nobody's
 * @returns how many ended
 * @throws DomainError `capture.server_unknown`, `capture.server_public`, `capture.group_unknown`, `capture.server_reassigned`
 */
export async function assignServer(
  deps: AssignmentDeps,
  actor: Pick<Actor, 'userId'> | null,
  serverId: string,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): Promise<number> {
  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    const before = await holdAssignment(tx, serverId)
    if (before === null) throw new DomainError('not_found', 'capture.server_unknown')
    if (before.kind === 'public') throw new DomainError('conflict', 'capture.server_public')
    if (before.groupId !== from) throw new DomainError('conflict', 'capture.server_reassigned')
    if (to !== null && (await holdGroup(tx, to)) === null) throw new DomainError('not_found', 'capture.group_unknown')
    if (to === from) return 0
    await setAssignment(tx, serverId, to)
    const ended = (await deps.endWithdrawn(tx, serverId)).length
    await recordAct(tx, now, {
      action: to === null ? 'capture.unassigned_server' : 'capture.assigned_server',
      actor: actor === null ? null : { userId: actor.userId, accountId: actor.userId },
      subject: { type: 'server', id: serverId },
      data: { from_group: from, to_group: to, ended },
    })
    return ended
  })
}
