import { randomUUID } from 'node:crypto'
import { ownBrand } from '../../../../kernel/page-brand.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { Locale } from '../../../../kernel/locale.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { parseEmailAddress } from '../../../../kernel/email-address.ts'
import { isCommonPassword } from '../../domain/common-password.ts'
import { passwordFaultsOf } from '../../domain/password.ts'
import { personNameFault } from '../../../../kernel/person-name.ts'
import { drawReferralCode } from '../../domain/referral-code.ts'
import { deleteRivals, findVerifiedAddress, holdMailbox, insertAddress } from '../people/address-store.ts'
import { commonPasswords } from '../passwords/common-passwords.ts'
import type { IdentityDeps } from '../people/deps.ts'
import { activateUser, grantRole, insertUser } from '../people/user-store.ts'

const refused = (field: string, codes: readonly string[]) =>
  new DomainError('invalid', `identity.field.${codes[0] ?? ''}`, {}, { fields: { [field]: codes } })

/**
 * By the operator of the installation, whose word confirms the address. The second factor is set up at the first sign-in; until
 * then the pages of staff do not exist for the account.
 * @throws DomainError `identity.address_taken`, `identity.field.*`
 */
export async function createAdministrator(
  deps: Pick<IdentityDeps, 'db' | 'clock' | 'passwords' | 'random'>,
  input: {
    readonly email: string
    readonly password: string
    readonly firstName: string
    readonly lastName: string
    readonly locale: Locale
  },
): Promise<{ id: string; email: string }> {
  const email = parseEmailAddress(input.email)
  if (email === null) throw refused('email', ['email_invalid'])
  for (const [field, name] of [
    ['first_name', input.firstName],
    ['last_name', input.lastName],
  ] as const) {
    const fault = personNameFault(name)
    if (fault !== null) throw refused(field, [fault])
  }
  const faults = passwordFaultsOf(input.password)
  if (faults.length > 0) throw refused('password', faults)
  if (isCommonPassword(input.password, commonPasswords, [email.address, input.firstName, input.lastName]))
    throw refused('password', ['password_common'])
  const passwordHash = await deps.passwords.hash(input.password)
  return await deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now()
    await holdMailbox(tx, email.key)
    if ((await findVerifiedAddress(tx, email.key)) !== null) throw new DomainError('conflict', 'identity.address_taken')
    const id = randomUUID()
    const user = {
      id,
      passwordHash,
      firstName: input.firstName,
      lastName: input.lastName,
      locale: input.locale,
      referralCode: drawReferralCode(deps.random(8)),
      referredBy: null,
      formula: null,
      brand: ownBrand,
    }
    if (!(await insertUser(tx, user, now))) throw new DomainError('conflict', 'http.conflict')
    await insertAddress(
      tx,
      { id: randomUUID(), userId: id, address: email.address, key: email.key, primary: true, verifiedAt: now },
      now,
    )
    await activateUser(tx, id, now)
    await deleteRivals(tx, email.key, id)
    await grantRole(tx, id, 'administrator', null, now)
    await recordAct(tx, now, { action: 'identity.created_administrator', actor: null, subject: { type: 'user', id } })
    return { id, email: email.address }
  })
}
