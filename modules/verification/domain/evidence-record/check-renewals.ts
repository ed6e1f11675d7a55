import { toHex } from '../../../../kernel/bytes.ts'
import { digests } from '../hash/digests.ts'
import type { DigestName } from '../hash/digests.ts'
import { stepOf } from '../cms/check-signer.ts'
import { digestWeakness, isWeakAt, labelOf } from '../certificate/strength.ts'
import type { ProofCheck } from '../report/proof-report.ts'
import type { CanonicalForm } from '../xml/canonicalise.ts'
import { derSequence, hashOfRenewedTree } from './hashes-of-record.ts'
import { covers } from './examine-timestamp.ts'
import type { Examined } from './examine-timestamp.ts'
import type { Chain, EvidenceRecord } from './read-evidence-record.ts'

/** Clocks of two time authorities are never one. */
const clockTolerance = 5 * 60_000

/**
 * Digest of the document under an algorithm; undefined when it is not at hand. @param form of its canonical form, which there is where
 * it is XML.
 */
export type DocumentDigest = (algorithm: DigestName, form?: CanonicalForm) => Promise<Uint8Array | undefined>

/** The digest that is covered, of the document as it is or, in a record in XML, as it is canonicalised (RFC 6283 §2.2); else as it is. */
export async function coveredDigest(
  each: Examined,
  algorithm: DigestName,
  documentDigest: DocumentDigest,
  form: CanonicalForm | undefined,
): Promise<{ readonly digest: Uint8Array; readonly isCovered: boolean } | undefined> {
  const digest = await documentDigest(algorithm)
  if (digest === undefined || covers(each, digest)) return digest === undefined ? undefined : { digest, isCovered: true }
  const other = form === undefined ? undefined : await documentDigest(algorithm, form)
  return other !== undefined && covers(each, other) ? { digest: other, isCovered: true } : { digest, isCovered: false }
}

/**
 * Whether a time stamp covers the one before it (RFC 4998 §5.3 point 2), or, the first of a chain, the document and all chains before
 * (point 3).
 */
export async function coverageCheck(
  each: Examined,
  before: Examined,
  record: EvidenceRecord,
  documents: readonly DocumentDigest[],
): Promise<ProofCheck> {
  const { subject, algorithm, algorithmId } = each
  const id = each.isFirstOfChain ? 'new_chain' : 'renewal'
  const base = { id, subject }
  if (algorithm === undefined)
    return { ...base, status: 'indeterminate', data: { reason: 'unknown_algorithm', algorithm: algorithmId } }
  const hash = digests[algorithm]
  const says = { algorithm: labelOf(algorithm), before: before.subject.split(' ').at(-1) ?? '' }
  if (!each.isFirstOfChain) {
    const renewed = before.stamp.renewed ?? before.stamp.token
    const value = hash(renewed)
    const steps = [stepOf(algorithm, renewed, value)]
    return covers(each, value)
      ? { ...base, status: 'passed', data: { ...says, digest: toHex(value) }, steps }
      : { ...base, status: 'failed', data: { ...says, digest: toHex(value), reason: 'other_timestamp' }, steps }
  }
  const own = record.chains[each.chain]
  if (own?.form !== undefined) return await besideCheck(each, own, own.form, documents, { ...base, data: says })
  const chains = record.chains.slice(0, each.chain)
  const sequence = derSequence(chains.map(({ encoded }) => encoded))
  const steps = [stepOf(algorithm, sequence, hash(sequence))]
  let value = ''
  for (const documentDigest of documents) {
    const digest = await documentDigest(algorithm)
    if (digest === undefined)
      return { ...base, status: 'indeterminate', data: { ...says, digest: '', reason: 'document_wanted' } }
    const hashed = hashOfRenewedTree(digest, chains, hash)
    value = toHex(hashed)
    if (!covers(each, hashed))
      return { ...base, status: 'failed', data: { ...says, digest: value, reason: 'other_chains' }, steps }
  }
  return { ...base, status: 'passed', data: { ...says, digest: value }, steps }
}

