import { equalBytes } from '../../../../kernel/bytes.ts'
import type { TrustedLists } from '../known/trusted-lists.ts'
import { qualifiedStatus } from '../trusted-list/qualified-status.ts'
import type { QualifiedStatus } from '../trusted-list/qualified-status.ts'
import { ids } from '../certificate/object-ids.ts'
import { children, readDer, anyTimeOf } from '../encoding/der.ts'
import type { Der } from '../encoding/der.ts'
import type { ProofCheck } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { isIssuedBy, isValidAt } from '../certificate/x509.ts'
import type { Budget, Certificate } from '../certificate/x509.ts'
import { findPath, isRoot, mostCalculations } from '../certificate/certificate-path.ts'
import type { CertificatePath } from '../certificate/certificate-path.ts'
import { orUndefined } from './check-signer.ts'
import type { AnySigner } from './read-cms.ts'
import { isWeakAt, signatureWeakness } from '../certificate/strength.ts'
import type { Weakness } from '../certificate/strength.ts'

export type CertificateQuestion = {
  readonly certificate: Certificate
  readonly pool: readonly Certificate[]
  /** Certificates that the reader got from elsewhere. */
  readonly anchors: readonly Certificate[]
  readonly lists: TrustedLists | undefined
  /** Where a platform's published keys may be at hand. */
  readonly deps?: Pick<VerifyDeps, 'keys' | 'trust' | 'fingerprints'>
  /** When the signature was made, as far as it is proven. */
  readonly at: Date
  /** What proves `at`; `now` when nothing does. */
  readonly by: 'gen_time' | 'timestamp' | 'now'
  readonly now: Date
  readonly budget?: Budget
}

export type CertificateAnswer = {
  readonly checks: ProofCheck[]
  /** The check `current`, said last; none when a certificate is of the future. */
  readonly current: ProofCheck[]
  readonly path: CertificatePath
  readonly trusted: 'given' | 'compared' | 'trusted_list' | 'published' | undefined
  readonly status: QualifiedStatus
}

/** The checks `chain`, `validity`, `algorithms`, `trust` and `current` of a signer's certificate. */
export function checkCertificate(question: CertificateQuestion, signer: Pick<AnySigner, 'scheme'>): CertificateAnswer {
  const { certificate, anchors, lists, at } = question
  const path = findPath(certificate, question.pool, anchors, at, question.budget)
  const status = qualifiedStatus(certificate, path.issuers, at, lists)
  const listed =
    status.status === 'qualified' ||
    (status.reason === 'not_qualified_type' && ['granted', 'recognisedatnationallevel'].includes(status.period?.status ?? ''))
  const trusted = trustOf(path, listed, question)
  const checks = [
    chain(path, certificate, trusted, question.budget),
    validity(path, question),
    algorithms(path, question, signer),
    trust(path, anchors, trusted),
  ]
  return { checks, current: current(path, question), path, trusted, status }
}

/** For which reason the way is believed. @param listed a trusted list names the signer or its issuer */
function trustOf(path: CertificatePath, listed: boolean, question: CertificateQuestion): CertificateAnswer['trusted'] {
  const { deps } = question
  // What the reader compared is the certificate at the end of the way, which signs itself.
  const isCompared = deps?.trust === undefined && path.ends === 'root' && deps?.fingerprints?.includes(path.top.sha256) === true
  const own = isPublished(path, question) ? 'published' : isCompared ? 'compared' : undefined
  return path.ends === 'anchor' ? 'given' : listed ? 'trusted_list' : own
}

/**
 * Whether the way ends at an authority that the platform publishes as its own, in a list that came from elsewhere than the proof. One
 * that signs does not date, nor the other way round. Who names roots of his own trusts those alone, as for a package.
 */
function isPublished({ ends, top }: CertificatePath, { deps, by }: CertificateQuestion): boolean {
  if (deps?.trust !== undefined || ends !== 'root') return false
  const published = by === 'gen_time' ? deps?.keys?.timeAuthorities : deps?.keys?.authorities
  return published?.includes(top.sha256) === true
}

function chain(path: CertificatePath, leaf: Certificate, trusted: CertificateAnswer['trusted'], budget?: Budget): ProofCheck {
  const id = 'chain'
  const all = [leaf, ...path.issuers].map(({ name }) => name).join(' ← ')
  const says = { names: all, length: path.issuers.length + 1, top: path.top.name }
  if (leaf.unknownCritical) return { id, status: 'indeterminate', data: { ...says, reason: 'critical_extension' } }
  if (path.flaw === 'critical_extension') return { id, status: 'indeterminate', data: { ...says, reason: path.flaw } }
  if (path.flaw !== undefined) return { id, status: 'failed', data: { ...says, reason: path.flaw } }
  if (path.ends === 'none' && trusted === undefined) {
    const spent = budget !== undefined && budget.left < 0
    const reason = spent ? 'too_many_certificates' : path.top.scheme === undefined ? 'unknown_algorithm' : 'issuer_absent'
    return { id, status: 'indeterminate', data: { ...says, reason } }
  }
  return { id, status: 'passed', data: says, rests_on: ['certificate_authority'] }
}

