import { createHash, sign } from 'node:crypto'
import { DOMParser } from '@xmldom/xmldom'
import { C14nCanonicalization, ExclusiveCanonicalization, findAncestorNs } from 'xml-crypto'
import { authority, certificate, day, keyOf, revocationList, rsaKey } from './issue.ts'
import type { Issued } from './issue.ts'
import { stampOver } from './evidence-records.ts'

/** XAdES signatures as other products write them: made of text, canonicalised by another library, signed by Node. */
export const xadesRoot = authority('XAdES root', keyOf(41), 1)
export const xadesSigner = certificate({ name: 'XAdES signer', serial: 4711, key: keyOf(42), usage: [0, 1] }, xadesRoot)
export const xadesRsaSigner = (): Issued =>
  certificate({ name: 'XAdES RSA signer', serial: 4712, key: rsaKey(2048), usage: [1] }, xadesRoot)

const namespaces =
  'xmlns:ds="http://www.w3.org/2000/09/xmldsig#" xmlns:xades="http://uri.etsi.org/01903/v1.3.2#" xmlns:xades141="http://uri.etsi.org/01903/v1.4.1#"'
const c14n = {
  exclusive: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  inclusive: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
}
const digestUris = {
  sha1: 'http://www.w3.org/2000/09/xmldsig#sha1',
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
}
export const enveloped = '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>'
export const withoutSignatures =
  '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>not(ancestor-or-self::ds:Signature)</ds:XPath></ds:Transform>'
export const canonicalTransform = `<ds:Transform Algorithm="${c14n.exclusive}"/>`

export type WrittenReference = {
  readonly uri?: string
  readonly transforms?: string
  readonly type?: string
  /** What is hashed; absent for an element of the document, in its exclusive canonical form. */
  readonly bytes?: Uint8Array
}

export type XadesOptions = {
  readonly references: readonly WrittenReference[]
  /** The document around the signature. */
  readonly around?: (signature: string) => string
  /** More ds:Object elements. */
  readonly objects?: string
  readonly id?: string
  readonly signer?: Issued
  readonly form?: keyof typeof c14n
  readonly digest?: keyof typeof digestUris
  readonly keyInfo?: string
  /** In place of the usual signed properties; '' for plain XMLDSIG. */
  readonly properties?: string
  readonly moreProperties?: string
  readonly unsigned?: readonly Unsigned[]
  readonly alter?: (text: string) => string
}

/** A time stamp, made when it is its turn, or anything else. */
export type Unsigned =
  | {
      readonly stamp:
        | 'SignatureTimeStamp'
        | 'SigAndRefsTimeStamp'
        | 'RefsOnlyTimeStamp'
        | 'xades:ArchiveTimeStamp'
        | 'xades141:ArchiveTimeStamp'
      readonly at?: string
      readonly over?: Uint8Array
    }
  | string
  /** Of the signature's value. */
  | ((value: Uint8Array) => string)

const sha = (bytes: Uint8Array | string, name = 'sha256'): Buffer => createHash(name).update(bytes).digest()
export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
export const inContainer = (signature: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<asic:XAdESSignatures xmlns:asic="http://uri.etsi.org/02918/v1.2.1#" ${namespaces}>${signature}</asic:XAdESSignatures>`
export const digestElements = (bytes: Uint8Array, name: keyof typeof digestUris = 'sha256'): string =>
  `<ds:DigestMethod Algorithm="${digestUris[name]}"/><ds:DigestValue>${base64(sha(bytes, name))}</ds:DigestValue>`

/** Canonical form of the elements of a document that are named so, or have that identifier, by another library. */
function canonicalOf(text: string, wanted: string, form: keyof typeof c14n): string {
  const document = new DOMParser().parseFromString(text, 'text/xml')
  const found = [...document.getElementsByTagName('*')].filter((each) =>
    wanted.startsWith('#') ? each.getAttribute('Id') === wanted.slice(1) : each.tagName === wanted,
  )
  if (found.length === 0) throw new Error(`no ${wanted}`)
  return found
    .map((each) => {
      if (form === 'exclusive') return new ExclusiveCanonicalization().process(each, {})
      const path = `//*[@Id='${each.getAttribute('Id')}' or (not(@Id) and name()='${each.tagName}')]`
      return new C14nCanonicalization().process(each, { ancestorNamespaces: findAncestorNs(document, path) })
    })
    .join('')
}

