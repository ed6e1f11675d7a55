import { concatBytes, equalBytes } from '../../../../kernel/bytes.ts'
import { digestNamed } from '../hash/digests.ts'
import { ids } from '../certificate/object-ids.ts'
import type { DigestName } from '../hash/digests.ts'
import { readScheme } from '../certificate/check-signature.ts'
import type { SignatureScheme } from '../certificate/check-signature.ts'
import {
  children,
  explicit,
  malformed,
  MalformedError,
  octets,
  oidOf,
  readDer,
  sequence,
  smallInteger,
  tagged,
} from '../encoding/der.ts'
import type { Der } from '../encoding/der.ts'
import { readCertificate, serialHex } from '../certificate/x509.ts'
import type { Certificate } from '../certificate/x509.ts'
import { definiteLengths, receivedForm } from '../encoding/definite-lengths.ts'
import type { Received } from '../encoding/definite-lengths.ts'

/**
 * What was written in another way than the standard's one, or that no signature covers: altering it would not be noticed, so it is
 * said. Those in `tellTales` have one right value, which a genuine signature has.
 */
export const anomalies = [
  'ber',
  'padding',
  'version',
  'signer_version',
  'digest_algorithms',
  'several_digest_algorithms',
  'algorithm_parameters',
  'revocation_enclosed',
  'other_certificates',
  'certificate_form',
  'unsorted',
  'repeated_attribute',
] as const
export type Anomaly = (typeof anomalies)[number]

export type AnySigner = {
  readonly sid: Der
  readonly digestId: string
  readonly digest: DigestName | undefined
  /** Encodings that may have been signed: as sent, then sorted as DER has it (RFC 5652 §5.4). Empty without signed attributes. */
  readonly signedAttributes: readonly Uint8Array[]
  readonly signed: ReadonlyMap<string, readonly Der[]>
  readonly unsigned: ReadonlyMap<string, readonly Der[]>
  readonly scheme: SignatureScheme | undefined
  readonly signatureOid: string
  readonly signature: Uint8Array
  readonly certificate: Certificate | undefined
  /** Its elements up to the signature, and the unsigned attributes, as they stand: what later time stamps are over. */
  readonly fields: readonly Der[]
  readonly attributes: readonly Der[]
}

export type AnyCms = {
  /** Of SignedData, with definite lengths. */
  readonly elements: {
    readonly encapsulated: Der
    readonly certificates: Der | undefined
    readonly revocation: Der | undefined
    /** Before `encapsulated`, and all signers. */
    readonly before: readonly Der[]
    readonly signers: readonly Der[]
  }
  /** Undefined when it was received like that. */
  readonly received: Received | undefined
  readonly contentType: string
  /** Undefined when detached. */
  readonly content: Uint8Array | undefined
  readonly certificates: readonly Certificate[]
  /** Of the enclosed certificates, those that could not be read. */
  readonly unreadable: number
  /** RevocationInfoChoices as enclosed: CertificateList, or [1] OtherRevocationInfoFormat. */
  readonly revocation: readonly Der[]
  readonly signers: readonly AnySigner[]
  readonly anomalies: ReadonlySet<Anomaly>
}

/** RFC 5652 §10.2.2: PKCS #6 certificates, attribute certificates of two editions, and what a registered format says. */
const otherForms = [0xa0, 0xa1, 0xa2, 0xa3]

const mostCertificates = 64
const mostSigners = 16
const mostAttributes = 128

/**
 * Reads anybody's CMS SignedData (RFC 5652): BER, any number of signers and attributes, certificates of every age. What it accepts
 * beyond the standard it lists. @param given certificates to look for the signers in, besides the enclosed ones.
 * @throws MalformedError
 */
export function readCms(encoded: Uint8Array, given: readonly Certificate[] = []): AnyCms {
  const found = new Set<Anomaly>()
  const { encoded: bytes, padded } = definiteLengths(encoded)
  if (!equalBytes(bytes, encoded.subarray(0, bytes.length))) found.add('ber')
  if (padded) found.add('padding')
  const [outerType, wrapper] = sequence(readDer(bytes, 0x30), 2)
  if (oidOf(outerType) !== ids.signedData) malformed('not CMS SignedData')
  const [version, algorithms, encapsulated, ...rest] = sequence(explicit(wrapper, 0xa0), 4, 6)
  const [typeElement, wrapped] = sequence(encapsulated, 1, 2)
  const contentType = oidOf(typeElement)
  const enclosed = rest.find(({ tag }) => tag === 0xa0)
  const revocation = rest.find(({ tag }) => tag === 0xa1)
  const { certificates, unreadable } = readCertificates(enclosed, found)
  const infos = children(tagged(rest.at(-1), 0x31))
  if (infos.length > mostSigners) malformed('too many signers')
  const pool = [...certificates, ...given]
  const signers = infos.map((each) => readSigner(each, pool, found))
  const named = children(tagged(algorithms, 0x31)).map((each) => oidOf(sequence(each, 1, 2)[0]))
  if (signers.some(({ digestId }) => !named.includes(digestId))) found.add('digest_algorithms')
  else if (named.length > new Set(signers.map(({ digestId }) => digestId)).size) found.add('several_digest_algorithms')
  if (revocation !== undefined) found.add('revocation_enclosed')
  // RFC 5652 §5.1. What raises it further is often added later, by whom does not raise it: both are taken.
  const byKey = infos.some((each) => sequence(each, 5, 7)[1]?.tag === 0x80)
  const right = contentType === ids.data && !byKey ? 1 : 3
  const written = smallInteger(version)
  if (written !== right && written !== Math.max(right, versionFor(enclosed, revocation))) found.add('version')
  return {
    elements: {
      encapsulated: tagged(encapsulated, 0x30),
      certificates: enclosed,
      revocation,
      before: [version, algorithms].filter((each) => each !== undefined),
      signers: infos,
    },
    received: found.has('ber') ? receivedForm(encoded) : undefined,
    contentType,
    content: wrapped === undefined ? undefined : octets(explicit(wrapped, 0xa0)),
    certificates,
    unreadable,
    revocation: revocation === undefined ? [] : children(revocation).slice(0, mostCertificates),
    signers,
    anomalies: found,
  }
}

