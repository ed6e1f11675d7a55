import { DomainError } from '../../../../kernel/errors.ts'
import type { LicenseRow } from '../keep/license-store.ts'

/** What is another's and what is not there look alike from outside (P-16). @throws DomainError `licensing.license_unknown` */
export function boughtBy(license: LicenseRow | null, accountId: string): LicenseRow {
  if (license === null || license.buyerId !== accountId) throw new DomainError('not_found', 'licensing.license_unknown')
  return license
}

/** Its buyer's; or its seller's, once it is paid. @throws DomainError `licensing.license_unknown` */
export function seenBy(license: LicenseRow | null, accountId: string): LicenseRow {
  if (license !== null && license.sellerId === accountId && license.paidAt !== null) return license
  return boughtBy(license, accountId)
}
