import type { DigestName } from '../hash/digests.ts'
import { digests } from '../hash/digests.ts'
import { malformed, MalformedError } from '../encoding/der.ts'
import { fromBase64 } from '../certificate/x509.ts'
import { canonical, inclusiveForm } from './canonicalise.ts'
import type { CanonicalForm } from './canonicalise.ts'
import { attributeOf, childrenOf, elementsOf, readXmlDocument, xmlNamespace } from './read-xml.ts'
import type { XmlDocument, XmlElement } from './read-xml.ts'
import { algorithmOf, ds, formOf, statedDigest } from './xml-signature.ts'

/** What a reference leads to that is not in the document itself. */
export type Outside = {
  readonly name: string
  /** @param stated which of several things is meant, when nothing else says it. Undefined when it is not at hand. */
  readonly digest: (name: DigestName, stated: Uint8Array) => Promise<Uint8Array | undefined>
  /** Its octets; undefined when they are not at hand, or too many. */
  readonly read: () => Promise<Uint8Array | undefined>
}

/** A document with signatures in it, and what may still be done with it. */
export type SignedXml = {
  readonly document: XmlDocument
  /** Null for an identifier that two elements have. */
  readonly ids: ReadonlyMap<string, XmlElement | null>
  /** @param uri undefined where the reference states none */
  readonly outside: (uri: string | undefined) => Outside | undefined
  /** Octets that may still be canonicalised. */
  left: number
}

const mostCanonical = 256 << 20

/** @throws MalformedError */
export function readSignedXml(bytes: Uint8Array, outside: SignedXml['outside']): SignedXml {
  const document = readXmlDocument(bytes, { instructions: true, asciiAsDeclared: true })
  const ids = new Map<string, XmlElement | null>()
  for (const element of elementsOf(document.root)) {
    const own = new Set<string>()
    for (const { namespace, local, value } of element.attributes)
      if (namespace === '' ? /^id$/i.test(local) : namespace === xmlNamespace && local === 'id') own.add(value)
    for (const id of own) ids.set(id, ids.has(id) ? null : element)
  }
  return { document, ids, outside, left: mostCanonical }
}

export function canonicalWithin(signed: SignedXml, ...given: Parameters<typeof canonical>): Uint8Array {
  const bytes = canonical(...given)
  signed.left -= bytes.length
  return signed.left < 0 ? malformed('more than any genuine signature is over') : bytes
}

type Nodes = {
  readonly kind: 'nodes'
  readonly node: XmlElement | XmlDocument
  readonly comments: boolean
  readonly without: (element: XmlElement) => boolean
}
/** Of XMLDSIG §4.4.3.2: a node set, octets, or octets that are elsewhere. */
type Data =
  | Nodes
  | { readonly kind: 'octets'; readonly octets: Uint8Array }
  | { readonly kind: 'outside'; readonly outside: Outside }

export type ReferenceFlaw = { readonly status: 'failed' | 'indeterminate'; readonly reason: string; readonly name?: string }

export type Reference = {
  readonly element: XmlElement
  readonly uri: string | undefined
  readonly type: string
  readonly stated: ReturnType<typeof statedDigest>
  /** What it leads to before any transform: an element, the document, or something outside. */
  readonly target: XmlElement | XmlDocument | Outside | undefined
  /** Elements in the target that it is not over. */
  readonly without: (element: XmlElement) => boolean
  readonly isTransformed: boolean
  readonly flaw: ReferenceFlaw | undefined
  readonly digest: (name: DigestName) => Promise<Uint8Array | undefined>
  /** What is hashed; @param form how a node set is written that no transform wrote. */
  readonly octets: (form?: CanonicalForm) => Promise<Uint8Array | undefined>
}

const mostTransforms = 8

/**
 * A ds:Reference, followed and transformed (XMLDSIG §4.4.3). Only transforms that take away the signature itself, write XML in
 * canonical form or read base64 are done; any other could make one thing of another. @throws MalformedError
 */
export async function dereference(element: XmlElement, signed: SignedXml): Promise<Reference> {
  const uri = attributeOf(element, 'URI')
  const transforms = childrenOf(childrenOf(element, ds, 'Transforms')[0], ds, 'Transform')
  const found = follow(uri, signed)
  let data: Data | ReferenceFlaw = found
  if (transforms.length > mostTransforms) malformed('too many transforms')
  for (const transform of transforms) if (!('reason' in data)) data = await transformed(data, transform, signed)
  const base = {
    element,
    uri,
    type: attributeOf(element, 'Type') ?? '',
    stated: statedDigest(element),
    target:
      'reason' in found ? undefined : found.kind === 'nodes' ? found.node : found.kind === 'outside' ? found.outside : undefined,
    without: withoutOf(transforms),
    isTransformed: transforms.length > 0,
  }
  if ('reason' in data) return { ...base, flaw: data, digest: async () => undefined, octets: async () => undefined }
  const result = data
  const octets: Reference['octets'] = async (form = inclusiveForm) => {
    if (result.kind === 'octets') return result.octets
    if (result.kind === 'outside') return await result.outside.read()
    return canonicalWithin(signed, result.node, { ...form, comments: form.comments && result.comments }, result.without)
  }
  const digest: Reference['digest'] = async (name) => {
    if (result.kind === 'outside') return await result.outside.digest(name, base.stated.value)
    const bytes = await octets()
    return bytes === undefined ? undefined : digests[name](bytes)
  }
  return { ...base, flaw: undefined, octets, digest }
}

const nothing = (): boolean => false
const isSignature = ({ namespace, local }: XmlElement): boolean => namespace === ds && local === 'Signature'

