import type { RecordedNode } from './events.ts'

/** Attributes that only say how something looks or where it stands: none that somebody wrote or typed. */
const kept =
  /^(?:class|dir|type|role|open|disabled|checked|colspan|rowspan|width|height|viewbox|d|cx|cy|r|x|y|x1|x2|y1|y2|points|fill|stroke|stroke-.*|transform|aria-hidden|aria-current|data-(?:side|size|variant|mantine-.*))$/i
/** Nothing of them is shown, or what they show is not the page's. */
const left = new Set([
  'script',
  'noscript',
  'template',
  'iframe',
  'object',
  'embed',
  'video',
  'audio',
  'canvas',
  'picture',
  'img',
  'meta',
  'title',
])

/** Every letter and digit goes; where words stood, and how long they were, stays. */
export const masked = (text: string): string => text.replaceAll(/[^\s]/gu, '*')

/** Numbers nodes as long as it lives: an event names what it is of. */
export type Numbers = { of(node: Node): number; known(node: Node): number | null }

export function numberNodes(): Numbers {
  const ids = new WeakMap<Node, number>()
  let last = 0
  return {
    of(node) {
      const id = ids.get(node) ?? (last += 1)
      ids.set(node, id)
      return id
    },
    known: (node) => ids.get(node) ?? null,
  }
}

function rulesOf(sheet: CSSStyleSheet | null): string | null {
  try {
    return sheet === null ? null : [...sheet.cssRules].map(({ cssText }) => cssText).join('')
  } catch {
    // Of another origin.
    return null
  }
}

function attributesOf(element: Element): Record<string, string | boolean> {
  const attributes: Record<string, string | boolean> = {}
  for (const { name, value } of element.attributes) if (kept.test(name)) attributes[name] = value
  if (element instanceof HTMLLinkElement || element instanceof HTMLStyleElement) {
    const css = rulesOf(element.sheet)
    if (css !== null) attributes['_cssText'] = css
  }
  return attributes
}

/** @returns null for what is left out. A sheet becomes a `style` with its rules: nobody who replays fetches anything of this site. */
export function serialize(node: Node, numbers: Numbers): RecordedNode | null {
  const children = () => [...node.childNodes].flatMap((child) => serialize(child, numbers) ?? [])
  if (node instanceof Document) return { type: 0, id: numbers.of(node), childNodes: children() }
  if (node instanceof DocumentType) return { type: 1, id: numbers.of(node), name: node.name, publicId: '', systemId: '' }
  if (node instanceof Text) return { type: 3, id: numbers.of(node), textContent: masked(node.data) }
  if (!(node instanceof Element)) return null
  const tagName = node.tagName.toLowerCase()
  const attributes = attributesOf(node)
  if (left.has(tagName) || (tagName === 'link' && attributes['_cssText'] === undefined)) return null
  const isSheet = tagName === 'link' || tagName === 'style'
  return {
    type: 2,
    id: numbers.of(node),
    tagName: isSheet ? 'style' : tagName,
    attributes,
    childNodes: isSheet ? [] : children(),
    ...(node instanceof SVGElement ? { isSVG: true as const } : {}),
  }
}
