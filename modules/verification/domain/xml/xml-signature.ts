import { concatBytes } from '../../../../kernel/bytes.ts'
import { digests } from '../hash/digests.ts'
import type { DigestName } from '../hash/digests.ts'
import type { SignatureScheme } from '../certificate/check-signature.ts'
import { fromBase64 } from '../certificate/x509.ts'
import type { CanonicalForm } from './canonicalise.ts'
import { attributeOf, childrenOf, onlyChild, textOf } from './read-xml.ts'
import type { XmlElement } from './read-xml.ts'

export const ds = 'http://www.w3.org/2000/09/xmldsig#'

/** RFC 6931 §2.1, XML Encryption §5.7. */
const digestNames: Readonly<Record<string, DigestName>> = {
  'http://www.w3.org/2000/09/xmldsig#sha1': 'sha1',
  'http://www.w3.org/2001/04/xmldsig-more#sha224': 'sha224',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha3-256': 'sha3-256',
  'http://www.w3.org/2007/05/xmldsig-more#sha3-384': 'sha3-384',
  'http://www.w3.org/2007/05/xmldsig-more#sha3-512': 'sha3-512',
}

export function digestOfUri(uri: string): DigestName | undefined {
  return Object.hasOwn(digestNames, uri) ? digestNames[uri] : undefined
}

/** `Algorithm` of an element. */
export const algorithmOf = (element: XmlElement | undefined): string =>
  element === undefined ? '' : (attributeOf(element, 'Algorithm') ?? '')

/** DigestMethod and DigestValue of whatever has both. @throws MalformedError */
export function statedDigest(parent: XmlElement): { uri: string; name: DigestName | undefined; value: Uint8Array } {
  const uri = algorithmOf(onlyChild(parent, ds, 'DigestMethod'))
  return { uri, name: digestOfUri(uri), value: base64Of(onlyChild(parent, ds, 'DigestValue')) }
}

/** RFC 6931 §2.3; the salt of PSS is as long as the digest there (§2.3.10). What is made with a shared secret proves nothing to others. */
export function schemeOfUri(uri: string): SignatureScheme | undefined {
  const [, plain, digest, masked] =
    /^http:\/\/www\.w3\.org\/20\d\d\/\d\d\/xmldsig(?:-more)?#(?:(rsa|ecdsa)-(sha[\d-]+)|(sha[\d-]+)-rsa-MGF1)$/.exec(uri) ?? []
  const name = Object.keys(digests).find((each) => each === (digest ?? masked)) as DigestName | undefined
  if (name === undefined) return undefined
  const kind = masked !== undefined ? 'pss' : plain === 'rsa' ? 'pkcs1' : 'ecdsa'
  return { kind, digest: name, salt: kind === 'pss' ? digests[name].outputLen : 0 }
}

/** The octets that a signature check takes. XML signatures of curves have `r` and `s` side by side (RFC 6931 §2.3.6). */
export function signatureOctets(scheme: SignatureScheme, value: Uint8Array): Uint8Array | undefined {
  return scheme.kind === 'ecdsa' ? derOf(value) : value
}

const forms: Readonly<Record<string, CanonicalForm>> = {
  'http://www.w3.org/TR/2001/REC-xml-c14n-20010315': { inclusive: true, comments: false },
  'http://www.w3.org/2006/12/xml-c14n11': { inclusive: true, comments: false, later: true },
  'http://www.w3.org/2001/10/xml-exc-c14n#': { inclusive: false, comments: false },
}
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** Of a CanonicalizationMethod or Transform; undefined for one that is none of the W3C's. */
export function formOf(method: XmlElement): CanonicalForm | undefined {
  // Canonical XML is named without `#`, and with comments by a fragment.
  const [uri = '', fragment = ''] = algorithmOf(method).split(/(?=WithComments$)/u)
  const form = forms[uri] ?? (fragment === '' ? undefined : forms[uri.slice(0, -1)])
  if (form === undefined) return undefined
  const [list] = childrenOf(method, exclusive, 'InclusiveNamespaces')
  const named = list === undefined ? '' : (attributeOf(list, 'PrefixList') ?? '')
  const prefixes = named.split(/[\t\n ]+/).flatMap((each) => (each === '' ? [] : [each === '#default' ? '' : each]))
  return { ...form, comments: fragment !== '', prefixes }
}

/** XML wraps its lines. @throws MalformedError */
export function base64Of(element: XmlElement): Uint8Array {
  return fromBase64(textOf(element).replaceAll(/[\t\n\r ]/g, ''))
}

/** X.509 has a SEQUENCE of both integers. */
function derOf(raw: Uint8Array): Uint8Array | undefined {
  if (raw.length === 0 || raw.length % 2 !== 0 || raw.length > 132) return undefined
  const integers = [raw.subarray(0, raw.length / 2), raw.subarray(raw.length / 2)].map((octets) => {
    let from = 0
    while (from < octets.length - 1 && octets[from] === 0) from += 1
    const digits = octets.subarray(from)
    const value = (digits[0] ?? 0) >= 0x80 ? concatBytes(Uint8Array.of(0), digits) : digits
    return concatBytes(Uint8Array.of(0x02, value.length), value)
  })
  const content = concatBytes(...integers)
  return content.length < 0x80
    ? concatBytes(Uint8Array.of(0x30, content.length), content)
    : concatBytes(Uint8Array.of(0x30, 0x81, content.length), content)
}
