import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { findSecondFactor } from '../second-factor/factor-store.ts'
import { mailNoticeJob } from '../mails/mail-jobs.ts'
import { provePassword } from '../passwords/prove-password.ts'
import { takeSecondFactor } from '../second-factor/take-code.ts'
import { proofExpiry } from '../sessions/session-lifetime.ts'
import { markProven } from '../sessions/session-store.ts'
import { attempt } from '../guard/throttle.ts'

/**
 * Somebody signed in says anew who he is: for a while, his session suffices for what protects him (decision 0245).
 * @throws DomainError `identity.password_wrong`, `identity.second_factor_required`, `identity.second_factor_wrong`,
 * `identity.throttled`
 */
export async function prove(
  deps: IdentityDeps,
  actor: Actor,
  input: { readonly password: string; readonly code?: string | undefined },
): Promise<{ proven_until: string }> {
  await provePassword(deps, actor.userId, input.password, 'password')
  const isSecured = (await findSecondFactor(deps.db, actor.userId))?.confirmedAt != null
  const taken = isSecured ? await proveFactor(deps, actor, input.code ?? '') : null
  const now = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    await markProven(tx, actor.sessionId, now)
    if (taken === 'recovery')
      await enqueue(tx, mailNoticeJob, { user_id: actor.userId, notice: 'recovery_code_used', at: now.toISOString() })
  })
  return { proven_until: proofExpiry(now).toISOString() }
}

async function proveFactor(deps: IdentityDeps, actor: Actor, code: string): Promise<'totp' | 'recovery'> {
  const required = { fields: { code: ['code_required'] } }
  if (code === '') throw new DomainError('invalid', 'identity.second_factor_required', {}, required)
  const trying = await attempt(deps, { kind: 'account', of: `factor ${actor.userId}` })
  const taken = await takeSecondFactor(deps, deps.db, actor.userId, code)
  if (taken === null) throw new DomainError('invalid', 'identity.second_factor_wrong', {}, { fields: { code: ['code_wrong'] } })
  await trying.succeed()
  return taken
}
