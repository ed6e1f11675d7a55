import { malformed } from '../der.ts'

/** An element without its prefixes: what is read here is told apart by local names and, where it matters, namespaces. */
export type XmlElement = {
  readonly name: string
  readonly namespace: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** Character data directly inside. */
  readonly text: string
}

const deepest = 32
const mostElements = 100_000
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/**
 * Reads a small XML 1.0 document in UTF-8 with namespaces: elements, attributes, text, CDATA. No document type, hence no entities
 * but the five that need none, and nothing that grows. @throws MalformedError
 */
export function readXml(bytes: Uint8Array): XmlElement {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    malformed('not UTF-8')
  }
  const token =
    /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([^\s>]+)\s*>|<([^\s/>!?]+)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y
  type Open = { tag: string; element: Mutable; scope: ReadonlyMap<string, string> }
  type Mutable = { name: string; namespace: string; attributes: Map<string, string>; children: Mutable[]; text: string }
  const open: Open[] = []
  let root: Mutable | undefined
  let count = 0
  for (let at = 0; at < text.length;) {
    token.lastIndex = at
    const found = token.exec(text)
    if (found === null) malformed('not XML that is read here')
    at = token.lastIndex
    const [, cdata, closing, opening, attributes = '', empty, characters] = found
    const top = open.at(-1)
    if (cdata !== undefined || characters !== undefined) {
      if (top !== undefined) top.element.text += cdata ?? decode(characters ?? '')
      else if ((cdata ?? characters ?? '').replace(/^\ufeff/, '').trim() !== '') malformed('text outside the document')
    } else if (closing !== undefined) {
      if (top?.tag !== closing) malformed('elements that cross')
      open.pop()
    } else if (opening !== undefined) {
      count += 1
      if (count > mostElements || open.length >= deepest) malformed('too many elements')
      const scope = new Map(top?.scope ?? [])
      const own = new Map<string, string>()
      for (const [, name = '', , double, single] of attributes.matchAll(/\s+([^\s=]+)\s*=\s*("([^"]*)"|'([^']*)')/g)) {
        const value = decode(double ?? single ?? '')
        if (name === 'xmlns') scope.set('', value)
        else if (name.startsWith('xmlns:')) scope.set(name.slice(6), value)
        else if (own.has(name)) malformed('an attribute twice')
        else own.set(name, value)
      }
      const [prefix, local] = opening.includes(':') ? (opening.split(':', 2) as [string, string]) : ['', opening]
      const element: Mutable = { name: local, namespace: scope.get(prefix) ?? '', attributes: own, children: [], text: '' }
      if (top === undefined) {
        if (root !== undefined) malformed('two documents')
        root = element
      } else top.element.children.push(element)
      if (empty !== '/') open.push({ tag: opening, element, scope })
    }
  }
  if (root === undefined || open.length > 0) malformed('a document without end')
  return root
}

function decode(text: string): string {
  return text.replaceAll(/&([^;]{1,12});|&/g, (_, name: string | undefined) => {
    if (name === undefined) return malformed('a bare ampersand')
    const number = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name)
    if (number !== null) {
      const value = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16)
      return value > 0 && value <= 0x10ffff ? String.fromCodePoint(value) : malformed('a character that is none')
    }
    return Object.hasOwn(entities, name) ? (entities[name] as string) : malformed('an entity that is not read here')
  })
}

/** Elements of that local name anywhere below. */
export function* descendants(element: XmlElement, name: string): Generator<XmlElement> {
  for (const each of element.children) {
    if (each.name === name) yield each
    yield* descendants(each, name)
  }
}
