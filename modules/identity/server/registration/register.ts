import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { RegistrationAnswer, registrationBody } from '../../contract/identity.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { ownBrand } from '../../../../kernel/page-brand.ts'
import { drawReferralCode, parseReferralCode } from '../../domain/referral-code.ts'
import { findVerifiedAddress, insertAddress } from '../people/address-store.ts'
import { refuseCommonPassword } from '../passwords/common-passwords.ts'
import type { IdentityDeps, Origin } from '../people/deps.ts'
import { mailAddressTakenJob } from '../mails/mail-jobs.ts'
import { tokenHash } from '../guard/keyed-hash.ts'
import { mailConfirmation } from '../mails/mail-token.ts'
import { attempt, ofNetwork } from '../guard/throttle.ts'
import { lockInvitation, useInvitation } from '../mails/token-store.ts'
import { parsedAddress, refuseDisposable } from '../people/typed-address.ts'
import { findReferrer, insertUser } from '../people/user-store.ts'

export type Registration = Omit<z.infer<typeof registrationBody>, 'password_confirmation' | 'terms' | 'brand' | 'locale'> & {
  readonly locale: Locale
  /** What the account keeps (decision 0276); absent: the product's own. */
  readonly brand?: string | undefined
}

/**
 * C-03. An account that waits for its address to be confirmed; for an address that has an account already, a mail to its owner
 * instead. Answer and work are the same (decision 0244).
 * @param within runs in the transaction, with the id of a new account alone
 * @throws DomainError `identity.registrations_disabled`, `identity.invitation_unknown`, `identity.disposable_address`, `identity.throttled`,
 * `http.invalid_request` for a common password
 */
export async function register(
  deps: IdentityDeps,
  input: Registration,
  origin: Pick<Origin, 'block'>,
  within?: (tx: Tx, userId: string) => Promise<void>,
): Promise<RegistrationAnswer> {
  if (deps.registrations === 'closed') throw new DomainError('forbidden', 'identity.registrations_disabled')
  const email = parsedAddress(input.email)
  refuseDisposable(email)
  refuseCommonPassword(input.password, [email.address, input.first_name, input.last_name])
  await attempt(deps, ...ofNetwork('requests', origin.block), { kind: 'mailbox', of: email.key })
  const passwordHash = await deps.passwords.hash(input.password)
  const typedCode = input.referral_code ?? ''
  const code = parseReferralCode(typedCode)
  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    const invitation = await admit(deps, tx, input.invitation, now)
    const referredBy = code === null ? null : await findReferrer(tx, code)
    const owner = await findVerifiedAddress(tx, email.key)
    const claim = randomUUID()
    if (owner === null) {
      const userId = await insertDrawn(deps, tx, { ...input, passwordHash, referredBy }, now)
      await insertAddress(tx, { id: claim, userId, address: email.address, key: email.key, primary: true, verifiedAt: null }, now)
      if (invitation !== null) await useInvitation(tx, invitation, userId, now)
      await mailConfirmation(deps, tx, { userId, emailId: claim }, now)
      await within?.(tx, userId)
      await recordAct(tx, now, { action: 'identity.registered', actor: null, subject: { type: 'user', id: userId } })
    } else {
      await enqueue(tx, mailAddressTakenJob, { email_id: owner.id })
      await recordAct(tx, now, {
        action: 'identity.registered_again',
        actor: null,
        subject: { type: 'user', id: owner.userId },
      })
    }
    return {
      status: 'confirmation_sent' as const,
      email: email.address,
      referral_code_known: typedCode === '' ? null : referredBy !== null,
      claim,
    }
  })
}

/** @returns hash of the invitation that is used up by whoever registers; null where none is needed */
async function admit(deps: IdentityDeps, tx: Tx, invitation: string | undefined, now: Date): Promise<Buffer | null> {
  if (deps.registrations !== 'invite') return null
  const hash = tokenHash(invitation ?? '')
  if (await lockInvitation(tx, hash, now)) return hash
  throw new DomainError('forbidden', 'identity.invitation_unknown')
}

/** Draws referral codes until one is free: of 32^8, the first nearly always is. */
async function insertDrawn(
  deps: IdentityDeps,
  tx: Tx,
  input: Registration & { readonly passwordHash: string; readonly referredBy: string | null },
  now: Date,
): Promise<string> {
  const id = randomUUID()
  for (let draw = 0; draw < 10; draw += 1) {
    const inserted = await insertUser(
      tx,
      {
        id,
        passwordHash: input.passwordHash,
        firstName: input.first_name,
        lastName: input.last_name,
        locale: input.locale,
        referralCode: drawReferralCode(deps.random(8)),
        referredBy: input.referredBy,
        formula: input.formula ?? null,
        brand: input.brand ?? ownBrand,
      },
      now,
    )
    if (inserted) return id
  }
  throw new Error('no referral code is free')
}
