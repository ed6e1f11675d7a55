import { malformed } from '../encoding/der.ts'
import { readCertificate } from '../certificate/x509.ts'
import { canonical } from '../xml/canonicalise.ts'
import type { CanonicalForm } from '../xml/canonicalise.ts'
import { attributeOf, childrenOf, onlyChild, readXml } from '../xml/read-xml.ts'
import type { XmlElement } from '../xml/read-xml.ts'
import { algorithmOf, base64Of, digestOfUri, formOf } from '../xml/xml-signature.ts'
import { mostHashes, mostLists, mostTimestamps, mostValues } from './read-evidence-record.ts'
import type { ArchiveTimestamp, EvidenceRecord } from './read-evidence-record.ts'

const ers = 'urn:ietf:params:xml:ns:ers'
const mostCertificates = 64

/**
 * EvidenceRecord of RFC 6283 §3, §4, as the form in ASN.1 is read. What is renewed is hashed as its chain canonicalises it; the document
 * stands beside the hash of the chains before, in place of being hashed with it.
 * @returns a reason where it is written in a way that is not evaluated here. @throws MalformedError
 */
export function readXmlRecord(bytes: Uint8Array): EvidenceRecord | 'token_type' | 'canonical_form' {
  const root = readXml(bytes, { instructions: true, asciiAsDeclared: true })
  if (root.namespace !== ers || root.local !== 'EvidenceRecord') malformed('not an evidence record')
  const sequence = onlyChild(root, ers, 'ArchiveTimeStampSequence')
  const chains = ordered(sequence, 'ArchiveTimeStampChain', mostTimestamps)
  const left = { timestamps: mostTimestamps, hashes: mostHashes }
  const read: { form: CanonicalForm; timestamps: ArchiveTimestamp[] }[] = []
  for (const chain of chains) {
    const form = formOf(onlyChild(chain, ers, 'CanonicalizationMethod'))
    if (form === undefined) return 'canonical_form'
    const timestamps: ArchiveTimestamp[] = []
    for (const each of ordered(chain, 'ArchiveTimeStamp', mostTimestamps)) {
      const found = readTimestamp(each, algorithmOf(onlyChild(chain, ers, 'DigestMethod')), form, left)
      if (found === undefined) return 'token_type'
      timestamps.push(found)
    }
    read.push({ form, timestamps })
  }
  const version = attributeOf(root, 'Version') ?? ''
  return {
    version: version === '1.0' ? 1 : Number.parseInt(version, 10) || 0,
    algorithms: undefined,
    cryptoInfos: childrenOf(root, ers, 'SupportingInformationList').length > 0,
    encryptionInfo: childrenOf(root, ers, 'EncryptionInformation').length > 0,
    chains: read.map(({ timestamps }, i) => {
      const form = read[i]?.form
      const before = chains.slice(0, i)
      const isLater = (each: XmlElement): boolean => chains.includes(each) && !before.includes(each)
      return {
        encoded: i === 0 ? new Uint8Array() : canonical(sequence, form, isLater),
        timestamps,
        ...(form === undefined ? {} : { form }),
      }
    }),
  }
}

/** Those of a name by their Order: 1, 2, 3, each once. */
function ordered(parent: XmlElement, local: string, most: number): XmlElement[] {
  const found = childrenOf(parent, ers, local)
  const at = (each: XmlElement): number => Number(attributeOf(each, 'Order') ?? Number.NaN)
  const sorted = found.toSorted((a, b) => at(a) - at(b))
  if (found.length === 0 || found.length > most || sorted.some((each, i) => at(each) !== i + 1))
    malformed(`the order of ${local}`)
  return sorted
}

function readTimestamp(
  element: XmlElement,
  algorithm: string,
  form: CanonicalForm,
  left: { timestamps: number; hashes: number },
): ArchiveTimestamp | undefined {
  left.timestamps -= 1
  if (left.timestamps < 0) malformed('too many time stamps')
  const [tree] = childrenOf(element, ers, 'HashTree')
  const stamp = onlyChild(element, ers, 'TimeStamp')
  const token = onlyChild(stamp, ers, 'TimeStampToken')
  if (attributeOf(token, 'Type') !== 'RFC3161') return undefined
  const given = childrenOf(stamp, ers, 'CryptographicInformationList')
    .flatMap((each) => childrenOf(each, ers, 'CryptographicInformation'))
    .filter((each) => attributeOf(each, 'Type') === 'CERT')
  return {
    algorithm: { id: algorithm, name: digestOfUri(algorithm) },
    attributes: childrenOf(element, ers, 'Attributes').length,
    lists: tree === undefined ? undefined : ordered(tree, 'Sequence', mostLists).map((each) => readList(each, left)),
    token: base64Of(token),
    renewed: canonical(stamp, form),
    certificates: given.slice(0, mostCertificates).map((each) => readCertificate(base64Of(each), 'lenient')),
  }
}

function readList(list: XmlElement, left: { hashes: number }): Uint8Array[] {
  const values = childrenOf(list, ers, 'DigestValue').map(base64Of)
  left.hashes -= values.length
  return values.length > mostValues || left.hashes < 0 ? malformed('too many hash values') : values
}
