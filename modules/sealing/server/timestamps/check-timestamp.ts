import { rootCertificates } from 'node:tls'
import { equalBytes, toHex } from '../../../../kernel/bytes.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { ErrorData } from '../../../../kernel/errors.ts'
import { oids } from '../encoding/object-identifiers.ts'
import { readCertificate } from '../certificates/read-certificate.ts'
import type { CertificateFacts } from '../certificates/read-certificate.ts'
import {
  children,
  expectTag,
  generalizedTimeOf,
  integerHexOf,
  objectIdentifierOf,
  octetsOf,
  readDer,
  smallIntegerOf,
} from '../encoding/read-der.ts'
import type { Element } from '../encoding/read-der.ts'
import { checkSignedData, readSignedData } from '../signed-data/read-signed-data.ts'

/** TSTInfo of RFC 3161 §2.4.2. */
type TokenFacts = {
  readonly policy: string
  readonly digestAlgorithm: string
  readonly imprint: Uint8Array
  readonly serial: string
  readonly genTime: Date
  /** Microseconds, when the authority states it. */
  readonly accuracy: number | undefined
  /** Lower-case hexadecimal without leading zeros. */
  readonly nonce: string | undefined
}

export type CheckedTimestamp = TokenFacts & {
  readonly response: Uint8Array
  readonly token: Uint8Array
  readonly authority: string
  readonly certificate: Uint8Array
  readonly chain: readonly Uint8Array[]
}

type TimestampExpectations = {
  /** SHA-256 that was sent. */
  readonly digest: Uint8Array
  /** Lower-case hexadecimal without leading zeros. */
  readonly nonce: string
  readonly now: Date
  /** How far genTime may be from `now`. */
  readonly toleranceMs: number
}

const maximumChain = 8

/**
 * Checks a TimeStampResp in full: status, imprint, nonce, time, signature with ESSCertID, the critical and only purpose of the
 * certificate, and its chain up to a self-signed root, found in the token or among the roots that ship with Node.
 * @throws DomainError `sealing.tsa_…` for the first thing that does not hold.
 */
export function checkTimestamp(response: Uint8Array, expected: TimestampExpectations): CheckedTimestamp {
  try {
    return check(response, expected)
  } catch (error) {
    // Whatever the DER reader or node:crypto cannot read is the authority's fault, not a defect of ours.
    if (error instanceof DomainError) throw error
    throw refusal('malformed', { reason: error instanceof Error ? error.message : 'unreadable' }, error)
  }
}

function check(response: Uint8Array, expected: TimestampExpectations): CheckedTimestamp {
  const [statusInfo, token] = children(readDer(response, 0x30))
  const [status, ...rest] = children(expectTag(statusInfo, 0x30))
  const code = smallIntegerOf(status)
  // granted, or grantedWithMods: every field is compared below, so a modification that matters is seen (RFC 3161 §2.4.2).
  if (code > 1) throw refusal('refused', { status: code, failure: failureOf(rest.find((each) => each.tag === 0x03)) })
  const signed = readSignedData(expectTag(token, 0x30).encoded)
  if (signed.contentType !== oids.tstInfo || signed.content === undefined) throw refusal('malformed', { reason: 'no TSTInfo' })
  const facts = readTstInfo(signed.content)
  if (facts.digestAlgorithm !== oids.sha256 || !equalBytes(facts.imprint, expected.digest)) throw refusal('imprint')
  if (facts.nonce !== expected.nonce) throw refusal('nonce')
  const drift = facts.genTime.getTime() - expected.now.getTime()
  if (Math.abs(drift) > expected.toleranceMs) throw refusal('clock', { drift_seconds: Math.round(drift / 1000) })

  const signer = checkSignedData(signed, signed.content)
  if (typeof signer === 'string') throw refusal('signature', { flaw: signer })
  const purpose = signer.extendedKeyUsage
  if (purpose === undefined || !purpose.critical || purpose.purposes.length !== 1 || purpose.purposes[0] !== oids.timeStamping) {
    throw refusal('purpose')
  }
  if (!coversInstant(signer, facts.genTime)) throw refusal('expired', { not_after: signer.notAfter.toISOString() })
  const chain = buildChain(signer, signed.certificates, facts.genTime)
  return {
    ...facts,
    response,
    token: expectTag(token, 0x30).encoded,
    authority: signer.name,
    certificate: signer.encoded,
    chain: chain.map((each) => each.encoded),
  }
}

