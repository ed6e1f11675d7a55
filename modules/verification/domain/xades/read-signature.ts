import { childrenOf, onlyChild } from '../xml/read-xml.ts'
import type { XmlElement } from '../xml/read-xml.ts'
import { MalformedError } from '../encoding/der.ts'
import { readCertificate } from '../certificate/x509.ts'
import type { Certificate } from '../certificate/x509.ts'
import { base64Of, ds } from '../xml/xml-signature.ts'

export const xades = 'http://uri.etsi.org/01903/v1.3.2#'
export const xades141 = 'http://uri.etsi.org/01903/v1.4.1#'

/** The parts of a ds:Signature with the properties of XAdES (EN 319 132-1 §4.3), as far as they are there. */
export type XmlSignature = {
  readonly element: XmlElement
  readonly info: XmlElement
  readonly value: XmlElement
  readonly keyInfo: XmlElement | undefined
  readonly objects: readonly XmlElement[]
  readonly qualifying: XmlElement | undefined
  /** The signed ones as a whole, and each of them. */
  readonly properties: XmlElement | undefined
  readonly signed: readonly XmlElement[]
  readonly unsigned: readonly XmlElement[]
  /** Properties of a version that is not known here, or several sets of them. */
  readonly otherProperties: boolean
}

const mostProperties = 256

/** @throws MalformedError */
export function readSignature(element: XmlElement): XmlSignature {
  const objects = childrenOf(element, ds, 'Object')
  const all = objects.flatMap(({ children }) => children.filter((each) => typeof each !== 'string' && isQualifying(each)))
  const qualifying = all.find((each): each is XmlElement => typeof each !== 'string' && each.namespace === xades)
  const [properties] = childrenOf(qualifying, xades, 'SignedProperties')
  const unsigned = childrenOf(qualifying, xades, 'UnsignedProperties')
  const elements = (parents: readonly XmlElement[]): XmlElement[] =>
    parents
      .flatMap(({ children }) => children)
      .filter((each) => typeof each !== 'string')
      .slice(0, mostProperties)
  const sections = (names: readonly string[], parents: readonly XmlElement[]): XmlElement[] =>
    elements(parents.flatMap((each) => names.flatMap((name) => childrenOf(each, xades, name))))
  return {
    element,
    info: onlyChild(element, ds, 'SignedInfo'),
    value: onlyChild(element, ds, 'SignatureValue'),
    keyInfo: childrenOf(element, ds, 'KeyInfo')[0],
    objects,
    qualifying,
    properties,
    signed: sections(['SignedSignatureProperties', 'SignedDataObjectProperties'], properties === undefined ? [] : [properties]),
    unsigned: sections(['UnsignedSignatureProperties', 'UnsignedDataObjectProperties'], unsigned),
    otherProperties: all.length !== (qualifying === undefined ? 0 : 1) || unsigned.length > 1,
  }
}

const isQualifying = ({ namespace, local }: XmlElement): boolean =>
  namespace.startsWith('http://uri.etsi.org/01903/') && local === 'QualifyingProperties'

export const isNamed = (element: XmlElement, namespace: string, ...locals: readonly string[]): boolean =>
  element.namespace === namespace && locals.includes(element.local)

const mostCertificates = 64

/** X.509 certificates in ds:KeyInfo, in their order. */
export function keyCertificates({ keyInfo }: XmlSignature): readonly XmlElement[] {
  return childrenOf(keyInfo, ds, 'X509Data').flatMap((each) => childrenOf(each, ds, 'X509Certificate'))
}

/** Everything of a name below, in base64: certificates, lists, answers. Those that cannot be read are left out. */
export function encapsulated(parent: XmlElement, local: string): Uint8Array[] {
  const found: Uint8Array[] = []
  for (const each of parent.children) {
    if (typeof each === 'string' || found.length >= mostCertificates) continue
    if (isNamed(each, xades, local)) found.push(...readable(() => base64Of(each)))
    else found.push(...encapsulated(each, local))
  }
  return found
}

/** Certificates of elements that hold one each. */
export function certificatesIn(encoded: readonly Uint8Array[]): Certificate[] {
  return encoded.slice(0, mostCertificates).flatMap((each) => readable(() => readCertificate(each, 'lenient')))
}

export function readable<T>(read: () => T): T[] {
  try {
    return [read()]
  } catch (error) {
    if (error instanceof MalformedError) return []
    throw error
  }
}