export function writeXades(options: XadesOptions): Uint8Array {
  const { around = inContainer, objects = '', id = 'S0', signer = xadesSigner, form = 'exclusive', digest = 'sha256' } = options
  const { references, moreProperties = '', unsigned = [], keyInfo } = options
  const isRsa = signer.key.asymmetricKeyType === 'rsa'
  const properties =
    options.properties ??
    `<xades:SignedSignatureProperties><xades:SigningTime>2026-06-01T09:59:00Z</xades:SigningTime><xades:SigningCertificateV2><xades:Cert><xades:CertDigest>${digestElements(signer.der)}</xades:CertDigest></xades:Cert></xades:SigningCertificateV2>${moreProperties}</xades:SignedSignatureProperties>`
  const all: WrittenReference[] = [
    ...references,
    ...(properties === ''
      ? []
      : [{ uri: `#${id}-props`, type: 'http://uri.etsi.org/01903#SignedProperties', transforms: canonicalTransform }]),
  ]
  const values = all.map(({ bytes }) => (bytes === undefined ? '' : base64(sha(bytes, digest))))
  let value = ''
  let added = ''
  const write = (): string =>
    around(
      `<ds:Signature ${namespaces} Id="${id}"><ds:SignedInfo Id="${id}-info"><ds:CanonicalizationMethod Algorithm="${c14n[form]}"/><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#${isRsa ? 'rsa' : 'ecdsa'}-sha256"/>${all
        .map(
          ({ uri, type, transforms }, i) =>
            `<ds:Reference Id="${id}-ref${i}"${uri === undefined ? '' : ` URI="${uri}"`}${type === undefined ? '' : ` Type="${type}"`}>${transforms === undefined ? '' : `<ds:Transforms>${transforms}</ds:Transforms>`}<ds:DigestMethod Algorithm="${digestUris[digest]}"/><ds:DigestValue>${values[i]}</ds:DigestValue></ds:Reference>`,
        )
        .join('')}</ds:SignedInfo><ds:SignatureValue Id="${id}-value">${value}</ds:SignatureValue>${
        keyInfo ??
        `<ds:KeyInfo Id="${id}-key"><ds:X509Data><ds:X509Certificate>${base64(signer.der)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`
      }${objects}${
        properties === ''
          ? ''
          : `<ds:Object><xades:QualifyingProperties Target="#${id}"><xades:SignedProperties Id="${id}-props">${properties}</xades:SignedProperties>${added === '' ? '' : `<xades:UnsignedProperties><xades:UnsignedSignatureProperties>${added}</xades:UnsignedSignatureProperties></xades:UnsignedProperties>`}</xades:QualifyingProperties></ds:Object>`
      }</ds:Signature>`,
    )
  const octetsOf = ({ uri, bytes }: WrittenReference): Uint8Array | string =>
    bytes ?? canonicalOf(write(), uri ?? '', 'exclusive')
  for (const [i, each] of all.entries()) if (each.bytes === undefined) values[i] = base64(sha(octetsOf(each), digest))
  const info = Buffer.from(canonicalOf(write(), `#${id}-info`, form))
  value = base64(sign('sha256', info, isRsa ? signer.key : { key: signer.key, dsaEncoding: 'ieee-p1363' }))
  for (const [i, each] of unsigned.entries()) {
    if (typeof each === 'string' || typeof each === 'function') {
      added += typeof each === 'string' ? each : each(Buffer.from(value, 'base64'))
      continue
    }
    const part = (wanted: string): Buffer => Buffer.from(canonicalOf(write(), wanted, 'exclusive'))
    const before = unsigned.slice(0, i)
    const pieces: (Uint8Array | string)[] =
      each.stamp === 'SignatureTimeStamp'
        ? [part(`#${id}-value`)]
        : each.stamp === 'RefsOnlyTimeStamp'
          ? [part('#refs')]
          : each.stamp === 'SigAndRefsTimeStamp'
            ? [
                part(`#${id}-value`),
                ...(before.some((one) => typeof one === 'object') ? [part('xades:SignatureTimeStamp')] : []),
                part('#refs'),
              ]
            : [
                ...all.map(octetsOf),
                ...['info', 'value', 'key'].map((name) => part(`#${id}-${name}`)),
                ...before.map((_, k) => part(`#u${k}`)),
                ...(objects === '' || each.stamp === 'xades:ArchiveTimeStamp' ? [] : [part('#data')]),
              ]
    const over = sha(Buffer.concat(pieces.map((piece) => Buffer.from(piece))))
    const token = stampOver(each.over ?? over, { genTime: new Date(each.at ?? '2026-06-01T10:00:00Z') })
    const name = each.stamp.includes(':') ? each.stamp : `xades:${each.stamp}`
    added += `<${name} Id="u${i}"><ds:CanonicalizationMethod Algorithm="${c14n.exclusive}"/><xades:EncapsulatedTimeStamp>${base64(token)}</xades:EncapsulatedTimeStamp></${name}>`
  }
  const text = write()
  return Buffer.from(options.alter?.(text) ?? text)
}

/** Certificates and a list of its issuer, that says the signer was good. `u<number>` is its place among the unsigned ones. */
export const certificateValues = (place: number): string =>
  `<xades:CertificateValues Id="u${place}"><xades:EncapsulatedX509Certificate>${base64(xadesRoot.der)}</xades:EncapsulatedX509Certificate></xades:CertificateValues>`
export const revocationValues = (place: number, entries: Parameters<typeof revocationList>[1] = []): string =>
  `<xades:RevocationValues Id="u${place}"><xades:CRLValues><xades:EncapsulatedCRLValue>${base64(revocationList(xadesRoot, entries, day('2026-06-02')))}</xades:EncapsulatedCRLValue></xades:CRLValues></xades:RevocationValues>`
export const certificateRefs = `<xades:CompleteCertificateRefs Id="refs"><xades:CertRefs><xades:Cert><xades:CertDigest>${digestElements(xadesRoot.der)}</xades:CertDigest></xades:Cert></xades:CertRefs></xades:CompleteCertificateRefs>`
