import { createHash } from 'node:crypto'
import { oids } from '../encoding/object-identifiers.ts'
import type { CertificateFacts } from './read-certificate.ts'
import { children, expectTag, readDer } from '../encoding/read-der.ts'
import {
  bitString,
  contextConstructed,
  contextPrimitive,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  time,
} from '../encoding/write-der.ts'

const authorityKeyIdentifier = '2.5.29.35'
const crlNumber = '2.5.29.20'
const validYears = 1
/** Room for machines whose clocks differ a little. */
const backdateMs = 5 * 60_000

export type RevokedCertificate = { readonly serialEncoded: Uint8Array; readonly at: Date }

/**
 * A certificate revocation list of one of the platform's own authorities (RFC 5280 §5): what whoever checks a seal years later needs
 * to know that its key had not been withdrawn. Complete, valid for a year. Its number is the instant in milliseconds, so that it
 * grows without anything to keep. Answers its DER.
 */
export function issueRevocationList(
  issuer: { readonly certificate: CertificateFacts; sign(data: Uint8Array): Uint8Array },
  at: Date,
  revoked: readonly RevokedCertificate[] = [],
): Uint8Array<ArrayBuffer> {
  const algorithm = sequence(objectIdentifier(oids.ecdsaWithSha256))
  const until = new Date(at)
  until.setUTCFullYear(until.getUTCFullYear() + validYears)
  const tbs = sequence(
    integer(1),
    algorithm,
    issuer.certificate.subject,
    time(new Date(at.getTime() - backdateMs)),
    time(until),
    ...(revoked.length > 0 ? [sequence(...revoked.map((each) => sequence(each.serialEncoded, time(each.at))))] : []),
    contextConstructed(
      0,
      sequence(
        sequence(
          objectIdentifier(authorityKeyIdentifier),
          octetString(sequence(contextPrimitive(0, keyIdentifier(issuer.certificate)))),
        ),
        sequence(objectIdentifier(crlNumber), octetString(integer(at.getTime()))),
      ),
    ),
  )
  return sequence(tbs, algorithm, bitString(issuer.sign(tbs)))
}

/** As the authority's certificate has it: RFC 7093 §2, method 1. */
function keyIdentifier({ x509 }: CertificateFacts): Uint8Array {
  const [, key] = children(readDer(new Uint8Array(x509.publicKey.export({ type: 'spki', format: 'der' })), 0x30))
  return createHash('sha256').update(expectTag(key, 0x03).contents.subarray(1)).digest().subarray(0, 20)
}
