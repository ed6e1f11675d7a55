import { createHash } from 'node:crypto'
import { DOMParser } from '@xmldom/xmldom'
import { ExclusiveCanonicalization } from 'xml-crypto'
import { stampOver } from './evidence-records.ts'
import { base64 } from './xades-signatures.ts'

/** Evidence records in XML (RFC 6283) as other products write them: made of text, canonicalised by another library. */
export type XmlAlgorithm = 'sha256' | 'sha512'
type Lists = readonly (readonly Uint8Array[])[]
export type WrittenXmlStamp = {
  /** What stands beside what must be covered: in its list, then in lists of their own. */
  readonly beside?: readonly Uint8Array[]
  readonly lists?: Lists
  /** Without a tree: over what must be covered itself. */
  readonly bare?: true
  readonly at: string
  readonly over?: Uint8Array
}
export type WrittenXmlChain = { readonly algorithm?: XmlAlgorithm; readonly stamps: readonly WrittenXmlStamp[] }

export const hash = (bytes: Uint8Array | string, name: XmlAlgorithm = 'sha256'): Uint8Array =>
  new Uint8Array(createHash(name).update(bytes).digest())

/** The root of lists, as RFC 6283 §3.2.1 calculates it. */
function rootOf(lists: Lists, name: XmlAlgorithm): Uint8Array {
  let node: Uint8Array | undefined
  for (const list of lists) {
    const values = node === undefined ? [...list] : [...list, node]
    node = values.length === 1 ? values[0] : hash(Buffer.concat(values.toSorted((a, b) => Buffer.compare(a, b))), name)
  }
  return node as Uint8Array
}

const uris = { sha256: 'http://www.w3.org/2001/04/xmlenc#sha256', sha512: 'http://www.w3.org/2001/04/xmlenc#sha512' }

function canonicalOf(text: string, name: string, index: number): string {
  const found = new DOMParser().parseFromString(text, 'text/xml').getElementsByTagName(name)[index]
  if (found === undefined) throw new Error(`no ${name}`)
  return new ExclusiveCanonicalization().process(found, {})
}

/** @param document digests of it by algorithm. */
export function xmlRecordOf(document: (name: XmlAlgorithm) => Uint8Array, chains: readonly WrittenXmlChain[]): Uint8Array {
  const written: string[][] = []
  const heads = chains.map(
    ({ algorithm = 'sha256' }, i) =>
      `<e:ArchiveTimeStampChain Order="${i + 1}"><e:DigestMethod Algorithm="${uris[algorithm]}"/><e:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>`,
  )
  const write = (): string =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<e:EvidenceRecord xmlns:e="urn:ietf:params:xml:ns:ers" Version="1.0"><e:ArchiveTimeStampSequence>${written.map((stamps, i) => `${heads[i]}${stamps.join('')}</e:ArchiveTimeStampChain>`).join('')}</e:ArchiveTimeStampSequence></e:EvidenceRecord>\n`
  let count = 0
  for (const [i, { algorithm = 'sha256', stamps }] of chains.entries()) {
    const before = i === 0 ? [] : [hash(canonicalOf(write(), 'e:ArchiveTimeStampSequence', 0), algorithm)]
    written.push([])
    for (const [k, stamp] of stamps.entries()) {
      const covered =
        k === 0 ? [document(algorithm), ...before] : [hash(canonicalOf(write(), 'e:TimeStamp', count - 1), algorithm)]
      const lists = [[...covered, ...(stamp.beside ?? [])], ...(stamp.lists ?? [])]
      const tree = lists.map(
        (list, n) =>
          `<e:Sequence Order="${n + 1}">${list.map((value) => `<e:DigestValue>${base64(value)}</e:DigestValue>`).join('')}</e:Sequence>`,
      )
      const token = stampOver(stamp.over ?? rootOf(lists, algorithm), { algorithm, genTime: new Date(stamp.at) })
      written[i]?.push(
        `<e:ArchiveTimeStamp Order="${k + 1}">${stamp.bare === true ? '' : `<e:HashTree>${tree.join('')}</e:HashTree>`}<e:TimeStamp><e:TimeStampToken Type="RFC3161">${base64(token)}</e:TimeStampToken></e:TimeStamp></e:ArchiveTimeStamp>`,
      )
      count += 1
    }
  }
  return Buffer.from(write())
}