function follow(uri: string | undefined, signed: SignedXml): Data | ReferenceFlaw {
  const nodes = (node: XmlElement | XmlDocument, comments: boolean): Data => ({ kind: 'nodes', node, comments, without: nothing })
  if (uri === '') return nodes(signed.document, false)
  if (uri === '#xpointer(/)') return nodes(signed.document, true)
  if (uri?.startsWith('#') === true) {
    const [, pointed] = /^#xpointer\(id\((?:'([^']*)'|"[^"]*")\)\)$/.exec(uri.replaceAll('"', "'")) ?? []
    const id = pointed ?? uri.slice(1)
    if (/[()]/.test(id)) return { status: 'indeterminate', reason: 'unknown_pointer', name: uri }
    const element = signed.ids.get(id)
    if (element === null) return { status: 'failed', reason: 'ambiguous_id', name: id }
    return element === undefined ? { status: 'failed', reason: 'missing' } : nodes(element, pointed !== undefined)
  }
  const outside = signed.outside(uri)
  return outside === undefined ? { status: 'failed', reason: 'missing' } : { kind: 'outside', outside }
}

const named = {
  enveloped: 'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  base64: 'http://www.w3.org/2000/09/xmldsig#base64',
  xpath: 'http://www.w3.org/TR/1999/REC-xpath-19991116',
  filter: 'http://www.w3.org/2002/06/xmldsig-filter2',
}

async function transformed(data: Data, transform: XmlElement, signed: SignedXml): Promise<Data | ReferenceFlaw> {
  const uri = algorithmOf(transform)
  const away = takenAway(transform)
  const form = formOf(transform)
  if (away !== undefined) {
    const nodes = await nodesOf(data)
    if ('reason' in nodes) return nodes
    return { ...nodes, without: (element) => nodes.without(element) || away(element) }
  }
  if (form !== undefined) {
    const nodes = await nodesOf(data)
    if ('reason' in nodes) return nodes
    const hasBase = form.later === true && !('root' in nodes.node) && basesAbove(nodes.node)
    if (hasBase) return { status: 'indeterminate', reason: 'unknown_transform', name: 'xml:base' }
    const kept = { ...form, comments: form.comments && nodes.comments }
    return { kind: 'octets', octets: canonicalWithin(signed, nodes.node, kept, nodes.without) }
  }
  if (uri !== named.base64) return { status: 'indeterminate', reason: 'unknown_transform', name: uri.slice(0, 200) }
  const octets = data.kind === 'outside' ? await data.outside.read() : data.kind === 'octets' ? data.octets : undefined
  if (data.kind === 'outside' && octets === undefined) return absent
  const text =
    data.kind === 'nodes' ? textWithin('root' in data.node ? data.node.root : data.node) : new TextDecoder().decode(octets)
  return { kind: 'octets', octets: fromBase64(text.replaceAll(/[\t\n\r ]/g, '')) }
}

const absent: ReferenceFlaw = { status: 'indeterminate', reason: 'content_absent' }

/** Octets are read as XML where a transform asks for nodes (XMLDSIG §4.4.3.2). */
async function nodesOf(data: Data): Promise<Nodes | ReferenceFlaw> {
  if (data.kind === 'nodes') return data
  const octets = data.kind === 'octets' ? data.octets : await data.outside.read()
  if (octets === undefined) return absent
  try {
    const node = readXmlDocument(octets, { instructions: true, asciiAsDeclared: true })
    return { kind: 'nodes', node, comments: true, without: nothing }
  } catch (error) {
    if (error instanceof MalformedError) return { status: 'failed', reason: 'not_xml' }
    throw error
  }
}

/**
 * The enveloped-signature transform, and the two expressions that all software writes for the same, over every signature: by text, since
 * whatever else XPath can say would need reading of its own.
 */
function takenAway(transform: XmlElement): ((element: XmlElement) => boolean) | undefined {
  const uri = algorithmOf(transform)
  if (uri === named.enveloped) {
    let above: XmlElement | undefined = transform
    while (above !== undefined && !isSignature(above)) above = above.parent
    return (element) => element === above
  }
  const isFilter = uri === named.filter
  const [path, second] = childrenOf(transform, isFilter ? named.filter : ds, 'XPath')
  if ((!isFilter && uri !== named.xpath) || path === undefined || second !== undefined) return undefined
  if (isFilter && attributeOf(path, 'Filter') !== 'subtract') return undefined
  const text = path.children.map((each) => (typeof each === 'string' ? each : '<')).join('')
  const pattern = isFilter ? /^\/descendant::([\w.-]+):Signature$/ : /^not\(ancestor-or-self::([\w.-]+):Signature\)$/
  const [, prefix = ''] = pattern.exec(text.replaceAll(/[\t\n\r ]/g, '')) ?? []
  return path.scope.get(prefix) === ds && prefix !== '' ? isSignature : undefined
}

/** What a reference leaves out of its target. */
function withoutOf(transforms: readonly XmlElement[]): (element: XmlElement) => boolean {
  const all = transforms.flatMap((each) => takenAway(each) ?? [])
  return (element) => all.some((away) => away(element))
}

function basesAbove(element: XmlElement): boolean {
  for (let above = element.parent; above !== undefined; above = above.parent)
    if (above.attributes.some(({ namespace, local }) => namespace === xmlNamespace && local === 'base')) return true
  return false
}

function textWithin(element: XmlElement): string {
  return element.children.map((each) => (typeof each === 'string' ? each : textWithin(each))).join('')
}
