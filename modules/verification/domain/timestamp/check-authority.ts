import { ids } from '../certificate/object-ids.ts'
import type { CertificatePath } from '../certificate/certificate-path.ts'
import type { ProofCheck } from '../report/proof-report.ts'
import type { QualifiedStatus } from '../trusted-list/qualified-status.ts'
import type { Certificate } from '../certificate/x509.ts'

/** What a date stands on: whatever else is unknown, these are not. */
const dating: readonly string[] = [
  'info',
  'content_type',
  'message_digest',
  'signature',
  'purpose',
  'key_usage',
  'chain',
  'validity',
  'clock',
]

export function isDated(checks: readonly ProofCheck[]): boolean {
  return dating.every((id) => checks.some((check) => check.id === id && check.status === 'passed'))
}

export function purposeCheck({ extendedKeyUsage: usage }: Certificate): ProofCheck {
  const id = 'purpose'
  const fail = (reason: string): ProofCheck => ({ id, status: 'failed', data: { reason } })
  if (usage === undefined) return fail('purpose_absent')
  if (!usage.purposes.includes(ids.timeStamping)) return fail('other_purpose')
  if (usage.purposes.length > 1) return fail('several_purposes')
  return usage.critical ? { id, status: 'passed', data: {} } : fail('purpose_not_critical')
}

/** digitalSignature, nonRepudiation or both, and nothing else (EN 319 422 §6.1; so do others read RFC 3161 §2.3). */
export function keyUsageCheck({ keyUsage, isAuthority }: Certificate): ProofCheck {
  const id = 'key_usage'
  if (isAuthority) return { id, status: 'failed', data: { reason: 'signer_is_authority' } }
  if (keyUsage === undefined) return { id, status: 'passed', data: {} }
  const signsAlone = keyUsage.size > 0 && [...keyUsage].every((bit) => bit === 0 || bit === 1)
  return signsAlone ? { id, status: 'passed', data: {} } : { id, status: 'failed', data: { reason: 'other_key_usage' } }
}

/** The one that is listed may be the issuer that is not at hand: then that none is listed says nothing. */
export function isUnknown({ reason }: QualifiedStatus, path: CertificatePath): boolean {
  return path.ends === 'none' && (reason === 'not_listed' || reason === 'not_listed_list_older')
}

/** Supplementary: a stamp that is not qualified proves its date all the same (article 41(1) of Regulation (EU) No 910/2014). */
export function qualifiedCheck(found: QualifiedStatus, path: CertificatePath, before: readonly ProofCheck[]): ProofCheck {
  const { list, service, period } = found
  const data = {
    territory: list?.territory ?? '',
    number: list?.sequence_number ?? '',
    at: list?.issued_at ?? '',
    service: service?.name ?? '',
    provider: service?.provider ?? '',
    since: period?.since ?? '',
  }
  if (isUnknown(found, path))
    return { id: 'qualified', status: 'indeterminate', supplementary: true, data: { ...data, reason: 'qualified_issuer_absent' } }
  // Whoever forges a stamp encloses the certificate of a qualified service: the status is only said of one that holds.
  const holds = [...dating, 'signing_certificate'].every((each) =>
    before.some(({ id, status }) => id === each && status === 'passed'),
  )
  if (found.status === 'qualified' && !holds)
    return { id: 'qualified', status: 'indeterminate', supplementary: true, data: { ...data, reason: 'qualified_unproved' } }
  return found.status === 'qualified'
    ? { id: 'qualified', status: 'passed', data, rests_on: ['trusted_list'] }
    : { id: 'qualified', status: 'indeterminate', supplementary: true, data: { ...data, reason: `qualified_${found.reason}` } }
}
