import { constants, createHash, verify } from 'node:crypto'
import { equalBytes } from '../../../../kernel/bytes.ts'
import { digestNames, oids } from '../encoding/object-identifiers.ts'
import { readCertificate } from '../certificates/read-certificate.ts'
import type { CertificateFacts } from '../certificates/read-certificate.ts'
import {
  children,
  DerError,
  expectTag,
  integerHexOf,
  objectIdentifierOf,
  octetsOf,
  readDer,
  smallIntegerOf,
} from '../encoding/read-der.ts'
import type { Element } from '../encoding/read-der.ts'
import { retag } from '../encoding/write-der.ts'

type SignedDataFacts = {
  readonly contentType: string
  readonly content: Uint8Array | undefined
  readonly certificates: readonly CertificateFacts[]
  readonly issuer: Uint8Array
  readonly serial: string
  readonly digestAlgorithm: string
  /** As signed: SET OF. */
  readonly signedAttributes: Uint8Array
  /** The one value of each signed attribute, by identifier. */
  readonly signed: ReadonlyMap<string, Element>
  readonly unsigned: ReadonlyMap<string, Element>
  readonly signatureAlgorithm: Element
  readonly signature: Uint8Array
}

/** Reads CMS SignedData of exactly one signer who signed attributes. @throws DerError on anything else. */
export function readSignedData(encoded: Uint8Array): SignedDataFacts {
  const [outerType, wrapper] = children(readDer(encoded, 0x30))
  if (objectIdentifierOf(outerType) !== oids.signedData) throw new DerError('not CMS SignedData')
  const [version, digestAlgorithms, encapsulated, ...rest] = children(readDer(expectTag(wrapper, 0xa0).contents, 0x30))
  const [contentType, content] = children(expectTag(encapsulated, 0x30))
  // RFC 5652 §5.1: 1 for plain data; 3 for any other content; 4 and 5 with attribute certificates and the like.
  const versions = objectIdentifierOf(contentType) === oids.data ? [1, 4, 5] : [3, 4, 5]
  if (!versions.includes(smallIntegerOf(version))) throw new DerError('wrong version of SignedData')
  const certificates = rest.find((each) => each.tag === 0xa0)
  const signers = children(expectTag(rest.at(-1), 0x31))
  if (signers.length !== 1) throw new DerError(`${signers.length} signers where one belongs`)
  const [signerVersion, sid, digestAlgorithm, signedAttributes, signatureAlgorithm, signature, unsigned] = children(
    expectTag(signers[0], 0x30),
  )
  if (smallIntegerOf(signerVersion) !== 1) throw new DerError('wrong version of SignerInfo')
  const digest = algorithmOf(digestAlgorithm)
  if (!children(expectTag(digestAlgorithms, 0x31)).map(algorithmOf).includes(digest))
    throw new DerError('undeclared digest algorithm')
  const [issuer, serial] = children(expectTag(sid, 0x30))
  return {
    contentType: objectIdentifierOf(contentType),
    content: content === undefined ? undefined : octetsOf(children(expectTag(content, 0xa0))[0]),
    certificates:
      certificates === undefined ? [] : children(certificates).map((each) => readCertificate(expectTag(each, 0x30).encoded)),
    issuer: expectTag(issuer, 0x30).encoded,
    serial: integerHexOf(serial),
    digestAlgorithm: digest,
    signedAttributes: retag(expectTag(signedAttributes, 0xa0).encoded, 0x31),
    signed: attributesOf(expectTag(signedAttributes, 0xa0)),
    unsigned: unsigned === undefined ? new Map<string, Element>() : attributesOf(expectTag(unsigned, 0xa1)),
    signatureAlgorithm: expectTag(signatureAlgorithm, 0x30),
    signature: expectTag(signature, 0x04).contents,
  }
}

/** AlgorithmIdentifier of a digest: its parameters are absent or NULL (RFC 5754 §2). */
function algorithmOf(element: Element | undefined): string {
  const [id, parameters] = children(expectTag(element, 0x30))
  if (parameters !== undefined && expectTag(parameters, 0x05).contents.length > 0) throw new DerError('NULL with contents')
  return objectIdentifierOf(id)
}

function attributesOf(set: Element): Map<string, Element> {
  const found = new Map<string, Element>()
  for (const each of children(set)) {
    const [type, values] = children(expectTag(each, 0x30))
    const id = objectIdentifierOf(type)
    const [value, second] = children(expectTag(values, 0x31))
    // RFC 5652 §11: at most one instance of these attributes, with one value.
    if (found.has(id) || value === undefined || second !== undefined) throw new DerError(`attribute ${id} is not single-valued`)
    found.set(id, value)
  }
  return found
}

