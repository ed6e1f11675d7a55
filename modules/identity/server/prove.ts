import type { Actor } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { IdentityDeps } from './deps.ts'
import { findSecondFactor } from './factor-store.ts'
import { provePassword } from './prove-password.ts'
import { takeSecondFactor } from './second-factor.ts'
import { proofExpiry } from './session-lifetime.ts'
import { markProven } from './session-store.ts'
import { attempt } from './throttle.ts'

/**
 * Somebody signed in says anew who he is: for a while, his session suffices for what protects him (decision 0270).
 * @throws DomainError `identity.password_wrong`, `identity.second_factor_required`, `identity.second_factor_wrong`,
 * `identity.throttled`
 */
export async function prove(
  deps: IdentityDeps,
  actor: Actor,
  input: { readonly password: string; readonly code?: string | undefined },
): Promise<{ proven_until: string }> {
  await provePassword(deps, actor.userId, input.password, 'password')
  if ((await findSecondFactor(deps.db, actor.userId))?.confirmedAt != null) await proveFactor(deps, actor, input.code ?? '')
  const now = deps.clock.now()
  await markProven(deps.db, actor.sessionId, now)
  return { proven_until: proofExpiry(now).toISOString() }
}

async function proveFactor(deps: IdentityDeps, actor: Actor, code: string): Promise<void> {
  const required = { fields: { code: ['code_required'] } }
  if (code === '') throw new DomainError('invalid', 'identity.second_factor_required', {}, required)
  const trying = await attempt(deps, { kind: 'account', of: `factor ${actor.userId}` })
  if ((await takeSecondFactor(deps, deps.db, actor.userId, code)) === null)
    throw new DomainError('invalid', 'identity.second_factor_wrong', {}, { fields: { code: ['code_wrong'] } })
  await trying.succeed()
}
