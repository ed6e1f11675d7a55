import { utf8 } from '../../../../kernel/bytes.ts'
import { malformed } from '../encoding/der.ts'
import { xmlNamespace } from './read-xml.ts'
import type { XmlAttribute, XmlDocument, XmlElement, XmlNote } from './read-xml.ts'

export type CanonicalForm = {
  /** Canonical XML 1.0 or 1.1, instead of Exclusive XML Canonicalization 1.0. */
  readonly inclusive: boolean
  readonly comments: boolean
  /** In version 1.1 `xml:id` of the elements above is not inherited. */
  readonly later?: boolean
  /** InclusiveNamespaces PrefixList of the exclusive form; '' is the default namespace. */
  readonly prefixes?: readonly string[]
}

export const exclusiveForm: CanonicalForm = { inclusive: false, comments: false }
export const inclusiveForm: CanonicalForm = { inclusive: true, comments: false }

/** Siblings that each say a long namespace anew make much of little. */
const longest = 64 << 20

/**
 * The canonical form of an element and what is in it, or of a document with the instructions beside its root.
 * @param without elements left out: the signature, for the enveloped-signature transform.
 * @throws MalformedError when it would be too long
 */
export function canonical(
  node: XmlElement | XmlDocument,
  form: CanonicalForm = exclusiveForm,
  without: (element: XmlElement) => boolean = () => false,
): Uint8Array {
  const out: string[] = []
  const how: How = { form, without, left: longest }
  const [element, before, after] = 'root' in node ? [node.root, node.before, node.after] : [node, [], []]
  for (const note of notesOf(before, form)) put(how, out, note.text, '\n')
  const attributes = form.inclusive ? [...element.attributes, ...inheritedXml(element, form)] : element.attributes
  if (!without(element)) write(element, attributes, new Map(), how, out)
  for (const note of notesOf(after, form)) put(how, out, '\n', note.text)
  return utf8(out.join(''))
}

type Rendered = ReadonlyMap<string, string>
type How = { readonly form: CanonicalForm; readonly without: (element: XmlElement) => boolean; left: number }

const notesOf = (notes: readonly XmlNote[] = [], { comments }: CanonicalForm): readonly XmlNote[] =>
  comments ? notes : notes.filter(({ isComment }) => !isComment)

function put(how: How, out: string[], ...texts: readonly string[]): void {
  for (const text of texts) how.left -= text.length
  if (how.left < 0) malformed('its canonical form is too long')
  out.push(...texts)
}

function write(element: XmlElement, attributes: readonly XmlAttribute[], above: Rendered, how: How, out: string[]): void {
  const name = element.prefix === '' ? element.local : `${element.prefix}:${element.local}`
  const rendered = new Map(above)
  const declarations: string[] = []
  for (const [prefix, uri] of how.form.inclusive ? inScope(element) : visiblyUtilized(element, how.form.prefixes)) {
    if ((above.get(prefix) ?? '') === uri) continue
    rendered.set(prefix, uri)
    declarations.push(prefix)
  }
  put(how, out, '<', name)
  for (const prefix of declarations.toSorted(byUnits))
    put(how, out, prefix === '' ? ' xmlns="' : ` xmlns:${prefix}="`, escapedValue(rendered.get(prefix) ?? ''), '"')
  for (const each of attributes.toSorted((a, b) => byUnits(a.namespace, b.namespace) || byUnits(a.local, b.local)))
    put(how, out, ' ', each.prefix === '' ? each.local : `${each.prefix}:${each.local}`, '="', escapedValue(each.value), '"')
  put(how, out, '>')
  const notes = notesOf(element.notes, how.form)
  let noted = 0
  for (let i = 0; i <= element.children.length; i += 1) {
    for (; notes[noted]?.at === i; noted += 1) put(how, out, notes[noted]?.text ?? '')
    const each = element.children[i]
    if (typeof each === 'string') put(how, out, escapedText(each))
    else if (each !== undefined && !how.without(each)) write(each, each.attributes, rendered, how, out)
  }
  put(how, out, '</', name, '>')
}

/** Prefixes of its own name and of its attributes; an attribute without prefix uses none. */
function visiblyUtilized(element: XmlElement, listed: readonly string[] = []): Map<string, string> {
  const found = new Map([[element.prefix, element.namespace]])
  for (const prefix of listed) {
    const uri = element.scope.get(prefix) ?? (prefix === '' ? '' : undefined)
    if (uri !== undefined) found.set(prefix, uri)
  }
  for (const { prefix, namespace } of element.attributes) if (prefix !== '') found.set(prefix, namespace)
  found.delete('xml')
  return found
}

function inScope(element: XmlElement): Map<string, string> {
  const found = new Map([['', ''], ...element.scope])
  found.delete('xml')
  return found
}

/** Canonical XML 1.0 §2.4, 1.1 §2.4: attributes such as `xml:lang` of the elements above, the nearest first. */
function inheritedXml(element: XmlElement, { later }: CanonicalForm): XmlAttribute[] {
  const found = new Map<string, XmlAttribute>()
  for (let above = element.parent; above !== undefined; above = above.parent)
    for (const each of above.attributes)
      if (each.namespace === xmlNamespace && !found.has(each.local) && !(later === true && each.local === 'id'))
        found.set(each.local, each)
  for (const each of element.attributes) if (each.namespace === xmlNamespace) found.delete(each.local)
  return [...found.values()]
}

function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const inText: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' }
const inValue: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}

function escapedText(text: string): string {
  return text.replaceAll(/[&<>\r]/g, (unit) => inText[unit] ?? unit)
}

function escapedValue(text: string): string {
  return text.replaceAll(/[&<"\t\n\r]/g, (unit) => inValue[unit] ?? unit)
}
