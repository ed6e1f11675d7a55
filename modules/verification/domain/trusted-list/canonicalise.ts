import { utf8 } from '../../../../kernel/bytes.ts'
import { xmlNamespace } from '../xml/read-xml.ts'
import type { XmlAttribute, XmlElement } from '../xml/read-xml.ts'

/**
 * Canonical XML without comments of an element and what is in it: the exclusive form (Exclusive XML Canonicalization 1.0, without
 * inclusive prefixes), or the inclusive one (Canonical XML 1.0), which is what a reference means that states no transform.
 * @param without an element left out: the signature, for the enveloped-signature transform.
 */
export function canonical(
  element: XmlElement,
  { without, form = 'exclusive' }: { without?: XmlElement; form?: 'exclusive' | 'inclusive' } = {},
): Uint8Array {
  const out: string[] = []
  const attributes = form === 'inclusive' ? [...element.attributes, ...inheritedXml(element)] : element.attributes
  write(element, attributes, new Map(), { without, form }, out)
  return utf8(out.join(''))
}

type Rendered = ReadonlyMap<string, string>
type How = { readonly without: XmlElement | undefined; readonly form: 'exclusive' | 'inclusive' }

function write(element: XmlElement, attributes: readonly XmlAttribute[], above: Rendered, how: How, out: string[]): void {
  const name = element.prefix === '' ? element.local : `${element.prefix}:${element.local}`
  const rendered = new Map(above)
  const declarations: string[] = []
  for (const [prefix, uri] of how.form === 'exclusive' ? visiblyUtilized(element) : inScope(element)) {
    if ((above.get(prefix) ?? '') === uri) continue
    rendered.set(prefix, uri)
    declarations.push(prefix)
  }
  out.push('<', name)
  for (const prefix of declarations.toSorted(byUnits))
    out.push(prefix === '' ? ' xmlns="' : ` xmlns:${prefix}="`, escapedValue(rendered.get(prefix) ?? ''), '"')
  for (const each of attributes.toSorted((a, b) => byUnits(a.namespace, b.namespace) || byUnits(a.local, b.local)))
    out.push(' ', each.prefix === '' ? each.local : `${each.prefix}:${each.local}`, '="', escapedValue(each.value), '"')
  out.push('>')
  for (const each of element.children) {
    if (typeof each === 'string') out.push(escapedText(each))
    else if (each !== how.without) write(each, each.attributes, rendered, how, out)
  }
  out.push('</', name, '>')
}

/** Prefixes of its own name and of its attributes; an attribute without prefix uses none. */
function visiblyUtilized(element: XmlElement): Map<string, string> {
  const found = new Map([[element.prefix, element.namespace]])
  for (const { prefix, namespace } of element.attributes) if (prefix !== '') found.set(prefix, namespace)
  found.delete('xml')
  return found
}

function inScope(element: XmlElement): Map<string, string> {
  const found = new Map([['', ''], ...element.scope])
  found.delete('xml')
  return found
}

/** Canonical XML 1.0 §2.4: attributes such as `xml:lang` of the elements above, the nearest first. */
function inheritedXml(element: XmlElement): XmlAttribute[] {
  const found = new Map<string, XmlAttribute>()
  for (let above = element.parent; above !== undefined; above = above.parent)
    for (const each of above.attributes)
      if (each.namespace === xmlNamespace && !found.has(each.local)) found.set(each.local, each)
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
