import { createHash } from 'node:crypto'
import { oids } from '../encoding/object-identifiers.ts'
import { readCertificate } from '../certificates/read-certificate.ts'
import type { Signer } from '../keyring/signer.ts'
import {
  contextConstructed,
  integer,
  objectIdentifier,
  octetString,
  retag,
  sequence,
  setOf,
  time,
} from '../encoding/write-der.ts'

const sha256Identifier = sequence(objectIdentifier(oids.sha256))

/**
 * CMS SignedData (RFC 5652) of one ECDSA P-256 signer, DER of its ContentInfo. Signed attributes: content-type, message-digest,
 * signing-certificate-v2 (RFC 5035), and signing-time when given.
 */
export async function buildSignedData(
  signer: Signer,
  input: {
    readonly contentType: string
    /** SHA-256 of the content. */
    readonly digest: Uint8Array
    /** Absent: detached. */
    readonly content?: Uint8Array
    /** Absent in PAdES, where the signature dictionary says it (EN 319 142-1 §6.3). */
    readonly signingTime?: Date
    /** DER of the certificates to enclose; none when the requester has them (RFC 3161 §2.4.1, certReq). */
    readonly certificates: readonly Uint8Array[]
    /** Unsigned attributes made from the signature's octets, such as a signature time-stamp. */
    readonly unsigned?: (signature: Uint8Array) => Promise<readonly Uint8Array[]>
  },
): Promise<Uint8Array<ArrayBuffer>> {
  const certificate = readCertificate(signer.certificate)
  const attributes = setOf([
    attribute(oids.contentType, objectIdentifier(input.contentType)),
    attribute(oids.messageDigest, octetString(input.digest)),
    attribute(oids.signingCertificateV2, signingCertificateV2(signer.certificate, certificate)),
    ...(input.signingTime === undefined ? [] : [attribute(oids.signingTime, time(input.signingTime))]),
  ])
  // RFC 5652 §5.4: what is signed is the SET OF encoding, what is stored is [0] IMPLICIT.
  const signature = await signer.sign(attributes)
  const unsigned = (await input.unsigned?.(signature)) ?? []
  const signerInfo = sequence(
    integer(1),
    sequence(certificate.issuer, certificate.serialEncoded),
    sha256Identifier,
    retag(attributes, 0xa0),
    sequence(objectIdentifier(oids.ecdsaWithSha256)),
    octetString(signature),
    ...(unsigned.length > 0 ? [retag(setOf(unsigned), 0xa1)] : []),
  )
  const signedData = sequence(
    integer(input.contentType === oids.data ? 1 : 3),
    setOf([sha256Identifier]),
    sequence(
      objectIdentifier(input.contentType),
      ...(input.content === undefined ? [] : [contextConstructed(0, octetString(input.content))]),
    ),
    ...(input.certificates.length > 0 ? [retag(setOf(input.certificates), 0xa0)] : []),
    setOf([signerInfo]),
  )
  return sequence(objectIdentifier(oids.signedData), contextConstructed(0, signedData))
}

/** DER of an Attribute with one value. */
export const attribute = (type: string, value: Uint8Array): Uint8Array<ArrayBuffer> =>
  sequence(objectIdentifier(type), setOf([value]))

/** SHA-256 is the DEFAULT of hashAlgorithm, so DER leaves it out (RFC 5035 §4). */
function signingCertificateV2(encoded: Uint8Array, certificate: { issuer: Uint8Array; serialEncoded: Uint8Array }): Uint8Array {
  const hash = createHash('sha256').update(encoded).digest()
  const issuerSerial = sequence(sequence(contextConstructed(4, certificate.issuer)), certificate.serialEncoded)
  return sequence(sequence(sequence(octetString(hash), issuerSerial)))
}
