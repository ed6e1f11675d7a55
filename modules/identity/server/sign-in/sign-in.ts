import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { LoginAnswer, loginBody } from '../../contract/identity.ts'
import { describeBrowser } from '../../domain/describe-browser.ts'
import { findPrimaryAddress } from '../people/address-store.ts'
import type { IdentityDeps, Origin } from '../people/deps.ts'
import { findSecondFactor } from '../second-factor/factor-store.ts'
import { mailNoticeJob } from '../mails/mail-jobs.ts'
import { keyedHash, tokenHash } from '../guard/keyed-hash.ts'
import { noteOrigin } from './known-origin-store.ts'
import { parsedAddress } from '../people/typed-address.ts'
import { takeSecondFactor } from '../second-factor/take-code.ts'
import { endOldestSessions, insertSession } from '../sessions/session-store.ts'
import { sessionExpiry } from '../sessions/session-lifetime.ts'
import { attempt, ofNetwork, type Attempt } from '../guard/throttle.ts'
import { findUserByAddress, lockUser, noteSignIn, replacePasswordHash, type User } from '../people/user-store.ts'

/** More at a time than anybody has browsers; the one used longest ago ends. */
const mostSessions = 50

/**
 * C-01. One answer, after the same work, for a wrong password and for an address without account; what is told beyond that is told
 * to whoever knows the password.
 * @throws DomainError `identity.sign_in_failed`, `identity.unconfirmed`, `identity.suspended`, `identity.closing`,
 * `identity.second_factor_required`, `identity.second_factor_wrong`, `identity.throttled`
 */
export async function signIn(deps: IdentityDeps, input: z.infer<typeof loginBody>, origin: Origin): Promise<LoginAnswer> {
  const { key } = parsedAddress(input.email)
  const trying = await attempt(deps, ...ofNetwork('network', origin.block), { kind: 'account', of: key })
  const found = await findUserByAddress(deps.db, key)
  const isRight = await deps.passwords.verify(found?.user.passwordHash ?? null, input.password)
  if (found === null || !isRight) throw new DomainError('unauthenticated', 'identity.sign_in_failed')
  const { user } = found
  await refuseClosedAccount(user, found.verified, trying)
  const factor = await findSecondFactor(deps.db, user.id)
  const isSecured = factor !== null && factor.confirmedAt !== null
  if (isSecured && (input.code ?? '') === '') {
    await trying.giveBack()
    throw new DomainError('unauthenticated', 'identity.second_factor_required')
  }
  const renewed =
    user.passwordHash !== null && deps.passwords.isOutdated(user.passwordHash) ? await deps.passwords.hash(input.password) : null
  const taken = isSecured ? await takeSecondFactor(deps, deps.db, user.id, input.code ?? '') : null
  if (isSecured && taken === null)
    throw new DomainError('unauthenticated', 'identity.second_factor_wrong', {}, { fields: { code: ['code_wrong'] } })
  const answer = await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    const current = await lockUser(tx, user.id)
    // Between the check and now the password may have been changed, or the account suspended.
    if (current?.status !== 'active' || current.passwordHash !== user.passwordHash)
      throw new DomainError('unauthenticated', 'identity.sign_in_failed')
    if (renewed !== null && user.passwordHash !== null) await replacePasswordHash(tx, user.id, user.passwordHash, renewed)
    if (taken === 'recovery')
      await enqueue(tx, mailNoticeJob, { user_id: user.id, notice: 'recovery_code_used', at: now.toISOString() })
    return await openSession(deps, tx, current, { remembered: input.remember_me, secondFactor: isSecured, origin }, now)
  })
  await trying.succeed()
  return answer
}

/** Told to whoever knows the password. */
async function refuseClosedAccount(user: User, verified: boolean, trying: Attempt): Promise<void> {
  if (verified && user.status === 'active') return
  await trying.giveBack()
  if (user.status === 'suspended') throw new DomainError('forbidden', 'identity.suspended')
  if (user.status === 'closing')
    throw new DomainError('forbidden', 'identity.closing', { erase_after: user.eraseAfter?.toISOString() ?? '' })
  throw new DomainError('forbidden', 'identity.unconfirmed')
}

async function openSession(
  deps: IdentityDeps,
  tx: Tx,
  user: User,
  how: { readonly remembered: boolean; readonly secondFactor: boolean; readonly origin: Origin },
  now: Date,
): Promise<LoginAnswer> {
  const token = deps.random(32).toString('base64url')
  const expiresAt = sessionExpiry({ createdAt: now, remembered: how.remembered }, now)
  const id = randomUUID()
  const browser = describeBrowser(how.origin.userAgent)
  await endOldestSessions(tx, user.id, mostSessions - 1)
  await insertSession(tx, {
    id,
    userId: user.id,
    tokenHash: tokenHash(token),
    createdAt: now,
    seenAt: now,
    expiresAt,
    remembered: how.remembered,
    browser,
    network: how.origin.network,
    secondFactor: how.secondFactor,
    provenAt: now,
  })
  await noteSignIn(tx, user.id, now)
  // Browsers renew themselves: another version is no other browser.
  const place = keyedHash(deps.secret, 'known_origin', user.id, browser.replace(/ \d+/, ''), how.origin.network)
  if (await noteOrigin(tx, user.id, place, now))
    await enqueue(tx, mailNoticeJob, { user_id: user.id, notice: 'new_sign_in', at: now.toISOString(), session_id: id })
  const email = (await findPrimaryAddress(tx, user.id))?.address ?? ''
  await recordAct(tx, now, {
    action: 'identity.signed_in',
    actor: { userId: user.id, accountId: user.id },
    subject: { type: 'session', id },
    data: { second_factor: how.secondFactor, remembered: how.remembered },
  })
  return {
    access_token: token,
    expires_at: expiresAt.toISOString(),
    user: { pk: user.id, first_name: user.firstName, last_name: user.lastName, email },
  }
}
