import { equalBytes } from '../../../../kernel/bytes.ts'
import { digestNamed, digests } from '../hash/digests.ts'
import { readScheme, signatureHolds } from '../certificate/check-signature.ts'
import { anyTimeOf, bitOctets, children, explicit, oidOf, readDer, sequence, smallInteger, tagged } from '../encoding/der.ts'
import type { Der } from '../encoding/der.ts'
import type { ProofCheck } from '../report/proof-report.ts'
import { isIssuedBy, isValidAt, readCertificate, serialHex } from '../certificate/x509.ts'
import type { Budget, Certificate } from '../certificate/x509.ts'
import { mostCalculations } from '../certificate/certificate-path.ts'
import type { CertificatePath } from '../certificate/certificate-path.ts'
import { orUndefined } from './check-signer.ts'
import type { AnyCms, AnySigner } from './read-cms.ts'

/** CertificateLists (RFC 5280 §5) and OCSPResponses or BasicOCSPResponses (RFC 6960 §4.2.1), DER. */
export type RevocationData = { readonly crls: readonly Uint8Array[]; readonly ocsps: readonly Uint8Array[] }

export type RevocationFinding = {
  readonly kind: 'crl' | 'ocsp'
  readonly status: 'good' | 'revoked'
  /** When the answer was known to be right. */
  readonly at: Date
  readonly nextUpdate: Date | undefined
  readonly revokedAt?: Date
  /** CRLReason (RFC 5280 §5.3.1); undefined when the issuer gives none. */
  readonly reason?: number
  /** Of an OCSP answer: when it was made, and what was asked with it (RFC 6960 §4.4.1). */
  readonly answer?: OcspAnswer
}
export type OcspAnswer = { readonly producedAt: Date; readonly nonce: Uint8Array | undefined }

const mostAnswers = 32
const mostRevoked = 1_000_000

/**
 * What the data says of one certificate: an answer that its issuer signed, or a responder whom the issuer made one. Of several, one
 * that says revoked, else the newest. Data that cannot be read or verified says nothing.
 */
export function revocationOf(
  certificate: Certificate,
  issuer: Certificate,
  { crls, ocsps }: RevocationData,
  pool: readonly Certificate[] = [],
  budget: Budget = { left: mostCalculations },
): RevocationFinding | undefined {
  const found = [
    ...crls.slice(0, mostAnswers).map((each) => orUndefined(() => readCrl(each, certificate, issuer, budget))),
    ...ocsps.slice(0, mostAnswers).map((each) => orUndefined(() => readOcsp(each, certificate, issuer, pool, budget))),
  ].filter((each) => each !== undefined)
  return found.toSorted((a, b) => weight(b) - weight(a) || b.at.getTime() - a.at.getTime())[0]
}

/**
 * The answers about a certificate that its issuer gave, or a responder that anybody above it appointed: whom a reader of its country
 * trusts without being told by the issuer (RFC 6960 §4.2.2.2, the first of three).
 * @param issuers upwards from the certificate
 */
export function ocspAnswers(
  certificate: Certificate,
  issuers: readonly Certificate[],
  ocsps: readonly Uint8Array[],
  pool: readonly Certificate[],
  budget: Budget,
): OcspAnswer[] {
  const [issuer] = issuers
  if (issuer === undefined) return []
  return ocsps
    .slice(0, mostAnswers)
    .flatMap((each) => orUndefined(() => readOcsp(each, certificate, issuer, pool, budget, issuers))?.answer ?? [])
}

function affords(budget: Budget): boolean {
  budget.left -= 1
  return budget.left >= 0
}

const weight = ({ status }: RevocationFinding): number => (status === 'revoked' ? 1 : 0)

/** @returns undefined when it is not the issuer's. @throws MalformedError */
function readCrl(
  encoded: Uint8Array,
  certificate: Certificate,
  issuer: Certificate,
  budget: Budget,
): RevocationFinding | undefined {
  const [tbs, algorithm, signature] = sequence(readDer(encoded, 0x30), 3)
  const fields = children(tagged(tbs, 0x30))
  if (fields[0]?.tag === 0x02) fields.shift()
  const [inner, name, thisUpdate, ...rest] = fields
  if (!equalBytes(tagged(name, 0x30).encoded, certificate.issuer)) return undefined
  if (!equalBytes(tagged(inner, 0x30).encoded, tagged(algorithm, 0x30).encoded)) return undefined
  const scheme = readScheme(algorithm)
  if (scheme === undefined || !affords(budget)) return undefined
  if (!signatureHolds(issuer.key, scheme, tagged(tbs, 0x30).encoded, bitOctets(signature))) return undefined
  const next = rest[0]?.tag === 0x17 || rest[0]?.tag === 0x18 ? rest.shift() : undefined
  const list = rest[0]?.tag === 0x30 ? rest.shift() : undefined
  // Of one distribution point or of changes alone (RFC 5280 §5.2.4, §5.2.5): its silence would say nothing.
  if (rest[0]?.tag === 0xa0 && isPartial(rest[0])) return undefined
  const common = {
    kind: 'crl' as const,
    at: anyTimeOf(thisUpdate),
    nextUpdate: next === undefined ? undefined : anyTimeOf(next),
  }
  for (const each of list === undefined ? [] : children(list, mostRevoked)) {
    const [serial, date, extensions] = sequence(each, 2, 3)
    if (serialHex(serial) !== certificate.serial) continue
    const reason = extensions === undefined ? undefined : reasonOf(extensions)
    // removeFromCRL, 8, is no revocation.
    if (reason === 8) continue
    return { ...common, status: 'revoked', revokedAt: anyTimeOf(date), ...(reason === undefined ? {} : { reason }) }
  }
  return { ...common, status: 'good' }
}