/** RFC 6283 §4.2.2: the first list holds the hash of the chains before, and that of each document beside it. */
async function besideCheck(
  each: Examined,
  { encoded }: Chain,
  form: CanonicalForm,
  documents: readonly DocumentDigest[],
  base: Pick<ProofCheck, 'id' | 'subject' | 'data'>,
): Promise<ProofCheck> {
  const algorithm = each.algorithm ?? 'sha256'
  const value = digests[algorithm](encoded)
  const digest = toHex(value)
  const steps = [stepOf(algorithm, encoded, value)]
  if (!covers(each, value)) return { ...base, status: 'failed', data: { ...base.data, digest, reason: 'other_chains' }, steps }
  for (const documentDigest of documents) {
    const found = await coveredDigest(each, algorithm, documentDigest, form)
    if (found === undefined)
      return { ...base, status: 'indeterminate', data: { ...base.data, digest: '', reason: 'document_wanted' } }
    if (!found.isCovered)
      return { ...base, status: 'failed', data: { ...base.data, digest: toHex(found.digest), reason: 'other_chains' }, steps }
  }
  return { ...base, status: 'passed', data: { ...base.data, digest }, steps }
}

/** Archive time stamps stand in the order of time (RFC 4998 §5.1, §5.2). */
export function orderCheck(each: Examined, before: Examined): ProofCheck[] {
  const [at, earlier] = [each.info?.genTime, before.info?.genTime]
  if (at === undefined || earlier === undefined) return []
  const base = { id: 'order', subject: each.subject }
  const data = { at: at.toISOString(), earlier: earlier.toISOString() }
  return at.getTime() + clockTolerance >= earlier.getTime()
    ? [{ ...base, status: 'passed', data }]
    : [{ ...base, status: 'failed', data: { ...data, reason: 'out_of_order' } }]
}

/**
 * Whether a time stamp was renewed while its certificates were in force (RFC 4998 §5.3 point 2). What was renewed later may hold and is
 * not shown to (EN 319 102-1 §5.6).
 * @param ends first end of a certificate of the one before. @param subject of the one before
 */
export function inTimeCheck(each: Examined, ends: { readonly at: Date; readonly name: string } | undefined): ProofCheck[] {
  const at = each.info?.genTime
  if (at === undefined || ends === undefined) return []
  const base = { id: 'in_time', subject: each.subject }
  const data = { at: at.toISOString(), until: ends.at.toISOString(), name: ends.name }
  return at <= ends.at
    ? [{ ...base, status: 'passed', data }]
    : [{ ...base, status: 'indeterminate', data: { ...data, reason: 'renewed_late' } }]
}

/** All of a chain use one algorithm (RFC 4998 §5.2), which no one broke before the next chain began, or until now (§5.3 point 2). */
export function algorithmChecks(all: readonly Examined[], now: Date): ProofCheck[] {
  return all.flatMap((each): ProofCheck[] => {
    const { subject, algorithm, chain, info } = each
    if (!each.isFirstOfChain) {
      const first = all.find((other) => other.chain === chain)
      if (algorithm === undefined || first?.algorithm === undefined) return []
      const data = { algorithm: labelOf(algorithm), first: labelOf(first.algorithm) }
      return algorithm === first.algorithm
        ? [{ id: 'chain_algorithm', status: 'passed', subject, data }]
        : [{ id: 'chain_algorithm', status: 'failed', subject, data: { ...data, reason: 'other_chain_algorithm' } }]
    }
    if (algorithm === undefined) return []
    const next = all.find((other) => other.chain === chain + 1)?.info?.genTime ?? now
    const weak = digestWeakness(algorithm)
    const data = { algorithm: labelOf(algorithm), until: weak?.until ?? '' }
    if (weak === undefined || !isWeakAt(weak, next)) return [{ id: 'hash_strength', status: 'passed', subject, data }]
    const reason = info !== undefined && isWeakAt(weak, info.genTime) ? 'weak_then' : 'weak_since'
    return [{ id: 'hash_strength', status: 'indeterminate', subject, data: { ...data, reason } }]
  })
}
