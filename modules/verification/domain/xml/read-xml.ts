import { malformed } from '../encoding/der.ts'

/**
 * A strict reader of XML 1.0 with namespaces, for signed lists and the manifests of containers: UTF-8, no document type (hence no
 * entity but the five, and nothing fetched), no processing instruction, bounded in size, depth and number. What is verified and what
 * is read are one tree: a second parser that sees another document is how signatures are wrapped. Time and memory are linear in the
 * input.
 */
export type XmlElement = {
  readonly prefix: string
  readonly local: string
  /** Empty when it has none. */
  readonly namespace: string
  readonly attributes: readonly XmlAttribute[]
  readonly children: readonly (XmlElement | string)[]
  readonly parent: XmlElement | undefined
  /** Namespaces in scope, by prefix; the empty one is the default. */
  readonly scope: ReadonlyMap<string, string>
  /** Comments and instructions directly inside. They are no part of what is read, but canonical forms may have them. */
  readonly notes?: readonly XmlNote[]
}

export type XmlNote = {
  /** It stands before the child of this number. */
  readonly at: number
  /** As canonical forms write it. */
  readonly text: string
  readonly isComment: boolean
}

export type XmlDocument = { readonly root: XmlElement; readonly before: readonly XmlNote[]; readonly after: readonly XmlNote[] }

export type XmlAttribute = {
  readonly prefix: string
  readonly local: string
  readonly namespace: string
  readonly value: string
}

/** What documents by anybody may have besides; each changes nothing of the tree that is read. */
export type XmlLeniency = {
  /** Processing instructions are passed over, or kept beside what is read. */
  readonly instructions?: boolean
  /** Any encoding may be declared of which ASCII is a part, as long as every octet is ASCII. */
  readonly asciiAsDeclared?: boolean
}

const largestDocument = 16 << 20
const deepest = 64
/** Elements, attributes, texts and references together: a list of 3 MB has 68,000, the longest some twice that. */
const mostParts = 300_000
const mostAttributes = 64
const mostPrefixes = 64
const longestName = 200
const longestSpaced = 100_000
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'
const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/'

type Open = XmlElement & { readonly children: (XmlElement | string)[]; notes?: XmlNote[] }

/** The root element. @throws MalformedError */
export function readXml(bytes: Uint8Array, also: XmlLeniency = {}): XmlElement {
  return readXmlDocument(bytes, also).root
}

/** The root element and what stands beside it. @throws MalformedError */
export function readXmlDocument(bytes: Uint8Array, also: XmlLeniency = {}): XmlDocument {
  if (bytes.length > largestDocument) malformed('the document is too large')
  const text = decode(bytes)
  let at = declarationEnd(text, also)
  let root: Open | undefined
  let open: Open | undefined
  const before: XmlNote[] = []
  const after: XmlNote[] = []
  let parts = 0
  let depth = 0
  const count = (more: number) => {
    parts += more
    if (parts > mostParts) malformed('too many parts')
  }
  const addText = (part: string) => {
    count(1)
    if (open !== undefined) open.children.push(part)
    else if (!/^[\t\n ]*$/.test(part)) malformed('text outside the root')
  }
  const addNote = (note: string, isComment: boolean) => {
    count(1)
    const notes = open === undefined ? (root === undefined ? before : after) : (open.notes ??= [])
    notes.push({ at: open?.children.length ?? 0, text: note, isComment })
  }
  while (at < text.length) {
    const next = text.indexOf('<', at)
    const end = next === -1 ? text.length : next
    if (end > at) {
      const raw = text.slice(at, end)
      if (raw.includes(']]>')) malformed('`]]>` in text')
      addText(unescaped(raw, count))
    }
    if (next === -1) break
    if (text.startsWith('<!--', next)) {
      const close = text.indexOf('--', next + 4)
      if (close === -1 || text.charAt(close + 2) !== '>') malformed('a comment is not closed')
      at = close + 3
      addNote(text.slice(next, at), true)
    } else if (text.startsWith('<![CDATA[', next)) {
      const close = text.indexOf(']]>', next + 9)
      if (close === -1 || open === undefined) malformed('character data not closed')
      addText(text.slice(next + 9, close))
      at = close + 3
    } else if (also.instructions === true && instruction.test(text.slice(next, next + longestName))) {
      const close = text.indexOf('?>', next)
      if (close === -1) malformed('an instruction is not closed')
      at = close + 2
      // Canonical XML 1.0 §2.3: one space between the target and what follows it.
      addNote(
        text
          .slice(next, at)
          .replace(/^(<\?[^\t\n ?]+)[\t\n ]+/, '$1 ')
          .replace(/^(<\?[^\t\n ?]+) \?>$/, '$1?>'),
        false,
      )
    } else if (text.startsWith('</', next)) {
      const close = text.indexOf('>', next)
      if (close === -1 || open === undefined) malformed('an end without a start')
      const name = open.prefix === '' ? open.local : `${open.prefix}:${open.local}`
      if (close - next > longestName * 2 || text.slice(next + 2, close).trimEnd() !== name) malformed('elements that overlap')
      open = open.parent as Open | undefined
      depth -= 1
      at = close + 1
    } else {
      if (open === undefined && root !== undefined) malformed('two roots')
      count(1)
      depth += 1
      if (depth > deepest) malformed('too many levels')
      const tag = readTag(text, next, open, count)
      if (open === undefined) root = tag.element
      else open.children.push(tag.element)
      if (tag.empty) depth -= 1
      else open = tag.element
      at = tag.end
    }
  }
  if (root === undefined || open !== undefined) malformed('no whole root element')
  return { root, before, after }
}