function isPartial(wrapper: Der): boolean {
  return children(explicit(wrapper, 0xa0)).some((each) => {
    const [id, critical] = sequence(each, 2, 3)
    const name = oidOf(id)
    const isCritical = critical?.tag === 0x01 && critical.contents[0] !== 0
    return name === '2.5.29.27' || (isCritical && name !== '2.5.29.28' && name !== '2.5.29.20' && name !== '2.5.29.35')
  })
}

function reasonOf(extensions: Der): number | undefined {
  for (const each of children(extensions)) {
    const parts = sequence(each, 2, 3)
    if (oidOf(parts[0]) === '2.5.29.21') return smallInteger({ ...readDer(tagged(parts.at(-1), 0x04).contents, 0x0a), tag: 0x02 })
  }
  return undefined
}

const basicResponse = '1.3.6.1.5.5.7.48.1.1'
const ocspSigning = '1.3.6.1.5.5.7.3.9'

/** @returns undefined when it says nothing of this certificate, or another signed it. @throws MalformedError */
function readOcsp(
  encoded: Uint8Array,
  certificate: Certificate,
  issuer: Certificate,
  pool: readonly Certificate[],
  budget: Budget,
  appointing: readonly Certificate[] = [issuer],
): RevocationFinding | undefined {
  const outer = children(readDer(encoded, 0x30))
  let basic = encoded
  if (outer[0]?.tag === 0x0a) {
    const [type, value] = sequence(explicit(outer[1], 0xa0), 2)
    if (smallInteger({ ...outer[0], tag: 0x02 }) !== 0 || oidOf(type) !== basicResponse) return undefined
    basic = tagged(value, 0x04).contents
  }
  const [tbs, algorithm, signature, enclosed] = sequence(readDer(basic, 0x30), 3, 4)
  const data = children(tagged(tbs, 0x30))
  if (data[0]?.tag === 0xa0) data.shift()
  const [, producedAt, responses, extensions] = data
  const single = children(tagged(responses, 0x30)).find((each) => isAbout(sequence(each, 3, 5)[0], certificate, issuer))
  if (single === undefined) return undefined
  const own =
    enclosed === undefined ? [] : children(explicit(enclosed, 0xa0)).map((each) => readCertificate(each.encoded, 'lenient'))
  const scheme = readScheme(algorithm)
  const message = tagged(tbs, 0x30).encoded
  const responder = [issuer, ...own.slice(0, 8), ...pool].find(
    (each) =>
      (each.sha256 === issuer.sha256 ||
        (each.extendedKeyUsage?.purposes.includes(ocspSigning) === true &&
          appointing.some((authority) => isIssuedBy(each, authority, budget)))) &&
      scheme !== undefined &&
      affords(budget) &&
      signatureHolds(each.key, scheme, message, bitOctets(signature)),
  )
  if (responder === undefined) return undefined
  const [, status, thisUpdate, next] = sequence(single, 3, 5)
  // What a responder says before or after its certificate's time is nobody's answer (RFC 6960 §4.2.2.2); the issuer's own time is judged
  // with the certificate that it issued.
  if (responder.sha256 !== issuer.sha256 && !isValidAt(responder, anyTimeOf(thisUpdate))) return undefined
  const common = {
    kind: 'ocsp' as const,
    at: anyTimeOf(thisUpdate),
    nextUpdate: next?.tag === 0xa0 ? anyTimeOf(explicit(next, 0xa0)) : undefined,
    answer: { producedAt: anyTimeOf(producedAt), nonce: extensions === undefined ? undefined : nonceOf(extensions) },
  }
  if (status?.tag === 0x80) return { ...common, status: 'good' }
  if (status?.tag !== 0xa1) return undefined
  const [time, why] = children(status)
  const reason = why === undefined ? undefined : smallInteger({ ...explicit(why, 0xa0), tag: 0x02 })
  return { ...common, status: 'revoked', revokedAt: anyTimeOf(time), ...(reason === undefined ? {} : { reason }) }
}

function nonceOf(wrapper: Der): Uint8Array | undefined {
  for (const each of children(explicit(wrapper, 0xa1))) {
    const parts = sequence(each, 2, 3)
    if (oidOf(parts[0]) === '1.3.6.1.5.5.7.48.1.2') return tagged(parts.at(-1), 0x04).contents
  }
  return undefined
}

