import { equalBytes } from '../../../../kernel/bytes.ts'
import { isDigestName } from '../algorithms.ts'
import type { DigestName } from '../algorithms.ts'
import { malformed } from '../der.ts'
import { fromBase64 } from '../x509.ts'
import { attributeOf, elementsOf, readXml, textOf } from '../xml/read-xml.ts'
import type { XmlElement } from '../xml/read-xml.ts'

export type AnyReference = {
  readonly path: string
  /** Undefined for an algorithm that is not known here. */
  readonly algorithm: DigestName | undefined
  readonly digest: Uint8Array
}

const algorithms: Readonly<Record<string, DigestName>> = {
  'http://www.w3.org/2000/09/xmldsig#sha1': 'sha1',
  'http://www.w3.org/2001/04/xmldsig-more#sha224': 'sha224',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512': 'sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha3-256': 'sha3-256',
  'http://www.w3.org/2007/05/xmldsig-more#sha3-384': 'sha3-384',
  'http://www.w3.org/2007/05/xmldsig-more#sha3-512': 'sha3-512',
}

/** An ASiCManifest by anybody (EN 319 162-1 §A.4): which file signs it, and the digest of each that it names. @throws MalformedError */
export function readAnyManifest(bytes: Uint8Array): { readonly signature: string; readonly references: readonly AnyReference[] } {
  const root = readXml(bytes, { instructions: true, asciiAsDeclared: true })
  if (root.local !== 'ASiCManifest') malformed('not an ASiC manifest')
  const children = root.children.filter((each) => typeof each !== 'string')
  const named = (name: string): XmlElement[] => children.filter(({ local }) => local === name)
  const [signature, second] = named('SigReference')
  if (signature === undefined || second !== undefined) malformed('one signature belongs')
  const references = named('DataObjectReference').map(readReference)
  const digests = new Map<string, Uint8Array>()
  for (const { path, digest } of references) {
    if (!equalBytes(digests.get(path) ?? digest, digest)) malformed('one file with two digests')
    digests.set(path, digest)
  }
  return { signature: pathOf(signature), references }
}

function readReference(element: XmlElement): AnyReference {
  const within = [...elementsOf(element)]
  const method = within.find(({ local }) => local === 'DigestMethod')
  const value = within.find(({ local }) => local === 'DigestValue')
  if (method === undefined || value === undefined) malformed('a reference without digest')
  const named = algorithms[attributeOf(method, 'Algorithm') ?? '']
  return {
    path: pathOf(element),
    algorithm: named !== undefined && isDigestName(named) ? named : undefined,
    digest: fromBase64(textOf(value).replaceAll(/\s/g, '')),
  }
}

/** A relative address (RFC 3986), from the root of the container. */
function pathOf(element: XmlElement): string {
  const address = attributeOf(element, 'URI') ?? malformed('a reference without address')
  try {
    return decodeURIComponent(address.replace(/^\.?\//, ''))
  } catch {
    return address
  }
}