/** What the forms of certificates and of revocation data ask for beyond that of the signers. */
function versionFor(enclosed: Der | undefined, revocation: Der | undefined): number {
  const [forms, answers] = [enclosed, revocation].map((each) => (each === undefined ? [] : children(each).map(({ tag }) => tag)))
  if (forms?.includes(0xa3) === true || answers?.includes(0xa1) === true) return 5
  return forms?.includes(0xa2) === true ? 4 : forms?.includes(0xa1) === true ? 3 : 1
}

function readCertificates(enclosed: Der | undefined, found: Set<Anomaly>): { certificates: Certificate[]; unreadable: number } {
  const certificates: Certificate[] = []
  let unreadable = 0
  const all = enclosed === undefined ? [] : children(enclosed)
  if (all.length > mostCertificates) malformed('too many certificates')
  for (const each of all) {
    if (otherForms.includes(each.tag)) {
      found.add('other_certificates')
      continue
    }
    const certificate = readEither(each.encoded, found)
    if (certificate === undefined) unreadable += 1
    // Some enclose the same one twice.
    else if (!certificates.some(({ sha256 }) => sha256 === certificate.sha256)) certificates.push(certificate)
  }
  return { certificates, unreadable }
}

function readEither(encoded: Uint8Array, found: Set<Anomaly>): Certificate | undefined {
  try {
    return readCertificate(encoded)
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
  }
  found.add('certificate_form')
  try {
    return readCertificate(encoded, 'lenient')
  } catch (error) {
    if (error instanceof MalformedError) return undefined
    throw error
  }
}

/** SignerInfo of RFC 5652 §5.3, or a countersignature (§11.4). @throws MalformedError */
export function readSigner(info: Der, pool: readonly Certificate[], found = new Set<Anomaly>()): AnySigner {
  const members = sequence(info, 5, 7)
  const [version, sid, digestElement, ...rest] = members
  if (sid === undefined) malformed('signer identifier')
  if (smallInteger(version) !== (sid.tag === 0x80 ? 3 : 1)) found.add('signer_version')
  const digestId = oidOf(sequence(digestElement, 1, 2)[0])
  const signedSet = rest[0]?.tag === 0xa0 ? rest.shift() : undefined
  const [algorithm, signature, unsigned] = rest
  const digest = digestNamed(digestId)
  return {
    fields: unsigned === undefined ? members : members.slice(0, -1),
    attributes: unsigned === undefined ? [] : children(unsigned),
    sid,
    digestId,
    digest,
    signedAttributes: signedSet === undefined ? [] : signedEncodings(signedSet, found),
    signed: attributesOf(signedSet, found),
    unsigned: attributesOf(unsigned === undefined ? undefined : tagged(unsigned, 0xa1), found),
    scheme: schemeOf(algorithm, digest, found),
    signatureOid: oidOf(sequence(algorithm, 1, 2)[0]),
    signature: tagged(signature, 0x04).contents,
    certificate: findSigner(pool, sid),
  }
}

function findSigner(pool: readonly Certificate[], sid: Der): Certificate | undefined {
  if (sid.tag === 0x80) return pool.find((each) => each.subjectKeyId !== undefined && equalBytes(each.subjectKeyId, sid.contents))
  const [issuer, serial] = sequence(sid, 2)
  const name = tagged(issuer, 0x30).encoded
  const number = serialHex(serial)
  return pool.find((each) => each.serial === number && equalBytes(each.issuer, name))
}

function signedEncodings(set: Der, found: Set<Anomaly>): Uint8Array[] {
  const sent = Uint8Array.from(set.encoded)
  sent[0] = 0x31
  const parts = children(set).map(({ encoded }) => encoded)
  const sorted = parts.toSorted(compareOctets)
  if (sorted.every((part, i) => part === parts[i])) return [sent]
  found.add('unsorted')
  return [sent, concatBytes(sent.subarray(0, sent.length - set.contents.length), ...sorted)]
}

function compareOctets(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function attributesOf(set: Der | undefined, found: Set<Anomaly>): Map<string, readonly Der[]> {
  const read = new Map<string, readonly Der[]>()
  const all = set === undefined ? [] : children(set)
  if (all.length > mostAttributes) malformed('too many attributes')
  for (const each of all) {
    const [type, values] = sequence(each, 2)
    const id = oidOf(type)
    const before = read.get(id)
    if (before !== undefined) found.add('repeated_attribute')
    read.set(id, [...(before ?? []), ...children(tagged(values, 0x31))])
  }
  return read
}

/** Some name the key's algorithm instead of the signature's, or write parameters that do not belong. */
function schemeOf(algorithm: Der | undefined, digest: DigestName | undefined, found: Set<Anomaly>): SignatureScheme | undefined {
  const name = oidOf(sequence(algorithm, 1, 2)[0])
  if (name === ids.ecPublicKey) {
    found.add('algorithm_parameters')
    return digest === undefined ? undefined : { kind: 'ecdsa', digest, salt: 0 }
  }
  try {
    // When the algorithm fixes its own digest, that is the one of the signature, whatever digests the content.
    return readScheme(algorithm, digest) ?? readScheme(algorithm)
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
    found.add('algorithm_parameters')
    return undefined
  }
}
