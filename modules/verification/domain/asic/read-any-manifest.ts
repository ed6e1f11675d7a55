import { equalBytes } from '../../../../kernel/bytes.ts'
import type { DigestName } from '../hash/digests.ts'
import { malformed } from '../encoding/der.ts'
import { attributeOf, elementsOf, readXml } from '../xml/read-xml.ts'
import type { XmlElement } from '../xml/read-xml.ts'
import { algorithmOf, base64Of, digestOfUri } from '../xml/xml-signature.ts'

export type AnyReference = {
  readonly path: string
  /** Undefined for an algorithm that is not known here. */
  readonly algorithm: DigestName | undefined
  readonly digest: Uint8Array
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
  return {
    path: pathOf(element),
    algorithm: digestOfUri(algorithmOf(method)),
    digest: base64Of(value),
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
