import { digestNamed } from '../hash/digests.ts'
import type { DigestName } from '../hash/digests.ts'
import { children, malformed, octets, oidOf, readDer, sequence, smallInteger, tagged } from '../encoding/der.ts'
import type { Der } from '../encoding/der.ts'
import type { Certificate } from '../certificate/x509.ts'
import type { CanonicalForm } from '../xml/canonicalise.ts'

export type Algorithm = { readonly id: string; readonly name: DigestName | undefined }

/** ArchiveTimeStamp of RFC 4998 §4.1. */
export type ArchiveTimestamp = {
  /** Absent: that of the time stamp. */
  readonly algorithm: Algorithm | undefined
  readonly attributes: number
  /** reducedHashtree, its lists as they stand; undefined when there is none: the time stamp is over one hash value itself. */
  readonly lists: readonly (readonly Uint8Array[])[] | undefined
  /** ContentInfo of the time stamp, as received. */
  readonly token: Uint8Array
  /** What the next one of its chain is over, where that is not the token. */
  readonly renewed?: Uint8Array
  /** To build chains with. */
  readonly certificates?: readonly Certificate[]
}

export type Chain = {
  /** As it is; of a record in XML, all those before it, canonicalised. */
  readonly encoded: Uint8Array
  readonly timestamps: readonly ArchiveTimestamp[]
  /** Only in XML: how it and documents in XML are canonicalised before they are hashed. */
  readonly form?: CanonicalForm
}

export type EvidenceRecord = {
  readonly version: number
  /** Undefined in XML, which has no list of them. */
  readonly algorithms: readonly Algorithm[] | undefined
  readonly cryptoInfos: boolean
  readonly encryptionInfo: boolean
  readonly chains: readonly Chain[]
}

/** A record of one document over a century has some dozens, and a list holds a document and all its signatures. */
export const mostTimestamps = 64
const mostAlgorithms = 64
export const mostLists = 64
export const mostValues = 4096
/** All hash values of a record together. */
export const mostHashes = 20_000

/**
 * EvidenceRecord of RFC 4998 §3.1, implicit tags (Appendix A), DER. What is wrong with its values is for the checks to say.
 * @param bytes with definite lengths. @throws MalformedError
 */
export function readEvidenceRecord(bytes: Uint8Array): EvidenceRecord & { readonly algorithms: readonly Algorithm[] } {
  const members = children(readDer(bytes, 0x30))
  const version = smallInteger(members.shift())
  const algorithms = children(tagged(members.shift(), 0x30), mostAlgorithms)
  const optional = (tag: number): boolean => members[0]?.tag === tag && members.shift() !== undefined
  const cryptoInfos = optional(0xa0)
  const encryptionInfo = optional(0xa1)
  const [stamps, ...rest] = members
  if (rest.length > 0) malformed('members after the time stamps')
  const left = { timestamps: mostTimestamps, hashes: mostHashes }
  const chains = children(tagged(stamps, 0x30), mostTimestamps).map((chain) => readChain(chain, left))
  if (chains.length === 0 || algorithms.length === 0) malformed('a record without time stamps')
  return { version, algorithms: algorithms.map((each) => algorithmOf(tagged(each, 0x30))), cryptoInfos, encryptionInfo, chains }
}

type Left = { timestamps: number; hashes: number }

function readChain(chain: Der, left: Left): Chain {
  const timestamps = children(tagged(chain, 0x30), mostTimestamps).map((each) => readTimestamp(each, left))
  if (timestamps.length === 0) malformed('a chain without time stamps')
  return { encoded: chain.encoded, timestamps }
}

function readTimestamp(element: Der, left: Left): ArchiveTimestamp {
  left.timestamps -= 1
  if (left.timestamps < 0) malformed('too many time stamps')
  const members = children(tagged(element, 0x30), 4)
  const optional = (tag: number): Der | undefined => (members[0]?.tag === tag ? members.shift() : undefined)
  const algorithm = optional(0xa0)
  const attributes = optional(0xa1)
  const tree = optional(0xa2)
  const [token, ...rest] = members
  if (rest.length > 0) malformed('members after a time stamp')
  return {
    algorithm: algorithm === undefined ? undefined : algorithmOf(algorithm),
    attributes: attributes === undefined ? 0 : attributesIn(attributes),
    lists: tree === undefined ? undefined : children(tree, mostLists).map((list) => readList(list, left)),
    token: tagged(token, 0x30).encoded,
  }
}

/** SET OF Attribute: how many. */
function attributesIn(set: Der): number {
  const attributes = children(set)
  for (const attribute of attributes) {
    const [type, values] = sequence(attribute, 2)
    oidOf(type)
    tagged(values, 0x31)
  }
  return attributes.length === 0 ? malformed('an empty set of attributes') : attributes.length
}

function readList(list: Der, left: Left): Uint8Array[] {
  const values = children(tagged(list, 0x30), mostValues).map((each) => octets(tagged(each, 0x04)))
  left.hashes -= values.length
  if (left.hashes < 0) malformed('too many hash values')
  return values
}

/** AlgorithmIdentifier, whose parameters are absent or NULL for every digest. @param holder the sequence, or the tag in its place. */
function algorithmOf(holder: Der): Algorithm {
  const [id, parameters] = sequence({ ...holder, tag: 0x30 }, 1, 2)
  if (parameters !== undefined && tagged(parameters, 0x05).contents.length > 0) malformed('parameters of a digest')
  const name = oidOf(id)
  return { id: name, name: digestNamed(name) }
}