/** Without its byte order mark; line ends as XML 1.0 §2.11 has them. */
function decode(bytes: Uint8Array): string {
  let text
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes.includes(0x0d) ? withLineFeeds(bytes) : bytes)
  } catch {
    malformed('not UTF-8')
  }
  // eslint-disable-next-line no-control-regex -- the very characters that XML 1.0 §2.2 forbids
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text)) malformed('characters that XML forbids')
  return text
}

function withLineFeeds(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length)
  let length = 0
  for (let i = 0; i < bytes.length; i += 1) {
    const octet = bytes[i] ?? 0
    if (octet === 0x0d && bytes[i + 1] === 0x0a) continue
    out[length] = octet === 0x0d ? 0x0a : octet
    length += 1
  }
  return out.subarray(0, length)
}

const declaration =
  /^<\?xml[\t\n ]+version[\t\n ]*=[\t\n ]*(?:"1\.0"|'1\.0')(?:[\t\n ]+encoding[\t\n ]*=[\t\n ]*(?:"([A-Za-z0-9._-]+)"|'([A-Za-z0-9._-]+)'))?(?:[\t\n ]+standalone[\t\n ]*=[\t\n ]*(?:"(?:yes|no)"|'(?:yes|no)'))?[\t\n ]*\?>/

/** Its name is never `xml` (§2.6): a second declaration is none. */
const instruction = /^<\?(?!xml[\t\n ?])[A-Za-z_]/i
const asciiCompatible = /^(?:us-ascii|ascii|iso-8859-\d{1,2}|windows-125\d)$/i

function declarationEnd(text: string, { asciiAsDeclared }: XmlLeniency): number {
  const found = declaration.exec(text.slice(0, 300))
  if (found === null) return 0
  const encoding = found[1] ?? found[2] ?? 'utf-8'
  // eslint-disable-next-line no-control-regex -- the characters of which ASCII consists
  const isSame = asciiAsDeclared === true && asciiCompatible.test(encoding) && /^[\u0000-\u007f]*$/.test(text)
  if (!/^utf-8$/i.test(encoding) && !isSame) malformed('an encoding other than UTF-8')
  return found[0].length
}

const nameStart = 'A-Za-z_\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff'
const ncName = `[${nameStart}][${nameStart}0-9.\\u00b7-]*`
const tagStart = new RegExp(`<(?:(${ncName}):)?(${ncName})`, 'y')
const attribute = new RegExp(`[\\t\\n ]+(?:(${ncName}):)?(${ncName})[\\t\\n ]*=[\\t\\n ]*(?:"([^<"]*)"|'([^<']*)')`, 'y')
const tagEnd = /[\t\n ]*(\/?)>/y

type Count = (more: number) => void

