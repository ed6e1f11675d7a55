import { createHash, X509Certificate } from 'node:crypto'
import { children, expectTag, integerHexOf, objectIdentifierOf, readDer } from '../encoding/read-der.ts'
import type { Element } from '../encoding/read-der.ts'
import { oids } from '../encoding/object-identifiers.ts'

export type CertificateFacts = {
  /** DER. */
  readonly encoded: Uint8Array
  readonly x509: X509Certificate
  /** DER of the issuer's Name. */
  readonly issuer: Uint8Array
  /** DER of the subject's Name. */
  readonly subject: Uint8Array
  /** Lower-case hexadecimal without leading zeros. */
  readonly serial: string
  /** DER of the serial number. */
  readonly serialEncoded: Uint8Array
  readonly notBefore: Date
  readonly notAfter: Date
  /** Common name, else organisation, else empty. */
  readonly name: string
  readonly sha256: string
  /** Identifiers in the extended key usage, when there is one. */
  readonly extendedKeyUsage: { readonly critical: boolean; readonly purposes: readonly string[] } | undefined
  readonly isAuthority: boolean
}

/** @throws DerError, or the error of node:crypto, on anything that is not one certificate. */
export function readCertificate(encoded: Uint8Array): CertificateFacts {
  const x509 = new X509Certificate(encoded)
  const [tbs] = children(readDer(encoded, 0x30))
  const fields = children(expectTag(tbs, 0x30))
  if (fields[0]?.tag !== 0xa0) fields.unshift({ tag: 0xa0, contents: new Uint8Array(), encoded: new Uint8Array() })
  const [, serial, , issuer, , subject] = fields
  return {
    encoded,
    x509,
    issuer: expectTag(issuer, 0x30).encoded,
    subject: expectTag(subject, 0x30).encoded,
    serial: integerHexOf(serial),
    serialEncoded: expectTag(serial, 0x02).encoded,
    notBefore: x509.validFromDate,
    notAfter: x509.validToDate,
    name: attributeOf(subject, oids.commonName) ?? attributeOf(subject, oids.organization) ?? '',
    sha256: createHash('sha256').update(encoded).digest('hex'),
    extendedKeyUsage: extendedKeyUsageOf(fields),
    isAuthority: x509.ca,
  }
}

function attributeOf(name: Element | undefined, type: string): string | undefined {
  for (const relative of children(expectTag(name, 0x30)).toReversed()) {
    for (const attribute of children(expectTag(relative, 0x31))) {
      const [id, value] = children(expectTag(attribute, 0x30))
      if (objectIdentifierOf(id) === type && value !== undefined) return new TextDecoder().decode(value.contents)
    }
  }
  return undefined
}

function extendedKeyUsageOf(fields: readonly Element[]): CertificateFacts['extendedKeyUsage'] {
  const wrapper = fields.find((field) => field.tag === 0xa3)
  if (wrapper === undefined) return undefined
  for (const extension of children(readDer(wrapper.contents, 0x30))) {
    const [id, ...rest] = children(expectTag(extension, 0x30))
    if (objectIdentifierOf(id) !== oids.extendedKeyUsage) continue
    const value = readDer(expectTag(rest.at(-1), 0x04).contents, 0x30)
    return { critical: rest[0]?.tag === 0x01 && rest[0].contents[0] === 0xff, purposes: children(value).map(objectIdentifierOf) }
  }
  return undefined
}

/** PEM (RFC 7468) of certificates, in the order given. */
export function pemOf(certificates: readonly Uint8Array[]): string {
  return certificates.map((der) => new X509Certificate(der).toString()).join('')
}
