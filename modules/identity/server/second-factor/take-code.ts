import { verify } from 'otplib'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { keyedHash } from '../guard/keyed-hash.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { findSecondFactor, replaceRecoveryCodes, takeRecoveryCode, takeStep } from './factor-store.ts'

const vaultPurpose = 'identity.second_factor'
const recoveryCodes = 10
/** One step before and after: clocks of telephones are seldom further off (RFC 6238 §5.2). */
const toleranceSeconds = 30

/** The secret that the authenticator shares, as the database keeps it. */
export const sealSecret = (deps: Pick<IdentityDeps, 'vault'>, userId: string, secret: string): Buffer =>
  deps.vault.seal(vaultPurpose, userId, Buffer.from(secret))

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
export async function takeTotp(deps: IdentityDeps, db: Db | Tx, userId: string, token: string, now: Date): Promise<boolean> {
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
export async function makeRecoveryCodes(deps: IdentityDeps, tx: Tx, userId: string): Promise<string[]> {
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
