import { equalBytes } from '../../../../../kernel/bytes.ts'
import { digestNamed, digests } from '../../hash/digests.ts'
import { ids } from '../../certificate/object-ids.ts'
import type { DigestName } from '../../hash/digests.ts'
import { isWeak, readScheme, signatureHolds } from '../../certificate/check-signature.ts'
import {
  children,
  explicit,
  integerHex,
  malformed,
  octets,
  oidOf,
  plainAlgorithm,
  readDer,
  sequence,
  smallInteger,
  tagged,
} from '../../encoding/der.ts'
import type { Der } from '../../encoding/der.ts'
import { isIssuedBy, readCertificate } from '../../certificate/x509.ts'
import type { Certificate } from '../../certificate/x509.ts'

export type SignedData = {
  readonly contentType: string
  readonly content: Uint8Array | undefined
  readonly certificates: readonly Certificate[]
  readonly digest: DigestName
  /** As signed: with the tag of SET OF (RFC 5652 §5.4). */
  readonly signedAttributes: Uint8Array
  readonly signed: ReadonlyMap<string, Der>
  readonly unsigned: ReadonlyMap<string, Der>
  readonly signatureAlgorithm: Der
  readonly signature: Uint8Array
  readonly signer: Certificate | undefined
}

/**
 * Reads CMS SignedData (RFC 5652) of one signer. Every octet is either read here, or hashed, or signed: fields that have one
 * possible value are required to have it, so that no octet can change unseen. @throws MalformedError
 */
export function readSignedData(encoded: Uint8Array): SignedData {
  const [outerType, wrapper] = sequence(readDer(encoded, 0x30), 2)
  if (oidOf(outerType) !== ids.signedData) malformed('not CMS SignedData')
  const [version, algorithms, encapsulated, ...rest] = sequence(explicit(wrapper, 0xa0), 4, 5)
  const [typeElement, wrapped] = sequence(encapsulated, 1, 2)
  const contentType = oidOf(typeElement)
  if (smallInteger(version) !== (contentType === ids.data ? 1 : 3)) malformed('CMS version')
  const enclosed = rest.length === 2 ? children(tagged(rest[0], 0xa0)) : []
  if (enclosed.length > 32) malformed('too many certificates')
  const certificates = enclosed.map((each) => readCertificate(tagged(each, 0x30).encoded))
  const signers = children(tagged(rest.at(-1), 0x31))
  if (signers.length !== 1) malformed('one signer belongs')
  const [signerVersion, sid, digestElement, attributes, signatureAlgorithm, signature, unsigned] = sequence(signers[0], 6, 7)
  if (smallInteger(signerVersion) !== (sid?.tag === 0x80 ? 3 : 1)) malformed('signer version')
  const digestId = plainAlgorithm(digestElement)
  const named = children(tagged(algorithms, 0x31))
  if (named.length !== 1 || plainAlgorithm(named[0]) !== digestId) malformed('digest algorithms')
  const digest = digestNamed(digestId) ?? malformed('digest algorithm')
  const signedSet = tagged(attributes, 0xa0)
  const signedAttributes = Uint8Array.from(signedSet.encoded)
  signedAttributes[0] = 0x31
  return {
    contentType,
    content: wrapped === undefined ? undefined : octets(explicit(wrapped, 0xa0)),
    certificates,
    digest,
    signedAttributes,
    signed: attributesOf(signedSet),
    unsigned: unsigned === undefined ? new Map<string, Der>() : attributesOf(tagged(unsigned, 0xa1)),
    signatureAlgorithm: tagged(signatureAlgorithm, 0x30),
    signature: tagged(signature, 0x04).contents,
    signer: findSigner(certificates, sid),
  }
}

function findSigner(certificates: readonly Certificate[], sid: Der | undefined): Certificate | undefined {
  if (sid?.tag === 0x80)
    return certificates.find((each) => each.subjectKeyId !== undefined && equalBytes(each.subjectKeyId, sid.contents))
  const [issuer, serial] = sequence(sid, 2)
  const name = tagged(issuer, 0x30).encoded
  const number = integerHex(serial)
  return certificates.find((each) => each.serial === number && equalBytes(each.issuer, name))
}

/** RFC 5652 §11: at most one instance of each of these attributes, with one value. */
function attributesOf(set: Der): Map<string, Der> {
  const found = new Map<string, Der>()
  for (const each of children(set)) {
    const [type, values] = sequence(each, 2)
    const id = oidOf(type)
    const [value, second] = children(tagged(values, 0x31))
    if (found.has(id) || value === undefined || second !== undefined) malformed('an attribute has one value')
    found.set(id, value)
  }
  return found
}

export type CmsFlaw =
  | 'signer_absent'
  | 'content_type'
  | 'message_digest'
  | 'signing_certificate'
  | 'algorithm'
  | 'signature'
  | 'unaccounted'

/**
 * Checks the signature and what it binds. @param contentDigest the content's digest under `data.digest`.
 * @returns the signer and whether its algorithm is weak, or the first flaw. @throws MalformedError
 */
export function checkSignedData(data: SignedData, contentDigest: Uint8Array): { signer: Certificate; weak: boolean } | CmsFlaw {
  const { signer } = data
  if (signer === undefined) return 'signer_absent'
  const type = data.signed.get(ids.contentType)
  if (type === undefined || oidOf(type) !== data.contentType) return 'content_type'
  const claimed = data.signed.get(ids.messageDigest)
  if (claimed === undefined || !equalBytes(tagged(claimed, 0x04).contents, contentDigest)) return 'message_digest'
  const v1 = data.signed.get(ids.signingCertificate)
  const v2 = data.signed.get(ids.signingCertificateV2)
  if (v1 === undefined && v2 === undefined) return 'signing_certificate'
  for (const [value, usual] of [
    [v1, 'sha1'],
    [v2, 'sha256'],
  ] as const)
    if (value !== undefined && !names(value, signer, usual)) return 'signing_certificate'
  const scheme = readScheme(data.signatureAlgorithm, data.digest)
  if (scheme === undefined || (scheme.kind === 'pss' && scheme.digest !== data.digest)) return 'algorithm'
  if (!signatureHolds(signer.key, scheme, data.signedAttributes, data.signature)) return 'signature'
  return { signer, weak: isWeak(signer.key, scheme) }
}

/** ESSCertID of RFC 2634 §5.4.1, ESSCertIDv2 of RFC 5035 §4: the first names the signer. */
function names(value: Der, signer: Certificate, usual: DigestName): boolean {
  const [list] = sequence(value, 1, 2)
  const [first] = children(tagged(list, 0x30))
  const parts = sequence(first, 1, 3)
  const explicitDigest = parts[0]?.tag === 0x30
  const digest = explicitDigest ? digestNamed(plainAlgorithm(parts[0])) : usual
  return digest !== undefined && equalBytes(tagged(parts[explicitDigest ? 1 : 0], 0x04).contents, digests[digest](signer.encoded))
}

/** An enclosed certificate that is neither used nor signed by one that is enclosed or known: its octets prove nothing. */
export function hasStrayCertificate(data: SignedData, pool: readonly Certificate[]): boolean {
  return data.certificates.some((each) => !pool.some((issuer) => isIssuedBy(each, issuer)))
}
