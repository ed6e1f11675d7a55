import { equalBytes } from '../../../../kernel/bytes.ts'
import { digests } from '../hash/digests.ts'
import type { DigestName } from '../hash/digests.ts'
import { isWeak, signatureHolds } from '../certificate/check-signature.ts'
import { malformed } from '../encoding/der.ts'
import { readCertificate } from '../certificate/x509.ts'
import type { Certificate } from '../certificate/x509.ts'
import { canonical, exclusiveForm, inclusiveForm } from '../xml/canonicalise.ts'
import type { CanonicalForm } from '../xml/canonicalise.ts'
import { attributeOf, childrenOf, elementsOf, onlyChild, textOf } from '../xml/read-xml.ts'
import type { XmlElement } from '../xml/read-xml.ts'
import { algorithmOf, base64Of, ds, schemeOfUri, signatureOctets, statedDigest } from '../xml/xml-signature.ts'

export const signatureFlaws = [
  'no_signature',
  'two_signatures',
  'references',
  'transforms',
  'algorithm',
  'digest',
  'signing_certificate',
  'signature_value',
  'weak_algorithm',
] as const
export type SignatureFlaw = (typeof signatureFlaws)[number]

export type ListSignature = { readonly signer: Certificate; readonly signedAt: string | null }

const xades = 'http://uri.etsi.org/01903/v1.3.2#'
const signedPropertiesType = 'http://uri.etsi.org/01903#SignedProperties'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** XMLDSIG §4.4.3.2: a reference without transforms is to Canonical XML 1.0. */
const propertyForms: Readonly<Record<string, CanonicalForm>> = {
  [exclusive]: exclusiveForm,
  '': inclusiveForm,
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315': inclusiveForm,
}

/** SHA-1 is nobody's any more (ETSI TS 119 312). */
const strong: readonly (DigestName | undefined)[] = ['sha256', 'sha384', 'sha512']

/**
 * Checks the one signature of a list (TS 119 612 §5.7: XAdES baseline B, enveloped): one in the whole document, a child of its
 * root, over the whole document but itself and over its own properties, which name the certificate. Whether that certificate may
 * sign is for the caller. Nothing but what such a signature needs is accepted, so that no other reading of it exists.
 * @throws MalformedError
 */
export function verifyListSignature(root: XmlElement): ListSignature | SignatureFlaw {
  const signatures = [...elementsOf(root)].filter(({ namespace, local }) => namespace === ds && local === 'Signature')
  const [signature] = signatures
  if (signature === undefined) return 'no_signature'
  if (signatures.length > 1) return 'two_signatures'
  if (signature.parent !== root) return 'references'
  const info = onlyChild(signature, ds, 'SignedInfo')
  const properties = signedProperties(signature)
  const ids = new Map<string, number>()
  for (const each of elementsOf(root)) {
    const id = attributeOf(each, 'Id')
    if (id !== undefined) ids.set(id, (ids.get(id) ?? 0) + 1)
  }
  const isOnly = (element: XmlElement, uri: string) => {
    const id = attributeOf(element, 'Id')
    return id !== undefined && uri === `#${id}` && ids.get(id) === 1
  }

  if (attributeOf(onlyChild(info, ds, 'CanonicalizationMethod'), 'Algorithm') !== exclusive) return 'transforms'
  const scheme = schemeOfUri(algorithmOf(onlyChild(info, ds, 'SignatureMethod')))
  if (scheme === undefined || !strong.includes(scheme.digest)) return 'algorithm'

  const references = childrenOf(info, ds, 'Reference')
  const ofProperties = references.filter((each) => attributeOf(each, 'Type') === signedPropertiesType)
  const ofDocument = references.filter((each) => attributeOf(each, 'Type') === undefined)
  const [first] = ofDocument
  const [second] = ofProperties
  if (first === undefined || second === undefined || references.length !== 2) return 'references'
  const target = attributeOf(first, 'URI')
  if (target === undefined || (target !== '' && !isOnly(root, target))) return 'references'
  if (!isOnly(properties, attributeOf(second, 'URI') ?? '')) return 'references'
  const form = propertyForms[transformsOf(second)]
  if (transformsOf(first) !== `${enveloped} ${exclusive}` || form === undefined) return 'transforms'
  for (const [reference, bytes] of [
    [first, canonical(root, exclusiveForm, (each) => each === signature)],
    [second, canonical(properties, form)],
  ] as const) {
    const found = matches(reference, bytes)
    if (found !== true) return found
  }

  const signer = signingCertificate(signature, properties)
  if (signer === undefined) return 'signing_certificate'
  const value = signatureOctets(scheme, base64Of(onlyChild(signature, ds, 'SignatureValue')))
  if (value === undefined || !signatureHolds(signer.key, scheme, canonical(info), value)) return 'signature_value'
  if (isWeak(signer.key, scheme)) return 'weak_algorithm'
  const [time] = childrenOf(onlyChild(properties, xades, 'SignedSignatureProperties'), xades, 'SigningTime')
  const signedAt = Date.parse(textOf(time))
  return { signer, signedAt: Number.isNaN(signedAt) ? null : new Date(signedAt).toISOString() }
}

/** In the signature itself, and aimed at it: anything of that name elsewhere is not what the schema means. */
function signedProperties(signature: XmlElement): XmlElement {
  const objects = childrenOf(signature, ds, 'Object').flatMap((each) => childrenOf(each, xades, 'QualifyingProperties'))
  const [qualifying, second] = objects
  if (qualifying === undefined || second !== undefined) malformed('not one QualifyingProperties')
  return onlyChild(qualifying, xades, 'SignedProperties')
}

/** Algorithms in order; something inside a transform (prefixes, a path) makes it one that is not known. */
function transformsOf(reference: XmlElement): string {
  const [transforms] = childrenOf(reference, ds, 'Transforms')
  return childrenOf(transforms, ds, 'Transform')
    .map((each) =>
      each.children.some((child) => typeof child !== 'string') ? 'parameters' : (attributeOf(each, 'Algorithm') ?? ''),
    )
    .join(' ')
}

function matches(reference: XmlElement, bytes: Uint8Array): true | SignatureFlaw {
  const stated = digestOf(reference)
  if (stated === undefined) return 'algorithm'
  return equalBytes(digests[stated.name](bytes), stated.value) ? true : 'digest'
}

function digestOf(parent: XmlElement): { name: DigestName; value: Uint8Array } | undefined {
  const { name, value } = statedDigest(parent)
  return name === undefined || !strong.includes(name) ? undefined : { name, value }
}

/** The enclosed certificate that the signed properties name by its digest (EN 319 132-1 §5.2.2). */
function signingCertificate(signature: XmlElement, properties: XmlElement): Certificate | undefined {
  const signed = onlyChild(properties, xades, 'SignedSignatureProperties')
  const named = ['SigningCertificate', 'SigningCertificateV2'].flatMap((name) => childrenOf(signed, xades, name))
  const [first] = named.flatMap((each) => childrenOf(each, xades, 'Cert'))
  const stated = first === undefined ? undefined : digestOf(onlyChild(first, xades, 'CertDigest'))
  if (stated === undefined || named.length !== 1) return undefined
  const enclosed = childrenOf(signature, ds, 'KeyInfo')
    .flatMap((each) => childrenOf(each, ds, 'X509Data'))
    .flatMap((each) => childrenOf(each, ds, 'X509Certificate'))
  for (const each of enclosed.slice(0, 16)) {
    const encoded = base64Of(each)
    if (equalBytes(digests[stated.name](encoded), stated.value)) return readCertificate(encoded)
  }
  return undefined
}
