import { ids } from '../algorithms.ts'
import type { ProofCheck } from '../proof.ts'
import type { Budget, Certificate } from '../x509.ts'
import type { CertificatePath } from './certificate-path.ts'
import { strays } from './check-certificate.ts'
import type { AnyCms, AnySigner, Anomaly } from './read-cms.ts'

/** Unsigned attributes are allowed and useful; nobody vouches for those that carry no signature of their own. */
export function unsignedCheck(signer: AnySigner): ProofCheck[] {
  const found = [...signer.unsigned.keys()]
  if (found.length === 0) return []
  const names = found.map((oid) => attributeNames[oid] ?? oid).join(', ')
  return [{ id: 'unsigned', status: 'indeterminate', supplementary: true, data: { names, reason: 'attributes_unsigned' } }]
}

const attributeNames: Readonly<Record<string, string>> = {
  [ids.signatureTimestamp]: 'signature-time-stamp',
  '1.2.840.113549.1.9.6': 'countersignature',
  '1.2.840.113549.1.9.16.2.21': 'complete-certificate-references',
  '1.2.840.113549.1.9.16.2.22': 'complete-revocation-references',
  '1.2.840.113549.1.9.16.2.23': 'certificate-values',
  '1.2.840.113549.1.9.16.2.24': 'revocation-values',
  '1.2.840.113549.1.9.16.2.25': 'CAdES-C-timestamp',
  '1.2.840.113549.1.9.16.2.26': 'certificate-and-revocation-references-timestamp',
  '1.2.840.113549.1.9.16.2.27': 'archive-time-stamp',
  '1.2.840.113549.1.9.16.2.48': 'archive-time-stamp-v2',
  '0.4.0.1733.2.4': 'archive-time-stamp-v3',
  '0.4.0.1733.2.5': 'ats-hash-index',
}

/** Octets that have one right value: a genuine signature has it, so another value is the mark of a change. */
const tellTales: readonly Anomaly[] = ['version', 'signer_version', 'digest_algorithms', 'algorithm_parameters']

/**
 * Whether each octet is signed, hashed, or has one possible value. Where it is not, the proof holds, but a change there would not be
 * noticed: said, and weighing only where a genuine proof has nothing of the kind.
 */
export function octetsCheck(
  cms: AnyCms,
  pool: readonly Certificate[],
  paths: readonly CertificatePath[],
  hasText = false,
  budget?: Budget,
): ProofCheck {
  const id = 'octets'
  const telling = tellTales.find((each) => cms.anomalies.has(each))
  if (telling !== undefined) return { id, status: 'indeterminate', data: { reason: telling } }
  // That the last issuer of an incomplete chain is not at hand, the check `chain` says.
  const tops = paths.map(({ top }) => top.sha256)
  const stray = strays(
    cms.certificates.filter(({ sha256 }) => !tops.includes(sha256)),
    pool,
    budget,
  )
  if (cms.unreadable > 0) return { id, status: 'indeterminate', data: { reason: 'certificate_unreadable' } }
  if (stray === 'unknown') return { id, status: 'indeterminate', data: { reason: 'certificate_unsigned' } }
  const [other] = cms.anomalies
  const reason = other ?? (stray === 'replaced' ? 'certificate_replaced' : hasText ? 'response_text' : undefined)
  return reason === undefined
    ? { id, status: 'passed', data: {} }
    : { id, status: 'indeterminate', supplementary: true, data: { reason } }
}
