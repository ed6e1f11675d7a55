import { DOMParser } from '@xmldom/xmldom'
import type { Document, Element } from '@xmldom/xmldom'
import type { Archive, Finding } from '../read/archive.ts'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const identification = 'http://www.aiim.org/pdfa/ns/id/'
const schema = 'http://www.aiim.org/pdfa/ns/schema#'

/** Of the XMP Specification and of ISO 19005; any other is told in an extension schema. */
const predefined = new Set([
  ...['dc/elements/1.1/'].map((path) => `http://purl.org/${path}`),
  ...['', 'rights/', 'mm/', 'bj/', 't/pg/'].map((path) => `http://ns.adobe.com/xap/1.0/${path}`),
  ...['pdf/1.3/', 'photoshop/1.0/', 'tiff/1.0/', 'exif/1.0/', 'exif/1.0/aux/'].map((path) => `http://ns.adobe.com/${path}`),
  ...['camera-raw-settings/1.0/', 'xmp/1.0/DynamicMedia/'].map((path) => `http://ns.adobe.com/${path}`),
  identification,
  'http://www.aiim.org/pdfa/ns/extension/',
  rdf,
  'http://www.w3.org/XML/1998/namespace',
  'http://www.w3.org/2000/xmlns/',
])

/**
 * §6.6.2.1: the catalog has metadata, well-formed and in UTF-8. §6.6.2.3.1: each schema is predefined or described. §6.6.4: they say
 * part 3 and level A. What the information dictionary says is for no reader of PDF/A (§6.1.5), and a filter is allowed since part 2.
 */
export async function metadata(archive: Archive): Promise<Finding[]> {
  const of = (clause: string, words: string): Finding => ({ clause, object: 'metadata', words })
  const stream = await archive.dictionary(archive.catalog, 'Metadata')
  if (stream?.stream === undefined) return [of('6.6.2.1', 'the catalog has no metadata')]
  const found: Finding[] = []
  if ((await archive.nameAt(stream, 'Type')) !== 'Metadata' || (await archive.nameAt(stream, 'Subtype')) !== 'XML')
    found.push(of('6.6.2.1', 'the stream is not of the type Metadata and the subtype XML'))
  const octets = await archive.document.stream(stream, archive.view.resolve)
  const text = textOf(octets)
  if (text === undefined) return [...found, of('6.6.2.1', 'it is not in UTF-8')]
  const packet = /<\?xpacket [^?]*\?>/.exec(text)?.[0] ?? ''
  for (const attribute of ['bytes', 'encoding'])
    if (new RegExp(`\\s${attribute}\\s*=`).test(packet)) found.push(of('6.6.2.1', `the packet has the attribute ${attribute}`))
  const xml = parse(text)
  if (xml === undefined) return [...found, of('6.6.2.1', 'it is not well-formed')]
  return [
    ...found,
    ...identified(xml).map((words) => of('6.6.4', words)),
    ...unknown(xml).map((namespace) => of('6.6.2.3.1', `the schema ${namespace} is not described`)),
  ]
}

function textOf(octets: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets)
  } catch {
    return undefined
  }
}

function parse(text: string): Document | undefined {
  let isSound = true
  const onError = (): void => void (isSound = false)
  try {
    const read = new DOMParser({ onError }).parseFromString(text.trim(), 'text/xml')
    return isSound ? read : undefined
  } catch {
    return undefined
  }
}

/** Properties are elements or attributes of the descriptions. */
function properties(
  xml: Document,
): { readonly namespace: string; readonly name: string; readonly prefix: string; readonly value: string }[] {
  const found = []
  for (const description of elements(xml, rdf, 'Description')) {
    if (description.parentNode?.nodeName.endsWith(':RDF') !== true) continue
    for (const each of [...description.attributes, ...description.childNodes]) {
      if (each.nodeType !== 1 && each.nodeType !== 2) continue
      const { namespaceURI, localName, prefix } = each as Element
      const namespace = namespaceURI ?? ''
      found.push({ namespace, name: localName ?? '', prefix: prefix ?? '', value: (each.textContent ?? '').trim() })
    }
  }
  return found
}

const elements = (xml: Document, namespace: string, name: string): Element[] => [...xml.getElementsByTagNameNS(namespace, name)]

function identified(xml: Document): string[] {
  const all = properties(xml).filter(({ namespace }) => namespace === identification)
  const of = (name: string): string => all.find((each) => each.name === name)?.value ?? 'absent'
  return [
    ...(of('part') === '3' ? [] : [`the part is ${of('part')}`]),
    ...(of('conformance') === 'A' ? [] : [`the level is ${of('conformance')}`]),
    ...all.filter(({ prefix }) => prefix !== 'pdfaid').map(({ name, prefix }) => `${name} has the prefix ${prefix}`),
  ]
}

function unknown(xml: Document): string[] {
  const described = elements(xml, schema, 'namespaceURI').map(({ textContent }) => (textContent ?? '').trim())
  const used = properties(xml).map(({ namespace }) => namespace)
  return [...new Set(used)].filter((namespace) => !predefined.has(namespace) && !described.includes(namespace))
}
