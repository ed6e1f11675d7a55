import { equalBytes, toHex } from '../../../../kernel/bytes.ts'
import { digests } from '../hash/digests.ts'
import type { DigestName } from '../hash/digests.ts'
import { stepOf } from '../cms/check-signer.ts'
import { labelOf } from '../certificate/strength.ts'
import { MalformedError } from '../encoding/der.ts'
import { compareBytes } from '../opentimestamps/operation.ts'
import type { ProofCheck } from '../report/proof-report.ts'
import { infoOf } from '../timestamp/info-of-token.ts'
import type { TstInfo } from '../timestamp/read-tst-info.ts'
import { rootOfLists } from './hashes-of-record.ts'
import type { Hashed } from './hashes-of-record.ts'
import type { Algorithm, ArchiveTimestamp, EvidenceRecord } from './read-evidence-record.ts'

/** One archive time stamp, where it stands, and what its hash tree leads to. */
export type Examined = {
  /** `time stamp 2`: counted through all chains. */
  readonly subject: string
  /** From 0. */
  readonly chain: number
  readonly isFirstOfChain: boolean
  readonly stamp: ArchiveTimestamp
  readonly info: TstInfo | undefined
  /** Of the hash tree: as stated, else that of the time stamp (RFC 4998 §4.1). */
  readonly algorithm: DigestName | undefined
  readonly algorithmId: string
  /** Hash values of which one must be what is covered: the first list, or what was stamped when there is no tree. */
  readonly covered: readonly Uint8Array[]
  readonly hashed: readonly Hashed[]
  /** What must have been stamped; undefined when it cannot be calculated. */
  readonly root: Uint8Array | undefined
  readonly flaw: HashTreeFlaw | undefined
}

export type HashTreeFlaw = 'unknown_algorithm' | 'empty_list' | 'value_length' | 'other_stamp_algorithm' | 'other_root'

/** Every time stamp of a record, in its order. Never throws. */
export function examineTimestamps({ chains }: EvidenceRecord): Examined[] {
  const found: Examined[] = []
  for (const [chain, { timestamps }] of chains.entries())
    for (const [i, stamp] of timestamps.entries()) {
      const place = { subject: `time stamp ${found.length + 1}`, chain, isFirstOfChain: i === 0, stamp }
      found.push({ ...place, ...examine(stamp) })
    }
  return found
}

function examine(stamp: ArchiveTimestamp): Omit<Examined, 'subject' | 'chain' | 'isFirstOfChain' | 'stamp'> {
  const info = infoOrNone(stamp.token)
  const { id, name: algorithm } = stamp.algorithm ?? stampAlgorithm(info)
  const lists = stamp.lists ?? (info === undefined ? [] : [[info.imprint]])
  const base = { info, algorithm, algorithmId: id, covered: lists[0] ?? [], hashed: [], root: undefined }
  if (algorithm === undefined) return { ...base, flaw: 'unknown_algorithm' }
  const hash = digests[algorithm]
  // Without a time stamp that can be read there is nothing to say of what it is over: that check says so.
  if (lists.length === 0 || lists.some((list) => list.length === 0))
    return { ...base, flaw: info === undefined && stamp.lists === undefined ? undefined : 'empty_list' }
  if (lists.some((list) => list.some(({ length }) => length !== hash.outputLen))) return { ...base, flaw: 'value_length' }
  const { root, hashed } = rootOfLists(lists, hash) ?? { root: undefined, hashed: [] }
  const found = { ...base, root, hashed }
  if (info === undefined || root === undefined) return { ...found, flaw: undefined }
  if (info.algorithm !== algorithm) return { ...found, flaw: 'other_stamp_algorithm' }
  return { ...found, flaw: equalBytes(root, info.imprint) ? undefined : 'other_root' }
}

function stampAlgorithm(info: TstInfo | undefined): Algorithm {
  return { id: info?.algorithmId ?? '', name: info?.algorithm }
}

function infoOrNone(token: Uint8Array): TstInfo | undefined {
  try {
    return infoOf(token)
  } catch (error) {
    if (error instanceof MalformedError || error instanceof RangeError) return undefined
    throw error
  }
}

/** More calculations than a reader can look at are said, not shown. */
const mostSteps = 64

/** Whether the hash tree of a time stamp leads to what was stamped. None where the time stamp cannot be read: that is said instead. */
export function hashTreeCheck(each: Examined): ProofCheck[] {
  const { subject, stamp, algorithm, algorithmId, info, root, flaw, hashed } = each
  if (info === undefined) return []
  const id = 'hash_tree'
  const values = stamp.lists?.reduce((sum, list) => sum + list.length, 0) ?? 0
  const data = {
    algorithm: algorithm === undefined ? algorithmId : labelOf(algorithm),
    values,
    root: toHex(root ?? info.imprint),
    stamped: toHex(info.imprint),
    stamped_by: info.algorithm === undefined ? info.algorithmId : labelOf(info.algorithm),
  }
  const steps =
    algorithm === undefined ? [] : hashed.slice(0, mostSteps).map(({ input, output }) => stepOf(algorithm, input, output))
  const base = { id, subject, ...(steps.length === 0 ? {} : { steps }) }
  if (flaw === undefined) return [{ ...base, status: 'passed', data }]
  return [{ ...base, status: flaw === 'unknown_algorithm' ? 'indeterminate' : 'failed', data: { ...data, reason: flaw } }]
}

/** RFC 4998 §4.2 writes lists in ascending order; hashing does not depend on it, so that another order is not noticed. */
export function isSorted({ stamp }: Examined): boolean {
  return (stamp.lists ?? []).every((list) =>
    list.every((value, i) => i === 0 || compareBytes(list[i - 1] as Uint8Array, value) <= 0),
  )
}

/** Whether one of the hash values that a time stamp is over is this one. */
export function covers({ covered }: Examined, value: Uint8Array): boolean {
  return covered.some((each) => equalBytes(each, value))
}
