import { generateSecret, generateURI, verify } from 'otplib'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { findPrimaryAddress } from '../people/address-store.ts'
import type { IdentityDeps } from '../people/deps.ts'
import {
  beginFactor,
  confirmFactor,
  countRecoveryCodes,
  deleteFactor,
  findSecondFactor,
  replaceRecoveryCodes,
  takeRecoveryCode,
  takeStep,
} from './factor-store.ts'
import { mailNoticeJob } from '../jobs.ts'
import { keyedHash } from '../guard/keyed-hash.ts'
import { provePassword } from '../passwords/prove-password.ts'
import { deleteSessions, markSecondFactor } from '../sessions/session-store.ts'
import { attempt } from '../guard/throttle.ts'
import { lockUser } from '../people/user-store.ts'

const vaultPurpose = 'identity.second_factor'
const recoveryCodes = 10
/** One step before and after: clocks of telephones are seldom further off (RFC 6238 §5.2). */
const toleranceSeconds = 30

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
  const sealed = deps.vault.seal(vaultPurpose, actor.userId, Buffer.from(secret))
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

/** Takes a code of the authenticator or a recovery code: each is good once. @returns null when it is neither */
export async function takeSecondFactor(
  deps: IdentityDeps,
  db: Db | Tx,
  userId: string,
  code: string,
): Promise<'totp' | 'recovery' | null> {
  const now = deps.clock.now()
  const typed = code.replaceAll(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(typed)) return (await takeTotp(deps, db, userId, typed, now)) ? 'totp' : null
  return (await takeRecoveryCode(db, userId, recoveryHash(deps, userId, typed), now)) ? 'recovery' : null
}

/** RFC 6238 with its defaults: SHA-1, six digits, thirty seconds. */
async function takeTotp(deps: IdentityDeps, db: Db | Tx, userId: string, token: string, now: Date): Promise<boolean> {
  const factor = await findSecondFactor(db, userId)
  if (factor === null) return false
  const secret = deps.vault.open(vaultPurpose, userId, factor.sealedSecret).toString()
  const epoch = Math.floor(now.getTime() / 1000)
  const result = await verify({ secret, token, epoch, epochTolerance: toleranceSeconds })
  return result.valid && 'timeStep' in result && (await takeStep(db, userId, result.timeStep))
}

/** Crockford's alphabet: nothing in it is taken for something else. */
const letters = '0123456789abcdefghjkmnpqrstvwxyz'

/** Ten characters of five bits, in two groups. */
async function makeRecoveryCodes(deps: IdentityDeps, tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () =>
    Array.from(deps.random(10), (byte) => letters[byte % letters.length] ?? '').join(''),
  )
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => recoveryHash(deps, userId, code)),
  )
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`)
}

function recoveryHash(deps: IdentityDeps, userId: string, code: string): Buffer {
  return keyedHash(deps.secret, 'recovery_code', userId, code.replaceAll('o', '0').replaceAll(/[il]/g, '1'))
}
