import { equalBytes, fromHex } from '../../../../kernel/bytes.ts'
import { digests } from '../hash/digests.ts'
import type { DigestName } from '../hash/digests.ts'
import { definiteLengths } from '../encoding/definite-lengths.ts'
import { children, malformed, readDer } from '../encoding/der.ts'
import { readTokenForm } from '../timestamp/read-response.ts'
import { infoOf } from '../timestamp/info-of-token.ts'
import { derElement, derSequence, hashOfRenewedTree } from './hashes-of-record.ts'
import { rootOf } from './hash-tree.ts'
import { readEvidenceRecord } from './read-evidence-record.ts'
import type { EvidenceRecord } from './read-evidence-record.ts'

/** Digests that records are written with: those that are in force (ETSI TS 119 312), and stay so for longer than any time stamp. */
export type RecordDigest = 'sha256' | 'sha384' | 'sha512'

/** AlgorithmIdentifier contents with absent parameters (RFC 5754 §2). */
const identifiers: Readonly<Record<RecordDigest, Uint8Array>> = {
  sha256: fromHex('0609608648016503040201'),
  sha384: fromHex('0609608648016503040202'),
  sha512: fromHex('0609608648016503040203'),
}

export type StampedLeaf = {
  /** Digest of the document, or what {@link leafOfTimestampRenewal} and {@link leafOfTreeRenewal} answer. */
  readonly leaf: Uint8Array
  /** From the leaf to the root: `path(i)` of its tree; empty when the time stamp is over the leaf itself. */
  readonly path: readonly Uint8Array[]
  /** RFC 3161 token, or the response that holds it, over the root. */
  readonly token: Uint8Array
}

/**
 * DER of an EvidenceRecord, version 1, of one document and one time stamp (RFC 4998 §3.1): the reduced hash tree has the leaf alone in
 * its first list, so that the record says which document it is about, and one sibling in each other one (decision 0280).
 * @throws RangeError when the time stamp is not over the root. @throws MalformedError when it is no time stamp
 */
export function buildEvidenceRecord(stamped: StampedLeaf, algorithm: RecordDigest = 'sha256'): Uint8Array<ArrayBuffer> {
  return encodeRecord([algorithm], [derSequence([archiveTimestamp(stamped, algorithm)])])
}

/** Hash of the last time stamp: what the next one of its chain must be over (RFC 4998 §5.2, timestamp renewal). @throws MalformedError */
export function leafOfTimestampRenewal(record: Uint8Array): Uint8Array {
  const last = lastOf(readEvidenceRecord(record))
  return digests[last.algorithm](last.token)
}

/**
 * The record with one more time stamp in its last chain, before the certificate of the last one ends.
 * @throws RangeError when the leaf is not {@link leafOfTimestampRenewal}, or the time stamp not over the root. @throws MalformedError
 */
export function renewTimestamp(record: Uint8Array, stamped: StampedLeaf): Uint8Array<ArrayBuffer> {
  const read = readEvidenceRecord(record)
  if (!equalBytes(stamped.leaf, leafOfTimestampRenewal(record))) throw new RangeError('not the hash of the last time stamp')
  const before = read.chains.map(({ encoded }) => encoded)
  const chain = readDer(before.pop() as Uint8Array, 0x30)
  const stamps = [...children(chain).map(({ encoded }) => encoded), archiveTimestamp(stamped, lastOf(read).algorithm)]
  return encodeRecord(algorithmsOf(read), [...before, derSequence(stamps)])
}

/**
 * What the first time stamp of a new chain must be over, when the hash algorithm of the last one ends (RFC 4998 §5.2, hash-tree renewal).
 * @param documentDigest of the document under `algorithm`. @throws MalformedError
 */
export function leafOfTreeRenewal(record: Uint8Array, documentDigest: Uint8Array, algorithm: RecordDigest): Uint8Array {
  if (documentDigest.length !== digests[algorithm].outputLen) throw new RangeError(`no digest of ${algorithm}`)
  return hashOfRenewedTree(documentDigest, readEvidenceRecord(record).chains, digests[algorithm])
}

/** The record with a new chain. @throws RangeError when the time stamp is not over the root. @throws MalformedError */
export function renewHashTree(record: Uint8Array, stamped: StampedLeaf, algorithm: RecordDigest): Uint8Array<ArrayBuffer> {
  const read = readEvidenceRecord(record)
  const before = read.chains.map(({ encoded }) => encoded)
  const algorithms = [...new Set([...algorithmsOf(read), algorithm])]
  return encodeRecord(algorithms, [...before, derSequence([archiveTimestamp(stamped, algorithm)])])
}

function encodeRecord(algorithms: readonly RecordDigest[], chains: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const named = algorithms.map((each) => derSequence([identifiers[each]]))
  return derSequence([Uint8Array.of(0x02, 1, 1), derSequence(named), derSequence(chains)])
}

function archiveTimestamp({ leaf, path, token }: StampedLeaf, algorithm: RecordDigest): Uint8Array {
  const hash = digests[algorithm]
  if ([leaf, ...path].some(({ length }) => length !== hash.outputLen))
    throw new RangeError(`hash values that are not of ${algorithm}`)
  const encoded = tokenOf(token)
  const { imprint, algorithm: stamped } = infoOf(encoded)
  if (stamped !== algorithm || !equalBytes(imprint, rootOf(leaf, path, hash)))
    throw new RangeError('the time stamp is not over the root of the tree')
  const lists = [leaf, ...path].map((value) => derSequence([derElement(0x04, [value])]))
  const tree = path.length === 0 ? [] : [derElement(0xa2, lists)]
  return derSequence([derElement(0xa0, [identifiers[algorithm]]), ...tree, encoded])
}

/** The token of a response, or the token itself, with definite lengths: a record is DER. @throws MalformedError */
function tokenOf(stamp: Uint8Array): Uint8Array {
  const { encoded } = definiteLengths(stamp)
  const form = readTokenForm(encoded)
  if (form.kind === 'token') return encoded
  return form.kind === 'response' && form.token !== undefined ? form.token : malformed('no token')
}

function lastOf(read: EvidenceRecord): { readonly token: Uint8Array; readonly algorithm: RecordDigest } {
  const last = read.chains.at(-1)?.timestamps.at(-1)
  if (last === undefined) malformed('a record without time stamps')
  return {
    token: last.token,
    algorithm: writable(last.algorithm === undefined ? infoOf(last.token).algorithm : last.algorithm.name),
  }
}

function algorithmsOf(read: ReturnType<typeof readEvidenceRecord>): RecordDigest[] {
  if (read.cryptoInfos || read.encryptionInfo || read.version !== 1) malformed('a record that is not renewed here')
  return read.algorithms.map(({ name }) => writable(name))
}

function writable(name: DigestName | undefined): RecordDigest {
  return name === 'sha256' || name === 'sha384' || name === 'sha512'
    ? name
    : malformed('an algorithm that no record is written with')
}
