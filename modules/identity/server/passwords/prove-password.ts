import { DomainError } from '../../../../kernel/errors.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { attempt } from '../guard/throttle.ts'
import { findUser } from '../people/user-store.ts'

/**
 * Somebody signed in says his password again, before what a found telephone must not do.
 * @param field wire name that a wrong one is told by
 * @throws DomainError `identity.password_wrong`, `identity.throttled`
 */
export async function provePassword(deps: IdentityDeps, userId: string, password: string, field: string): Promise<void> {
  const trying = await attempt(deps, { kind: 'account', of: `password ${userId}` })
  const user = await findUser(deps.db, userId)
  if (!(await deps.passwords.verify(user?.passwordHash ?? null, password)))
    throw new DomainError('invalid', 'identity.password_wrong', {}, { fields: { [field]: ['password_wrong'] } })
  await trying.succeed()
}