type SignedDataFlaw =
  | 'signer_absent'
  | 'content_type'
  | 'digest_algorithm'
  | 'message_digest'
  | 'signing_certificate'
  | 'signature_algorithm'
  | 'signature'

/**
 * Checks the signature and what it binds: content type, digest of the content, and the signer's certificate by ESSCertID or
 * ESSCertIDv2. @returns the signer's certificate, or the first flaw.
 */
export function checkSignedData(facts: SignedDataFacts, content: Uint8Array): CertificateFacts | SignedDataFlaw {
  const signer = facts.certificates.find((each) => each.serial === facts.serial && equalBytes(each.issuer, facts.issuer))
  if (signer === undefined) return 'signer_absent'
  const type = facts.signed.get(oids.contentType)
  if (type === undefined || objectIdentifierOf(type) !== facts.contentType) return 'content_type'
  const digest = digestNames[facts.digestAlgorithm]
  if (digest === undefined) return 'digest_algorithm'
  const claimed = facts.signed.get(oids.messageDigest)
  if (claimed === undefined || !equalBytes(octetsOf(claimed), createHash(digest.name).update(content).digest()))
    return 'message_digest'
  if (!namesCertificate(facts, signer)) return 'signing_certificate'
  const options = signatureOptions(facts.signatureAlgorithm, digest.name)
  if (options === undefined) return 'signature_algorithm'
  return verify(options.digest, facts.signedAttributes, { key: signer.x509.publicKey, ...options.padding }, facts.signature)
    ? signer
    : 'signature'
}

/** SHA-1 stands here for ESSCertID alone (RFC 2634 §5.4), which most authorities still send beside or instead of the newer one. */
function namesCertificate(facts: SignedDataFacts, signer: CertificateFacts): boolean {
  const v2 = facts.signed.get(oids.signingCertificateV2)
  const v1 = facts.signed.get(oids.signingCertificate)
  if (v2 === undefined && v1 === undefined) return false
  return (v2 === undefined || namesIt(v2, signer, 'sha256')) && (v1 === undefined || namesIt(v1, signer, 'sha1'))
}

function namesIt(value: Element, signer: CertificateFacts, defaultDigest: 'sha256' | 'sha1'): boolean {
  const [certs] = children(expectTag(value, 0x30))
  const [first] = children(expectTag(certs, 0x30))
  const parts = children(expectTag(first, 0x30))
  const named = parts[0]?.tag === 0x30 ? digestNames[objectIdentifierOf(children(parts[0])[0])]?.name : defaultDigest
  const hash = parts[0]?.tag === 0x30 ? parts[1] : parts[0]
  return named !== undefined && equalBytes(octetsOf(hash), createHash(named).update(signer.encoded).digest())
}

type DigestName = 'sha256' | 'sha384' | 'sha512'

function signatureOptions(algorithm: Element, digest: DigestName): { digest: DigestName; padding: object } | undefined {
  const [id, parameters] = children(algorithm)
  const rsa = { padding: constants.RSA_PKCS1_PADDING }
  switch (objectIdentifierOf(id)) {
    case oids.rsaEncryption:
      return { digest, padding: rsa }
    case oids.sha256WithRsa:
      return { digest: 'sha256', padding: rsa }
    case oids.sha384WithRsa:
      return { digest: 'sha384', padding: rsa }
    case oids.sha512WithRsa:
      return { digest: 'sha512', padding: rsa }
    case oids.ecdsaWithSha256:
      return { digest: 'sha256', padding: {} }
    case oids.ecdsaWithSha384:
      return { digest: 'sha384', padding: {} }
    case oids.ecdsaWithSha512:
      return { digest: 'sha512', padding: {} }
    case oids.rsaSsaPss:
      return pssOptions(parameters)
    default:
      return undefined
  }
}

/** RSASSA-PSS-params (RFC 4055 §3.1); the SHA-1 defaults are refused by being absent from the digests known here. */
function pssOptions(parameters: Element | undefined): { digest: DigestName; padding: object } | undefined {
  if (parameters === undefined) return undefined
  const fields = children(expectTag(parameters, 0x30))
  const hash = fields.find((each) => each.tag === 0xa0)
  const salt = fields.find((each) => each.tag === 0xa2)
  if (hash === undefined) return undefined
  const digest = digestNames[objectIdentifierOf(children(readDer(hash.contents, 0x30))[0])]?.name
  if (digest === undefined) return undefined
  const saltLength = salt === undefined ? 20 : smallIntegerOf(readDer(salt.contents, 0x02))
  return { digest, padding: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength } }
}
