import { elementsOf, MalformedError, readXml, type XmlElement } from '../../verification/server/index.ts'

/** Why a logo is not taken, in words for the operator. */
export class LogoRefused extends Error {
  override readonly name = 'LogoRefused'
}
const refuse = (words: string): never => {
  throw new LogoRefused(words)
}

const svgNamespace = 'http://www.w3.org/2000/svg'
const xlinkNamespace = 'http://www.w3.org/1999/xlink'
const mostElements = 2000
/** Elements that are painted, those of each `use` counted again. */
const mostPainted = 5000

const shapes = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon']
const kept = new Set([
  'svg',
  'g',
  'defs',
  'use',
  'linearGradient',
  'radialGradient',
  'stop',
  'clipPath',
  'title',
  'desc',
  ...shapes,
])
/** What draws something that would be missing, acts, or fetches: left out in silence, a logo would be another. */
const refused = new Set(
  'script foreignObject image style text tspan textPath font a animate animateMotion animateTransform set filter mask pattern marker symbol switch iframe video audio canvas handler listener'.split(
    ' ',
  ),
)

const presentation = new Set(
  'fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity clip-path clip-rule stop-color stop-opacity color transform display visibility'.split(
    ' ',
  ),
)
const geometry = new Set(
  'd x y x1 y1 x2 y2 cx cy r rx ry fx fy width height points viewBox preserveAspectRatio offset gradientUnits gradientTransform spreadMethod clipPathUnits version id'.split(
    ' ',
  ),
)
/** Numbers, colours, keywords, functions of numbers, and what stands in the same file. No scheme, no escape, no comment. */
const plainValue = /^(?:[A-Za-z0-9#.,()%+\-\s]|url\(#[A-Za-z_][\w.-]{0,80}\))*$/
const localName = /^[A-Za-z_][\w.-]{0,80}$/

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function plain(name: string, value: string): string {
  const outside = /url\(\s*(?!#)/i.test(value) || /:|\\|@|\/\*/.test(value)
  if (outside) refuse(`its attribute ${name} leads out of the file`)
  if (!plainValue.test(value)) refuse(`its attribute ${name} holds something else than numbers, colours and keywords`)
  return value
}

/** `style="fill:#123"`, as drawing programs write it, becomes attributes. */
function* declarations(style: string): Generator<[string, string]> {
  for (const part of style.split(';')) {
    const at = part.indexOf(':')
    if (at === -1) continue
    const name = part.slice(0, at).trim().toLowerCase()
    if (presentation.has(name)) yield [name, part.slice(at + 1).trim()]
    else if (/url|expression|import/i.test(part)) refuse(`its style ${name} is not taken`)
  }
}

type Written = { readonly name: string; readonly attributes: ReadonlyMap<string, string>; readonly target: string | null }

function attributesOf(element: XmlElement): Written {
  const { local } = element
  const attributes = new Map<string, string>()
  const set = (name: string, value: string) => attributes.set(name, plain(name, value))
  let target: string | null = null
  for (const { namespace, local: name, value } of element.attributes) {
    if (/^on/i.test(name)) refuse(`the element ${local} has the handler ${name}`)
    if (name === 'href' && (namespace === '' || namespace === xlinkNamespace)) {
      if (!value.startsWith('#') || !localName.test(value.slice(1)))
        refuse(`the element ${local} refers to something outside the file`)
      target = value.slice(1)
    } else if (namespace !== '') continue
    else if (name === 'style') for (const [property, given] of declarations(value)) set(property, given)
    else if (name === 'id') {
      if (localName.test(value)) attributes.set('id', value)
    } else if (presentation.has(name) || geometry.has(name)) set(name, value)
  }
  return { name: local, attributes, target }
}

/** Its size in pixels, which a browser needs to keep its shape: that of its viewBox, whatever unit the file was saved in. @throws LogoRefused */
function sized(attributes: ReadonlyMap<string, string>): Map<string, string> {
  const box = attributes.get('viewBox')
  const [, , width = Number.NaN, height = Number.NaN] =
    box === undefined
      ? [0, 0, ...['width', 'height'].map((name) => Number(/^\s*([\d.]+)(?:px)?\s*$/.exec(attributes.get(name) ?? '')?.[1]))]
      : box
          .trim()
          .split(/[\s,]+/)
          .map(Number)
  if (!(width > 0 && height > 0 && Math.max(width, height) < 100_000))
    refuse('it says neither a viewBox nor its width and height in pixels')
  return new Map([
    ...attributes,
    ['viewBox', box ?? `0 0 ${String(width)} ${String(height)}`],
    ['width', String(width)],
    ['height', String(height)],
  ])
}

function write(element: XmlElement, ids: ReadonlyMap<string, XmlElement>): string {
  const { name, attributes: given, target } = attributesOf(element)
  const attributes = element.parent === undefined ? sized(given) : given
  const own = [...attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('')
  const reference =
    target !== null && ids.has(target) && (name === 'use' || name.endsWith('Gradient')) ? ` href="#${target}"` : ''
  const isText = name === 'title' || name === 'desc'
  const inside = element.children
    .map((child) => (typeof child === 'string' ? (isText ? escaped(child) : '') : isKept(child) ? write(child, ids) : ''))
    .join('')
  const root = element.parent === undefined ? ` xmlns="${svgNamespace}"` : ''
  return inside === '' ? `<${name}${root}${own}${reference}/>` : `<${name}${root}${own}${reference}>${inside}</${name}>`
}

const isKept = ({ namespace, local }: XmlElement) => namespace === svgNamespace && kept.has(local)

/** How many elements are painted, a `use` counting what it refers to. @throws LogoRefused for a circle, or for too many */
function countPainted(root: XmlElement, ids: ReadonlyMap<string, XmlElement>): number {
  const counted = new Map<XmlElement, number>()
  const under = new Set<XmlElement>()
  const count = (element: XmlElement): number => {
    const known = counted.get(element)
    if (known !== undefined) return known
    if (under.has(element)) refuse('its elements refer to each other in a circle')
    under.add(element)
    const { target, attributes } = attributesOf(element)
    let total = 1
    const clips = [...attributes.values()].flatMap((value) =>
      [...value.matchAll(/url\(#([^)]*)\)/g)].map((found) => found[1] ?? ''),
    )
    for (const id of target === null ? clips : [target, ...clips]) {
      const referred = ids.get(id)
      if (referred !== undefined) total += count(referred)
    }
    for (const child of element.children) if (typeof child !== 'string' && isKept(child)) total += count(child)
    under.delete(element)
    if (total > mostPainted) refuse(`more than ${String(mostPainted)} elements would be painted`)
    counted.set(element, total)
    return total
  }
  return count(root)
}

/**
 * A drawing made anew of what a logo needs: shapes, groups, gradients, clips, and references within the file. What could act, fetch,
 * or grow without bound is refused by name; what says nothing to a viewer (editors' own elements, metadata) is left out.
 * @throws LogoRefused
 */
export function sanitiseSvg(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  // Its only use here are entities, and those are how a short file becomes a long one.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) refuse('it has a document type; save it without')
  if (/<\?xml-stylesheet/i.test(text)) refuse('it has a style sheet; save it with presentation attributes')
  let root: XmlElement
  try {
    root = readXml(bytes, { instructions: true })
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
    throw new LogoRefused(`it is no well-formed XML: ${error.message}`)
  }
  if (root.namespace !== svgNamespace || root.local !== 'svg') refuse('its root is no svg')
  const all = [...elementsOf(root)]
  if (all.length > mostElements) refuse(`it has more than ${String(mostElements)} elements`)
  const ids = new Map<string, XmlElement>()
  for (const element of all) {
    if (element.namespace === svgNamespace || element.namespace === '') {
      if (refused.has(element.local) || element.local.startsWith('fe'))
        refuse(`it has the element ${element.local}, which a logo cannot have`)
    } else if (/^(?:script|foreignObject|iframe|object|embed)$/i.test(element.local))
      refuse(`it has the element ${element.local}`)
    const id = element.attributes.find(({ namespace, local }) => namespace === '' && local === 'id')?.value
    if (id !== undefined && isKept(element) && !ids.has(id)) ids.set(id, element)
  }
  for (const element of all) if (isKept(element)) attributesOf(element)
  countPainted(root, ids)
  return write(root, ids)
}