function readTag(
  text: string,
  start: number,
  parent: Open | undefined,
  count: Count,
): { element: Open; empty: boolean; end: number } {
  tagStart.lastIndex = start
  const [whole, prefix = '', local = ''] = tagStart.exec(text) ?? malformed('a document type, an instruction, or no element')
  if (whole.length > longestName) malformed('a name is too long')
  let at = start + whole.length
  const raw: { prefix: string; local: string; value: string }[] = []
  const scope = new Map<string, string>()
  for (;;) {
    attribute.lastIndex = at
    const found = attribute.exec(text)
    if (found === null) break
    const [{ length }, prefixOf = '', name = '', double, single] = found
    count(1)
    const value = unescaped(spaced(double ?? single ?? ''), count)
    if (prefixOf === 'xmlns' || (prefixOf === '' && name === 'xmlns')) declare(scope, prefixOf === '' ? '' : name, value)
    else raw.push({ prefix: prefixOf, local: name, value })
    if (raw.length + scope.size > mostAttributes) malformed('too many attributes')
    at += length
  }
  tagEnd.lastIndex = at
  const end = tagEnd.exec(text) ?? malformed('a tag is not closed')
  const inScope = scope.size === 0 && parent !== undefined ? parent.scope : new Map([...(parent?.scope ?? []), ...scope])
  if (inScope.size > mostPrefixes) malformed('too many namespaces')
  const attributes = raw.map((each) => ({ ...each, namespace: each.prefix === '' ? '' : resolved(each.prefix, inScope) }))
  const names = new Set(attributes.map(({ namespace, local: name }) => `${namespace} ${name}`))
  if (names.size < attributes.length) malformed('an attribute twice')
  const namespace = prefix === '' ? (inScope.get('') ?? '') : resolved(prefix, inScope)
  return {
    element: { prefix, local, namespace, attributes, children: [], parent, scope: inScope },
    empty: end[1] === '/',
    end: at + end[0].length,
  }
}

function declare(scope: Map<string, string>, prefix: string, uri: string): void {
  const reserved = prefix === 'xmlns' || uri === xmlnsNamespace || (prefix === 'xml') !== (uri === xmlNamespace)
  if (reserved || scope.has(prefix) || (prefix !== '' && uri === '')) malformed('a namespace declared twice or wrongly')
  scope.set(prefix, uri)
}

function resolved(prefix: string, scope: XmlElement['scope']): string {
  return prefix === 'xml' ? xmlNamespace : (scope.get(prefix) ?? malformed('a prefix without namespace'))
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const reference = /&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|([a-z]{2,4}));/y

/** One reference after the other: a replacement of all at once would hold them all. */
function unescaped(text: string, count: Count): string {
  let at = text.indexOf('&')
  if (at === -1) return text
  const pieces: string[] = []
  let from = 0
  for (; at !== -1; at = text.indexOf('&', from)) {
    count(1)
    reference.lastIndex = at
    const found = reference.exec(text) ?? malformed('an ampersand alone')
    pieces.push(text.slice(from, at), characterOf(found))
    from = at + found[0].length
  }
  pieces.push(text.slice(from))
  return pieces.join('')
}

function characterOf([, decimal, hex, name]: readonly (string | undefined)[]): string {
  if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? '') : malformed('an entity')
  const code = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal)
  const allowed =
    code === 9 || code === 10 || code === 13 || (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd)
  if (!allowed && !(code >= 0x10000 && code <= 0x10ffff)) malformed('a reference to no character')
  return String.fromCodePoint(code)
}

/** Spaces of a value as XML 1.0 §3.3.3 has them. No list has long values with line ends. */
function spaced(value: string): string {
  if (!/[\t\n]/.test(value)) return value
  return value.length > longestSpaced ? malformed('a value with line ends is too long') : value.replaceAll(/[\t\n]/g, ' ')
}

/** Elements below, of a namespace and name. */
export function childrenOf(parent: XmlElement | undefined, namespace: string, local: string): XmlElement[] {
  const found: XmlElement[] = []
  for (const each of parent?.children ?? [])
    if (typeof each !== 'string' && each.namespace === namespace && each.local === local) found.push(each)
  return found
}

/** The only one. @throws MalformedError when there is none, or more than one. */
export function onlyChild(parent: XmlElement, namespace: string, local: string): XmlElement {
  const [first, second] = childrenOf(parent, namespace, local)
  if (first === undefined || second !== undefined) malformed(`not one ${local}`)
  return first
}

/** All text inside, trimmed. @throws MalformedError when there are elements inside. */
export function textOf(element: XmlElement | undefined): string {
  let text = ''
  for (const each of element?.children ?? []) text += typeof each === 'string' ? each : malformed('an element in text')
  return text.trim()
}

/** Of an attribute without namespace. */
export function attributeOf(element: XmlElement, local: string): string | undefined {
  return element.attributes.find((each) => each.namespace === '' && each.local === local)?.value
}

/** Every element of the tree, in document order. */
export function* elementsOf(root: XmlElement): Generator<XmlElement> {
  yield root
  for (const each of root.children) if (typeof each !== 'string') yield* elementsOf(each)
}
