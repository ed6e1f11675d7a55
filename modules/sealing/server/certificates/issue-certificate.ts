import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { children, expectTag, readDer } from '../encoding/read-der.ts'
import { oids } from '../encoding/object-identifiers.ts'
import {
  bitString,
  booleanTrue,
  contextConstructed,
  contextPrimitive,
  integer,
  namedBits,
  objectIdentifier,
  octetString,
  sequence,
  setOf,
  time,
  utf8String,
} from '../encoding/write-der.ts'

export type CertificateUse = 'authority' | 'signature' | 'timestamping'

type CertificateRequest = {
  /** Common name of the subject. */
  readonly commonName: string
  readonly organization: string
  readonly use: CertificateUse
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Uint8Array
  readonly notBefore: Date
  readonly notAfter: Date
}

type Issuer = {
  /** Absent: the certificate is self-signed. */
  readonly certificate?: Uint8Array
  /** ECDSA P-256 with SHA-256 over the bytes; DER of ECDSA-Sig-Value. */
  sign(data: Uint8Array): Uint8Array
}

/** RFC 5280 §4.2.1.3: bit numbers of KeyUsage. */
const keyUsageBits: Readonly<Record<CertificateUse, readonly number[]>> = {
  authority: [5, 6], // keyCertSign, cRLSign
  signature: [0, 1], // digitalSignature, nonRepudiation
  timestamping: [0, 1],
}

/** Issues an X.509 v3 certificate of the profile of RFC 5280, with a random serial number. Answers its DER. */
export function issueCertificate(request: CertificateRequest, issuer: Issuer): Uint8Array<ArrayBuffer> {
  const algorithm = sequence(objectIdentifier(oids.ecdsaWithSha256))
  const subject = distinguishedName(request)
  const subjectKeyId = keyIdentifier(request.publicKey)
  const issuing = issuer.certificate === undefined ? undefined : new X509Certificate(issuer.certificate)
  const tbs = sequence(
    contextConstructed(0, integer(2)),
    integer(randomSerial()),
    algorithm,
    issuer.certificate === undefined ? subject : subjectNameOf(issuer.certificate),
    sequence(time(request.notBefore), time(request.notAfter)),
    subject,
    request.publicKey,
    contextConstructed(
      3,
      sequence(
        extension(oids.basicConstraints, true, basicConstraints(request.use, issuing === undefined)),
        extension(oids.keyUsage, true, namedBits(keyUsageBits[request.use])),
        // RFC 3161 §2.3: this purpose only, and critical.
        ...(request.use === 'timestamping'
          ? [extension(oids.extendedKeyUsage, true, sequence(objectIdentifier(oids.timeStamping)))]
          : []),
        extension(oids.subjectKeyIdentifier, false, octetString(subjectKeyId)),
        extension(
          oids.authorityKeyIdentifier,
          false,
          sequence(
            contextPrimitive(
              0,
              issuing === undefined ? subjectKeyId : keyIdentifier(issuing.publicKey.export({ type: 'spki', format: 'der' })),
            ),
          ),
        ),
      ),
    ),
  )
  return sequence(tbs, algorithm, bitString(issuer.sign(tbs)))
}

/**
 * 159 random bits, positive and never zero (RFC 5280 §4.1.2.2 allows 20 octets): unique across restarts and processes without
 * anything to count or to lock.
 */
export function randomSerial(): Uint8Array {
  const octets = randomBytes(20)
  octets[0] = ((octets[0] ?? 0) & 0x3f) | 0x40
  return octets
}

function distinguishedName(request: CertificateRequest): Uint8Array {
  const attribute = (type: string, value: string) => setOf([sequence(objectIdentifier(type), utf8String(value))])
  return sequence(attribute(oids.organization, request.organization), attribute(oids.commonName, request.commonName))
}

function basicConstraints(use: CertificateUse, isRoot: boolean): Uint8Array {
  if (use !== 'authority') return sequence()
  return isRoot ? sequence(booleanTrue(), integer(0)) : sequence(booleanTrue())
}

function extension(id: string, critical: boolean, value: Uint8Array): Uint8Array {
  return sequence(objectIdentifier(id), ...(critical ? [booleanTrue()] : []), octetString(value))
}

/** RFC 7093 §2 method 1: the leftmost 160 bits of SHA-256 over the BIT STRING's contents. */
function keyIdentifier(publicKey: Uint8Array): Uint8Array {
  const [, key] = children(readDer(publicKey, 0x30))
  return createHash('sha256').update(expectTag(key, 0x03).contents.subarray(1)).digest().subarray(0, 20)
}

/** The issuer field must equal the issuing certificate's subject octet for octet, so it is copied and not written again. */
function subjectNameOf(certificate: Uint8Array): Uint8Array {
  const [tbs] = children(readDer(certificate, 0x30))
  return expectTag(children(expectTag(tbs, 0x30))[5], 0x30).encoded
}