/** @throws DerError */
function readTstInfo(encoded: Uint8Array): TokenFacts {
  const [version, policy, imprint, serial, genTime, ...rest] = children(readDer(encoded, 0x30))
  if (smallIntegerOf(version) !== 1) throw refusal('malformed', { reason: 'TSTInfo version' })
  const [algorithm, digest] = children(expectTag(imprint, 0x30))
  const accuracy = rest.find((each) => each.tag === 0x30)
  const nonce = rest.find((each) => each.tag === 0x02)
  return {
    policy: objectIdentifierOf(policy),
    digestAlgorithm: objectIdentifierOf(children(expectTag(algorithm, 0x30))[0]),
    imprint: octetsOf(digest),
    serial: integerHexOf(serial),
    genTime: generalizedTimeOf(genTime),
    accuracy: accuracy === undefined ? undefined : accuracyOf(accuracy),
    nonce: nonce === undefined ? undefined : toHex(nonce.contents).replace(/^0+(?=.)/, ''),
  }
}

function accuracyOf(element: Element): number {
  let micros = 0
  for (const part of children(element)) {
    const value = Number.parseInt(toHex(part.contents), 16)
    micros += part.tag === 0x02 ? value * 1_000_000 : part.tag === 0x80 ? value * 1000 : value
  }
  return micros
}

/** Names of PKIFailureInfo (RFC 3161 §2.4.2), by bit. */
const failureNames: Readonly<Record<number, string>> = {
  0: 'badAlg',
  2: 'badRequest',
  5: 'badDataFormat',
  14: 'timeNotAvailable',
  15: 'unacceptedPolicy',
  16: 'unacceptedExtension',
  17: 'addInfoNotAvailable',
  25: 'systemFailure',
}

function failureOf(bits: Element | undefined): string | null {
  if (bits === undefined) return null
  const octets = bits.contents.subarray(1)
  for (const [bit, name] of Object.entries(failureNames)) {
    if (((octets[Number(bit) >> 3] ?? 0) & (0x80 >> (Number(bit) & 7))) !== 0) return name
  }
  return null
}

function coversInstant(certificate: CertificateFacts, at: Date): boolean {
  // Certificates are dated to the second; genTime may carry a fraction of the last one.
  return certificate.notBefore <= at && at.getTime() < certificate.notAfter.getTime() + 1000
}

function buildChain(signer: CertificateFacts, enclosed: readonly CertificateFacts[], at: Date): CertificateFacts[] {
  const chain: CertificateFacts[] = []
  for (let child = signer; !isSelfSigned(child);) {
    const issuers = [...enclosed, ...(knownRoots().get(toHex(child.issuer)) ?? [])].filter((each) => issued(each, child, at))
    // A root before a cross-certificate of the same authority: the latter may lead to a root that nobody holds.
    const issuer = issuers.find(isSelfSigned) ?? issuers[0]
    if (issuer === undefined || chain.length === maximumChain) throw refusal('chain', { missing_issuer_of: child.name })
    chain.push(issuer)
    child = issuer
  }
  return chain
}

const issued = (issuer: CertificateFacts, child: CertificateFacts, at: Date): boolean =>
  issuer.isAuthority &&
  coversInstant(issuer, at) &&
  child.x509.checkIssued(issuer.x509) &&
  child.x509.verify(issuer.x509.publicKey)

const isSelfSigned = (each: CertificateFacts): boolean =>
  equalBytes(each.issuer, each.subject) && each.x509.verify(each.x509.publicKey)

let rootsBySubject: Map<string, CertificateFacts[]> | undefined

/** Mozilla's roots as shipped with Node, by subject: authorities seldom enclose their root. Constant, so kept once read. */
function knownRoots(): Map<string, CertificateFacts[]> {
  if (rootsBySubject !== undefined) return rootsBySubject
  rootsBySubject = new Map()
  for (const pem of rootCertificates) {
    const root = readCertificate(new Uint8Array(Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')))
    const subject = toHex(root.subject)
    rootsBySubject.set(subject, [...(rootsBySubject.get(subject) ?? []), root])
  }
  return rootsBySubject
}

/** A named failure of an authority; the caller goes to the next one. */
export function refusal(reason: string, data: ErrorData = {}, cause?: unknown): DomainError {
  return new DomainError('unavailable', `sealing.tsa_${reason}`, data, { cause })
}
