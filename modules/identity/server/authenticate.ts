import { staffRoles } from '../../../kernel/actor.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Authenticate } from '../../../platform/http/authenticate.ts'
import { authenticateKey, seemsApiKey } from './authenticate-key.ts'
import type { FindDelegation } from './deps.ts'
import { tokenHash } from './keyed-hash.ts'
import { isProven, sessionExpiry } from './session-lifetime.ts'
import { findSession, touchSession } from './session-store.ts'

/** How often use is written down. */
const seenEveryMs = 60_000
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** @param deps.findDelegation absent where nobody can grant access to his account: whoever claims one is refused */
export function createAuthenticate(deps: {
  readonly db: Db
  readonly clock: Clock
  readonly findDelegation?: FindDelegation
}): Authenticate {
  const { db } = deps
  return async ({ bearer, delegation, network }) => {
    if (seemsApiKey(bearer))
      return await authenticateKey(deps, { bearer, delegation, ...(network === undefined ? {} : { network }) })
    const now = deps.clock.now()
    const found = await findSession(db, tokenHash(bearer), now)
    if (found === null) throw new DomainError('unauthenticated', 'http.session_ended')
    const { session, locale, roles } = found
    if (now.getTime() - session.seenAt.getTime() >= seenEveryMs) {
      await touchSession(db, session.id, now, sessionExpiry(session, now), network ?? null)
    }
    const actor = {
      userId: session.userId,
      accountId: session.userId,
      delegation: null,
      sessionId: session.id,
      roles: new Set(staffRoles.filter((role) => roles.includes(role))),
      secondFactor: session.secondFactor,
      proven: isProven(session.provenAt, now),
      locale,
    }
    if (delegation === undefined) return actor
    const granted = uuid.test(delegation) ? await deps.findDelegation?.(delegation, session.userId, now) : null
    if (granted == null) throw new DomainError('forbidden', 'http.delegation_ended')
    return { ...actor, accountId: granted.grantorId, delegation: { id: delegation, scope: granted.scope } }
  }
}
