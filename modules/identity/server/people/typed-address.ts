import { isDisposableEmailDomain } from 'disposable-email-domains-js'
import { parseEmailAddress, type EmailAddress } from '../../../../kernel/email-address.ts'
import { DomainError } from '../../../../kernel/errors.ts'

/** What the contract let through is an address; one that is used unparsed would be a defect. */
export function parsedAddress(typed: string): EmailAddress {
  const parsed = parseEmailAddress(typed)
  if (parsed === null) throw new DomainError('invalid', 'http.invalid_request', {}, { fields: { email: ['email_invalid'] } })
  return parsed
}

/** V-09, X-07; subdomains of a listed domain too. */
export function refuseDisposable({ domain }: EmailAddress): void {
  const labels = domain.split('.')
  if (labels.some((_, i) => i < labels.length - 1 && isDisposableEmailDomain(labels.slice(i).join('.'))))
    throw new DomainError('invalid', 'identity.disposable_address', {}, { fields: { email: ['disposable_address'] } })
}
