import { generateSecret, generateURI } from 'otplib'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { findPrimaryAddress } from '../people/address-store.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { beginFactor, confirmFactor, countRecoveryCodes, deleteFactor, findSecondFactor } from './factor-store.ts'
import { mailNoticeJob } from '../mails/mail-jobs.ts'
import { provePassword } from '../passwords/prove-password.ts'
import { deleteSessions, markSecondFactor } from '../sessions/session-store.ts'
import { attempt } from '../guard/throttle.ts'
import { lockUser } from '../people/user-store.ts'
import { makeRecoveryCodes, sealSecret, takeSecondFactor, takeTotp } from './take-code.ts'

const wrong = () => new DomainError('unauthenticated', 'identity.second_factor_wrong', {}, { fields: { code: ['code_wrong'] } })
const subjectOf = (userId: string) => ({ type: 'user', id: userId })
const own = ({ userId }: Actor) => ({ userId, accountId: userId })

export async function readSecondFactor(
  deps: IdentityDeps,
  actor: Actor,
): Promise<{ enabled: boolean; confirmed_at: string | null; recovery_codes_left: number; required: boolean }> {
  const factor = await findSecondFactor(deps.db, actor.userId)
  const confirmedAt = factor?.confirmedAt ?? null
  return {
    enabled: confirmedAt !== null,
    confirmed_at: confirmedAt?.toISOString() ?? null,
    recovery_codes_left: confirmedAt === null ? 0 : await countRecoveryCodes(deps.db, actor.userId),
    required: actor.roles.size > 0,
  }
}

/** @throws DomainError `identity.password_wrong`, `identity.second_factor_enabled` */
export async function beginSecondFactor(
  deps: IdentityDeps,
  actor: Actor,
  password: string,
  issuer: string,
): Promise<{ secret: string; uri: string }> {
  await provePassword(deps, actor.userId, password, 'password')
  const secret = generateSecret()
  const sealed = sealSecret(deps, actor.userId, secret)
  return await deps.db.transaction().execute(async (tx) => {
    if (!(await beginFactor(tx, actor.userId, sealed, deps.clock.now())))
      throw new DomainError('conflict', 'identity.second_factor_enabled')
    const label = (await findPrimaryAddress(tx, actor.userId))?.address ?? actor.userId
    return { secret, uri: generateURI({ issuer, label, secret }) }
  })
}

/** @throws DomainError `identity.second_factor_wrong`, `identity.second_factor_not_begun` */
export async function confirmSecondFactor(deps: IdentityDeps, actor: Actor, code: string): Promise<{ recovery_codes: string[] }> {
  const trying = await attempt(deps, { kind: 'account', of: `factor ${actor.userId}` })
  const codes = await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    await lockUser(tx, actor.userId)
    const factor = await findSecondFactor(tx, actor.userId)
    if (factor === null || factor.confirmedAt !== null) throw new DomainError('conflict', 'identity.second_factor_not_begun')
    if (!(await takeTotp(deps, tx, actor.userId, code, now))) throw wrong()
    await confirmFactor(tx, actor.userId, now)
    await markSecondFactor(tx, actor.sessionId)
    // Sessions opened by the password alone are worth no more than what the factor is meant to stop.
    await deleteSessions(tx, actor.userId, { except: actor.sessionId })
    const made = await makeRecoveryCodes(deps, tx, actor.userId)
    await enqueue(tx, mailNoticeJob, { user_id: actor.userId, notice: 'second_factor_enabled', at: now.toISOString() })
    await recordAct(tx, now, { action: 'identity.enabled_second_factor', actor: own(actor), subject: subjectOf(actor.userId) })
    return made
  })
  await trying.succeed()
  return { recovery_codes: codes }
}

type ProvenTwice = { readonly password: string; readonly code: string }

/** @throws DomainError `identity.second_factor_needed` for staff, `identity.password_wrong`, `identity.second_factor_wrong` */
export async function disableSecondFactor(deps: IdentityDeps, actor: Actor, proof: ProvenTwice): Promise<void> {
  if (actor.roles.size > 0) throw new DomainError('conflict', 'identity.second_factor_needed')
  await proveTwice(deps, actor, proof)
  await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    await deleteFactor(tx, actor.userId)
    await enqueue(tx, mailNoticeJob, { user_id: actor.userId, notice: 'second_factor_disabled', at: now.toISOString() })
    await recordAct(tx, now, {
      action: 'identity.disabled_second_factor',
      actor: own(actor),
      subject: subjectOf(actor.userId),
    })
  })
}

export async function renewRecoveryCodes(
  deps: IdentityDeps,
  actor: Actor,
  proof: ProvenTwice,
): Promise<{ recovery_codes: string[] }> {
  await proveTwice(deps, actor, proof)
  return await deps.db.transaction().execute(async (tx) => {
    const codes = await makeRecoveryCodes(deps, tx, actor.userId)
    await recordAct(tx, deps.clock.now(), {
      action: 'identity.renewed_recovery_codes',
      actor: own(actor),
      subject: subjectOf(actor.userId),
    })
    return { recovery_codes: codes }
  })
}

async function proveTwice(deps: IdentityDeps, actor: Actor, { password, code }: ProvenTwice): Promise<void> {
  await provePassword(deps, actor.userId, password, 'password')
  const trying = await attempt(deps, { kind: 'account', of: `factor ${actor.userId}` })
  if ((await findSecondFactor(deps.db, actor.userId))?.confirmedAt == null)
    throw new DomainError('conflict', 'identity.second_factor_not_begun')
  if ((await takeSecondFactor(deps, deps.db, actor.userId, code)) === null) throw wrong()
  await trying.succeed()
}
