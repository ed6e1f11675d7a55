import type { ProofCheck } from '../report/proof-report.ts'
import type { Budget, Certificate } from '../certificate/x509.ts'
import type { CertificatePath } from '../certificate/certificate-path.ts'
import { strays } from './check-certificate.ts'
import type { AnyCms, AnySigner, Anomaly } from './read-cms.ts'

/**
 * Unsigned attributes are allowed and useful. Nobody vouches for those that carry no signature of their own; one that may prove
 * something, and is not evaluated, leaves the whole open.
 * @param evaluated by other checks, by identifier
 */
export function unsignedCheck(signer: AnySigner, evaluated: Readonly<Record<string, string>> = {}): ProofCheck[] {
  const found = [...signer.unsigned.keys()].filter((oid) => evaluated[oid] === undefined)
  const id = 'unsigned'
  const say = (oids: readonly string[]): string => oids.map((oid) => material[oid] ?? oid).join(', ')
  const claims = found.filter((oid) => material[oid] === undefined)
  if (claims.length > 0) return [{ id, status: 'indeterminate', data: { names: say(claims), reason: 'not_evaluated' } }]
  if (found.length === 0) return []
  return [{ id, status: 'indeterminate', supplementary: true, data: { names: say(found), reason: 'attributes_unsigned' } }]
}

/** What is there to be used or compared with, and claims nothing by itself. */
const material: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.9.2': 'unstructured-name',
  '1.2.840.113549.1.9.16.2.21': 'complete-certificate-references',
  '1.2.840.113549.1.9.16.2.22': 'complete-revocation-references',
  '1.2.840.113549.1.9.16.2.23': 'certificate-values',
  '1.2.840.113549.1.9.16.2.24': 'revocation-values',
  '1.2.840.113549.1.9.16.2.44': 'attribute-certificate-references',
  '1.2.840.113549.1.9.16.2.45': 'attribute-revocation-references',
  '0.4.0.1733.2.5': 'ats-hash-index',
  '0.4.0.19122.1.4': 'ats-hash-index-v2',
  '0.4.0.19122.1.5': 'ats-hash-index-v3',
  '0.4.0.19122.1.3': 'signature-policy-store',
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
