/** XML 1.0 by elements: escaped, no character that it has no place for, the same bytes for the same tree. */
export type XmlNode = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly of: string | readonly XmlNode[]
}
/** What is null is left out, with what would hold nothing but it. */
type Content = string | null | readonly (XmlNode | null)[]

export function element(name: string, of: Content, attributes: Readonly<Record<string, string>> = {}): XmlNode | null {
  if (of === null) return null
  if (typeof of === 'string') return { name, attributes, of }
  const held = of.filter((node) => node !== null)
  return held.length === 0 ? null : { name, attributes, of: held }
}

/** XML 1.0 §2.2: controls, halves of characters and the two that are none. */
const noCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu
const codeOf = (character: string): string => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }

const escaped = (text: string): string =>
  text.replaceAll(noCharacter, codeOf).replaceAll(/[&<>"\r]/g, (found) => entities[found] ?? found)

function lines({ name, attributes, of }: XmlNode, indent: string): string {
  const open = `${indent}<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join('')}>`
  return typeof of === 'string'
    ? `${open}${escaped(of)}</${name}>\n`
    : `${open}\n${of.map((node) => lines(node, `${indent}  `)).join('')}${indent}</${name}>\n`
}

export const xmlOf = (root: XmlNode): string => `<?xml version="1.0" encoding="UTF-8"?>\n${lines(root, '')}`
