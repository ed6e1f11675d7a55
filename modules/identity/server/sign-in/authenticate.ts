import { staffRoles, type Actor, type FindDelegation } from '../../../../kernel/actor.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Db } from '../../../../platform/db/database.ts'
import type { Authenticate, Recall } from '../../../../platform/http/authenticate.ts'
import { authenticateKey, seemsApiKey } from '../api-keys/authenticate-key.ts'
import { tokenHash } from '../guard/keyed-hash.ts'
import { isProven, sessionExpiry } from '../sessions/session-lifetime.ts'
import { findSession, touchSession, type FoundSession } from '../sessions/session-store.ts'

/** How often use is written down. */
const seenEveryMs = 60_000
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

type Deps = {
  readonly db: Db
  readonly clock: Clock
  /** Absent where nobody can grant access to his account: whoever claims one is refused. */
  readonly findDelegation?: FindDelegation
}

export function createAuthenticate(deps: Deps): Authenticate {
  const { db } = deps
  return async ({ bearer, delegation, network, again = false }) => {
    if (seemsApiKey(bearer))
      return await authenticateKey(deps, { bearer, delegation, again, ...(network === undefined ? {} : { network }) })
    const now = deps.clock.now()
    const found = await findSession(db, { tokenHash: tokenHash(bearer) }, now)
    if (found === null) throw new DomainError('unauthenticated', 'http.session_ended')
    const { session } = found
    if (!again && now.getTime() - session.seenAt.getTime() >= seenEveryMs) {
      await touchSession(db, session.id, now, sessionExpiry(session, now), network ?? null)
    }
    return await actorOf(deps, found, delegation, now)
  }
}

/** Who goes on by a session, asked by its id. */
export function createRecall(deps: Deps): Recall {
  return async ({ session, delegation }) => {
    const now = deps.clock.now()
    const found = await findSession(deps.db, { id: session }, now)
    if (found === null) throw new DomainError('unauthenticated', 'http.session_ended')
    return await actorOf(deps, found, delegation ?? undefined, now)
  }
}

async function actorOf(
  deps: Deps,
  { session, locale, roles }: FoundSession,
  delegation: string | undefined,
  now: Date,
): Promise<Actor> {
  const actor = {
    userId: session.userId,
    accountId: session.userId,
    delegation: null,
    sessionId: session.id,
    roles: new Set(staffRoles.filter((role) => roles.includes(role))),
    secondFactor: session.secondFactor,
    proven: isProven(session.provenAt, now),
    until: session.expiresAt,
    locale,
  }
  if (delegation === undefined) return actor
  const granted = uuid.test(delegation) ? await deps.findDelegation?.(delegation, session.userId, now) : null
  if (granted == null) throw new DomainError('forbidden', 'http.delegation_ended')
  const until = new Date(Math.min(actor.until.getTime(), granted.expiresAt.getTime()))
  return { ...actor, accountId: granted.grantorId, delegation: { id: delegation, scope: granted.scope }, until }
}