function validity(path: CertificatePath, { certificate, at, by, now }: CertificateQuestion): ProofCheck {
  const id = 'validity'
  const when = { at: at.toISOString() }
  // A root that was given is trusted as a name and a key, whatever it says of itself (RFC 5280 §6.1.1 (d)).
  const judged = [certificate, ...path.issuers.filter((each) => !(path.ends === 'anchor' && each === path.top))]
  const out = judged.find((each) => !isValidAt(each, at))
  if (out !== undefined) {
    const data = {
      ...when,
      name: out.name,
      not_before: out.notBefore.toISOString(),
      not_after: out.notAfter.toISOString(),
      reason: out.notBefore > at ? 'not_yet_valid' : by === 'now' ? 'expired_undated' : 'expired',
    }
    // Without a proven date the signature may be from before: nothing shows that it is not (EN 319 102-1, OUT_OF_BOUNDS_NO_POE).
    return { id, status: by === 'now' && out.notAfter < now ? 'indeterminate' : 'failed', data }
  }
  if (!keyMayBeUsed(certificate, at))
    return { id, status: 'indeterminate', data: { ...when, name: certificate.name, reason: 'private_key_period' } }
  return { id, status: 'passed', data: { ...when, count: judged.length } }
}

/** privateKeyUsagePeriod (RFC 3280 §4.2.1.4), by which authorities that date say until when their key signs. */
function keyMayBeUsed(certificate: Certificate, at: Date): boolean {
  const found = certificate.extensions.get(ids.privateKeyUsagePeriod)
  if (found === undefined) return true
  const parts: Der[] = orUndefined(() => children(readDer(found.value, 0x30))) ?? []
  const time = (tag: number): Date | undefined => {
    const part = parts.find((each) => each.tag === tag)
    return part === undefined ? undefined : orUndefined(() => anyTimeOf({ ...part, tag: 0x18 }))
  }
  const [since, until] = [time(0x80), time(0x81)]
  return !(since !== undefined && at < since) && !(until !== undefined && at.getTime() >= until.getTime() + 1000)
}

function algorithms(
  path: CertificatePath,
  { certificate, at, now }: CertificateQuestion,
  signer: Pick<AnySigner, 'scheme'>,
): ProofCheck {
  const id = 'algorithms'
  const weak: Weakness[] = []
  if (signer.scheme !== undefined) {
    const own = signatureWeakness(certificate.key, signer.scheme)
    if (own !== undefined) weak.push(own)
  }
  let child = certificate
  for (const issuer of path.issuers) {
    const found = child.scheme === undefined ? undefined : signatureWeakness(issuer.key, child.scheme)
    if (found !== undefined) weak.push(found)
    child = issuer
  }
  const [worst] = weak.toSorted((a, b) => (a.until < b.until ? -1 : 1))
  if (worst === undefined || !isWeakAt(worst, now)) return { id, status: 'passed', data: {} }
  const reason = isWeakAt(worst, at) ? 'weak_then' : 'weak_since'
  return { id, status: 'indeterminate', data: { reason, algorithm: worst.algorithm, until: worst.until } }
}

function trust(path: CertificatePath, anchors: readonly Certificate[], trusted: CertificateAnswer['trusted']): ProofCheck {
  const id = 'trust'
  const data = { name: path.top.name, sha256: path.top.sha256 }
  if (trusted === 'given' || trusted === 'compared')
    return { id, status: 'passed', data: { ...data, by: trusted }, rests_on: ['given', 'certificate_authority'] }
  if (trusted === 'trusted_list')
    return { id, status: 'passed', data: { ...data, by: 'trusted_list' }, rests_on: ['trusted_list'] }
  if (trusted === 'published') return { id, status: 'passed', data: { ...data, by: 'published' }, rests_on: ['platform'] }
  return { id, status: 'indeterminate', data: { ...data, reason: anchors.length === 0 ? 'no_roots' : 'not_among_roots' } }
}

/** Not needed for what was signed before, and said: a key that is no longer watched over may since have been taken. */
function current(path: CertificatePath, { certificate, now }: CertificateQuestion): ProofCheck[] {
  const id = 'current'
  if ([certificate, ...path.issuers].some(({ notBefore }) => notBefore > now)) return []
  const first = [certificate, ...path.issuers].toSorted((a, b) => a.notAfter.getTime() - b.notAfter.getTime())[0] ?? certificate
  const data = { name: first.name, at: first.notAfter.toISOString() }
  return isValidAt(first, now)
    ? [{ id, status: 'passed', data }]
    : [{ id, status: 'indeterminate', supplementary: true, data: { ...data, reason: 'expired_since' } }]
}

/**
 * An enclosed certificate that nothing at hand signs: `replaced` when it is one that authorities make for each other, whose issuer is
 * not at hand, while another one for the same name and key is.
 */
export function strays(
  certificates: readonly Certificate[],
  pool: readonly Certificate[],
  budget: Budget = { left: mostCalculations },
): 'none' | 'replaced' | 'unknown' {
  const found = certificates.filter((each) => !isRoot(each, budget) && !pool.some((issuer) => isIssuedBy(each, issuer, budget)))
  if (found.length === 0) return 'none'
  const isReplaced = (each: Certificate): boolean =>
    !pool.some(({ subject }) => equalBytes(subject, each.issuer)) &&
    pool.some((other) => other !== each && other.name === each.name && sameKey(other, each))
  return found.every(isReplaced) ? 'replaced' : 'unknown'
}

function sameKey(a: Certificate, b: Certificate): boolean {
  if (a.key.type === 'rsa' && b.key.type === 'rsa') return a.key.modulus === b.key.modulus
  return a.key.type === 'ec' && b.key.type === 'ec' && a.key.point.join() === b.key.point.join()
}
