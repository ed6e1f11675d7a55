import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Session } from '../../contract/identity.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { deleteSessions, listSessions, type SessionRow } from './session-store.ts'

type SessionDeps = Pick<IdentityDeps, 'db' | 'clock'>
const own = ({ userId }: Actor) => ({ userId, accountId: userId })

function present(row: SessionRow, actor: Actor): Session {
  return {
    id: row.id,
    created_at: row.createdAt.toISOString(),
    seen_at: row.seenAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    browser: row.browser,
    network: row.network,
    remembered: row.remembered,
    second_factor: row.secondFactor,
    current: row.id === actor.sessionId,
  }
}

export async function listOwnSessions(deps: SessionDeps, actor: Actor): Promise<{ results: Session[] }> {
  const rows = await listSessions(deps.db, actor.userId, deps.clock.now())
  return { results: rows.map((row) => present(row, actor)) }
}

/** S-02: the token opens nothing from now on. */
export async function signOut(deps: SessionDeps, actor: Actor): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await deleteSessions(tx, actor.userId, { only: actor.sessionId })
    await recordAct(tx, deps.clock.now(), {
      action: 'identity.signed_out',
      actor: own(actor),
      subject: { type: 'session', id: actor.sessionId },
    })
  })
}

/** One of his own; another's is not found. @throws DomainError `http.not_found` */
export async function endSession(deps: SessionDeps, actor: Actor, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if ((await deleteSessions(tx, actor.userId, { only: id })) === 0) throw new DomainError('not_found', 'http.not_found')
    await recordAct(tx, deps.clock.now(), {
      action: 'identity.ended_session',
      actor: own(actor),
      subject: { type: 'session', id },
    })
  })
}

/** Log out everywhere (decision H-08). */
export async function endAllSessions(deps: SessionDeps, actor: Actor): Promise<{ ended: number }> {
  return await deps.db.transaction().execute(async (tx) => {
    const ended = await deleteSessions(tx, actor.userId)
    await recordAct(tx, deps.clock.now(), {
      action: 'identity.ended_all_sessions',
      actor: own(actor),
      subject: { type: 'user', id: actor.userId },
      data: { sessions_ended: ended },
    })
    return { ended }
  })
}

/** All but this one. */
export async function endOtherSessions(deps: SessionDeps, actor: Actor): Promise<{ ended: number }> {
  return await deps.db.transaction().execute(async (tx) => {
    const ended = await deleteSessions(tx, actor.userId, { except: actor.sessionId })
    if (ended > 0)
      await recordAct(tx, deps.clock.now(), {
        action: 'identity.ended_other_sessions',
        actor: own(actor),
        subject: { type: 'user', id: actor.userId },
        data: { sessions_ended: ended },
      })
    return { ended }
  })
}
