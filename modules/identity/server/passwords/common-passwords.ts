import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }
import { DomainError } from '../../../../kernel/errors.ts'
import { isCommonPassword } from '../../domain/common-password.ts'

/** Some fifty thousand, from what leaked: those that are tried first. */
export const commonPasswords: ReadonlySet<string> = new Set(passwords)

const product = 'Probant'

/**
 * V-04. Told as a fault of the field, on the server alone: the list is too long for a page.
 * @param about names and addresses of whoever chooses it
 * @throws DomainError `http.invalid_request`
 */
export function refuseCommonPassword(password: string, about: readonly string[]): void {
  if (isCommonPassword(password, commonPasswords, [product, ...about]))
    throw new DomainError('invalid', 'http.invalid_request', {}, { fields: { password: ['password_common'] } })
}