/** CertID: the issuer by the digests of its name and key, and the serial number. */
function isAbout(certId: Der | undefined, certificate: Certificate, issuer: Certificate): boolean {
  const [algorithm, nameHash, keyHash, serial] = sequence(certId, 4)
  const digest = digestNamed(oidOf(sequence(algorithm, 1, 2)[0]))
  if (digest === undefined || serialHex(serial) !== certificate.serial) return false
  return (
    equalBytes(digests[digest](certificate.issuer), tagged(nameHash, 0x04).contents) &&
    equalBytes(digests[digest](keyOctets(issuer)), tagged(keyHash, 0x04).contents)
  )
}

function keyOctets(certificate: Certificate): Uint8Array {
  const fields = children(readDer(certificate.tbs, 0x30))
  return bitOctets(sequence(fields[fields[0]?.tag === 0xa0 ? 6 : 5], 2)[1])
}

/** Enclosed in the SignedData, in revocation-values (RFC 5126 §6.3.4), or in Adobe's signed attribute. */
export function enclosedData(cms: Pick<AnyCms, 'revocation'>, signer: Pick<AnySigner, 'signed' | 'unsigned'>): RevocationData {
  const crls: Uint8Array[] = cms.revocation.filter(({ tag }) => tag === 0x30).map(({ encoded }) => encoded)
  const ocsps: Uint8Array[] = []
  for (const each of cms.revocation) {
    if (each.tag !== 0xa1) continue
    const [, value] = orUndefined(() => children(each)) ?? []
    if (value !== undefined) ocsps.push(value.encoded)
  }
  for (const value of [
    ...(signer.unsigned.get('1.2.840.113549.1.9.16.2.24') ?? []),
    ...(signer.signed.get('1.2.840.113583.1.1.8') ?? []),
  ])
    for (const part of orUndefined(() => children(value)) ?? []) {
      const list = orUndefined(() => children(explicit(part, part.tag))) ?? []
      if (part.tag === 0xa0) crls.push(...list.map(({ encoded }) => encoded))
      if (part.tag === 0xa1) ocsps.push(...list.map(({ encoded }) => encoded))
    }
  return { crls, ocsps }
}

/** In certificate-values (RFC 5126 §6.3.3): what somebody put there for whoever builds chains. */
export function enclosedCertificates({ unsigned }: AnySigner): Certificate[] {
  const values = unsigned.get('1.2.840.113549.1.9.16.2.23') ?? []
  return values
    .flatMap((value) => orUndefined(() => children(value)) ?? [])
    .slice(0, mostAnswers)
    .flatMap(({ encoded }) => orUndefined(() => readCertificate(encoded, 'lenient')) ?? [])
}

/** Tokens from before stay good when the key was not taken (RFC 3161 §4.1): unspecified, affiliationChanged, superseded, cessationOfOperation. */
const harmlessReasons: readonly number[] = [0, 3, 4, 5]

/** The check `revocation`: of each certificate below the top, from what is enclosed or given. */
export function revocationCheck(
  cms: Pick<AnyCms, 'revocation'>,
  signer: Pick<AnySigner, 'signed' | 'unsigned'>,
  leaf: Certificate,
  path: CertificatePath,
  pool: readonly Certificate[],
  at: Date,
  given: RevocationData = { crls: [], ocsps: [] },
  budget?: Budget,
): ProofCheck[] {
  const id = 'revocation'
  if (path.issuers.length === 0) return []
  const enclosed = enclosedData(cms, signer)
  const data = { crls: [...enclosed.crls, ...given.crls], ocsps: [...enclosed.ocsps, ...given.ocsps] }
  let leafFinding: RevocationFinding | undefined
  let child = leaf
  for (const issuer of path.issuers) {
    const found = revocationOf(child, issuer, data, pool, budget)
    if (child === leaf) leafFinding = found
    if (found?.revokedAt !== undefined) {
      const says = { name: child.name, at: found.revokedAt.toISOString() }
      if (found.revokedAt <= at) return [{ id, status: 'failed', data: { ...says, reason: 'revoked_before' } }]
      if (found.reason === undefined || !harmlessReasons.includes(found.reason))
        return [{ id, status: 'failed', data: { ...says, reason: 'revoked_compromised' } }]
    }
    child = issuer
  }
  if (leafFinding === undefined)
    return [{ id, status: 'indeterminate', supplementary: true, data: { reason: 'revocation_absent' } }]
  const says = { name: leaf.name, at: leafFinding.at.toISOString() }
  // An answer from before the signature does not know what came after, unless it says until when it stands.
  const covers = leafFinding.at >= at || (leafFinding.nextUpdate !== undefined && leafFinding.nextUpdate >= at)
  return covers
    ? [{ id, status: 'passed', data: { ...says, kind: leafFinding.kind === 'crl' ? 'CRL' : 'OCSP' } }]
    : [{ id, status: 'indeterminate', supplementary: true, data: { ...says, reason: 'revocation_older' } }]
}
