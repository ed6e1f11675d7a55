import { equalBytes, toHex } from '../../../../kernel/bytes.ts'
import type { DigestName } from '../hash/digests.ts'
import { unarmoured } from '../cms/armour.ts'
import { definiteLengths } from '../encoding/definite-lengths.ts'
import { digestCompared } from '../cms/digest-content.ts'
import type { Compared } from '../cms/digest-content.ts'
import { labelOf } from '../certificate/strength.ts'
import { digests } from '../hash/digests.ts'
import { orUndefined } from '../cms/check-signer.ts'
import { MalformedError } from '../encoding/der.ts'
import { VerificationStopped } from '../file/readable.ts'
import { proofReport } from '../report/proof-report.ts'
import type { Bound, Fact, ProofCheck, ProofReport, ProvenDate } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import type { Budget, Certificate } from '../certificate/x509.ts'
import { algorithmChecks, coverageCheck, coveredDigest, inTimeCheck, orderCheck } from './check-renewals.ts'
import type { DocumentDigest } from './check-renewals.ts'
import { checkStamp } from './check-stamp.ts'
import type { CheckedStamp } from './check-stamp.ts'
import { examineTimestamps, hashTreeCheck, isSorted } from './examine-timestamp.ts'
import type { Examined } from './examine-timestamp.ts'
import { canonical } from '../xml/canonicalise.ts'
import type { CanonicalForm } from '../xml/canonicalise.ts'
import { readXmlDocument } from '../xml/read-xml.ts'
import { readEvidenceRecord } from './read-evidence-record.ts'
import { readXmlRecord } from './read-xml-record.ts'
import type { EvidenceRecord } from './read-evidence-record.ts'

/** Every check of an evidence record, in the order in which they are said. */
export const evidenceRecordChecks = [
  'form',
  'version',
  'algorithms_listed',
  'document',
  'hash_tree',
  'time_stamp',
  'trust',
  'qualified',
  'renewal',
  'new_chain',
  'order',
  'in_time',
  'chain_algorithm',
  'hash_strength',
  'accuracy',
  'revocation',
  'current',
  'unsigned',
  'octets',
  'unprotected',
] as const

export const evidenceRecordFacts = ['time_stamps', 'chains', 'root', 'group', 'gen_time', 'authority'] as const

export type EvidenceRecordProof = {
  /** EvidenceRecord of RFC 4998: DER, PEM or base64; or of RFC 6283. */
  readonly record: Uint8Array
  /** What it should be about: digests of it, or itself where a later chain hashes it anew. */
  readonly data?: readonly Compared[]
  /** Documents of a group (RFC 4998 §4.3): each of them must be there. In place of `data`. */
  readonly documents?: readonly DocumentDigest[]
  /** Certificates from beside the record: used to build chains, not trusted. */
  readonly certificates?: readonly Certificate[]
}

const largest = 8 << 20

/**
 * Verifies an evidence record (RFC 4998 §4.3, §5.3; RFC 6283 §3.3, §4.3): the document in the first hash tree, every time stamp as of the one that renewed
 * it, every renewal, and the algorithms by their dates. Never throws but VerificationStopped and what reading the data throws.
 */
export async function verifyEvidenceRecord(proof: EvidenceRecordProof, deps: VerifyDeps): Promise<ProofReport> {
  const read = readOrReason(proof.record)
  if (typeof read !== 'string') return await verify(read, proof, deps)
  // Written in a way that the standard allows, and that is not evaluated here.
  const isOpen = read === 'token_type' || read === 'canonical_form'
  const form: ProofCheck = { id: 'form', status: isOpen ? 'indeterminate' : 'failed', data: { reason: read } }
  return proofReport('evidence_record', deps, { checks: [form], unusable: !isOpen })
}

type Read = {
  readonly record: EvidenceRecord
  /** The octets that were read; offsets in them are those in the file when it was given as it is. */
  readonly bytes: Uint8Array
  readonly isAsGiven: boolean
  readonly form: 'der' | 'ber' | 'padding' | 'xml'
}

function readOrReason(given: Uint8Array): Read | string {
  if (isXml(given)) {
    if (given.length > largest) return 'too_large'
    const record = orUndefined(() => readXmlRecord(given)) ?? 'malformed'
    return typeof record === 'string' ? record : { record, bytes: given, isAsGiven: false, form: 'xml' }
  }
  const bytes = unarmoured(given)
  if (bytes === undefined || bytes[0] !== 0x30) return 'not_asn1'
  if (bytes.length > largest) return 'too_large'
  const isAsGiven = bytes === given
  try {
    try {
      return { record: readEvidenceRecord(bytes), bytes, isAsGiven, form: 'der' }
    } catch (error) {
      if (!(error instanceof MalformedError)) throw error
      const { encoded, padded } = definiteLengths(bytes)
      const isPadded = padded && encoded.buffer === bytes.buffer
      return {
        record: readEvidenceRecord(encoded),
        bytes: encoded,
        isAsGiven: isAsGiven && isPadded,
        form: isPadded ? 'padding' : 'ber',
      }
    }
  } catch (error) {
    if (error instanceof MalformedError || error instanceof RangeError) return 'malformed'
    throw error
  }
}

/** RFC 6283 §3: its root element and namespace. */
function isXml(bytes: Uint8Array): boolean {
  const text = new TextDecoder()
    .decode(bytes.subarray(0, 8192))
    .replace(/^\ufeff/, '')
    .trimStart()
  return text.startsWith('<') && /<(?:[\w.-]+:)?EvidenceRecord[\s>]/.test(text) && text.includes('urn:ietf:params:xml:ns:ers')
}

async function verify(read: Read, proof: EvidenceRecordProof, deps: VerifyDeps): Promise<ProofReport> {
  const { record } = read
  const all = examineTimestamps(record)
  const [first] = all
  if (first === undefined) throw new RangeError('a record without time stamps')
  const documents = (proof.documents ?? [digestOf(proof.data ?? [], deps)]).map(once)
  const coverage: ProofCheck[] = []
  for (const [i, each] of all.entries()) {
    const before = all[i - 1]
    if (before !== undefined) coverage.push(await coverageCheck(each, before, record, documents))
  }
  const document = await documentCheck(first, record, documents, (proof.data ?? []).length > 0)
  const trees = all.map(hashTreeCheck)
  const holds = (i: number): boolean =>
    trees[i]?.[0]?.status === 'passed' && (i === 0 ? document.status !== 'failed' : coverage[i - 1]?.status === 'passed')
  const stamps = await checkStamps(all, holds, { read, proof, deps })
  const checks: ProofCheck[] = [
    { id: 'form', status: 'passed', data: { time_stamps: all.length, chains: record.chains.length } },
    versionCheck(record),
    ...algorithmsCheck(record, all),
    document,
    ...all.flatMap((each, i) => {
      const before = all[i - 1]
      const renewals =
        before === undefined
          ? []
          : [...coverage.slice(i - 1, i), ...orderCheck(each, before), ...inTimeCheck(each, stamps[i - 1]?.ends)]
      return [...(trees[i] ?? []), ...renewals, ...(stamps[i]?.checks ?? [])]
    }),
    ...algorithmChecks(all, deps.now()),
    ...unprotectedCheck(read, all),
  ]
  return proofReport('evidence_record', deps, {
    checks,
    facts: factsOf(record, all, first, stamps),
    bound: boundOf(first),
    dates: datesOf(stamps, holds),
  })
}

function digestOf(data: readonly Compared[], deps: VerifyDeps): DocumentDigest {
  return async (algorithm, form) => {
    for (const each of data) {
      const found =
        form === undefined ? await digestCompared(each, algorithm, deps) : await canonicalDigest(each, algorithm, form)
      if (found !== undefined) return found
    }
    return undefined
  }
}

async function canonicalDigest(data: Compared, algorithm: DigestName, form: CanonicalForm): Promise<Uint8Array | undefined> {
  if ('digests' in data || ('file' in data && data.file.size > largest)) return undefined
  return digestOfCanonical('bytes' in data ? data.bytes : await data.file.read(0, data.file.size), algorithm, form)
}

/** Of a document in XML; undefined when it is none. */
export function digestOfCanonical(bytes: Uint8Array, algorithm: DigestName, form: CanonicalForm): Uint8Array | undefined {
  return orUndefined(() => digests[algorithm](canonical(readXmlDocument(bytes, { instructions: true }), form)))
}

/** Each algorithm once: a large document is not read again for each chain. */
function once(documentDigest: DocumentDigest): DocumentDigest {
  const known = new Map<string, Uint8Array | undefined>()
  return async (algorithm, form) => {
    const key = JSON.stringify([algorithm, form])
    if (!known.has(key)) known.set(key, await documentDigest(algorithm, form))
    return known.get(key)
  }
}

/**
 * From the last to the first: each is judged as of the instant of the one that renewed it, as long as that one holds and its authority
 * is known; else as of now (RFC 4998 §5.3).
 */
async function checkStamps(
  all: readonly Examined[],
  holds: (i: number) => boolean,
  { read, proof, deps }: { readonly read: Read; readonly proof: EvidenceRecordProof; readonly deps: VerifyDeps },
): Promise<CheckedStamp[]> {
  const budget: Budget = { left: 48 + 8 * Math.min(all.length, 24) }
  const stamps: CheckedStamp[] = []
  let now = deps.now()
  for (const [i, each] of [...all.entries()].toReversed()) {
    if (deps.signal?.aborted === true) throw new VerificationStopped('stopped')
    const own = each.info?.genTime
    const at = own !== undefined && own > now && i < all.length - 1 ? own : now
    const asks = { certificates: proof.certificates ?? [], budget, isLast: i === all.length - 1, offset: offsetOf(read, each) }
    const stamp = await checkStamp(each, { ...deps, now: () => at }, asks)
    stamps.unshift(stamp)
    now = holds(i) && stamp.dates.length > 0 && own !== undefined ? own : at
    await deps.pause?.()
  }
  return stamps
}

function offsetOf({ bytes, isAsGiven }: Read, { stamp }: Examined): number | undefined {
  return isAsGiven && stamp.token.buffer === bytes.buffer ? stamp.token.byteOffset - bytes.byteOffset : undefined
}

function versionCheck({ version }: EvidenceRecord): ProofCheck {
  const base = { id: 'version', data: { version } }
  return version === 1 ? { ...base, status: 'passed' } : { ...base, status: 'failed', data: { version, reason: 'other_version' } }
}

/** The union of those of the time stamps, each once (RFC 4998 §3.1). Nothing signs it: another one is the mark of a change. */
function algorithmsCheck({ algorithms }: EvidenceRecord, all: readonly Examined[]): ProofCheck[] {
  if (algorithms === undefined) return []
  const listed = algorithms.map(({ id }) => id)
  const used = new Set(all.map(({ algorithmId }) => algorithmId))
  const isSame = listed.length === used.size && new Set(listed).size === used.size && listed.every((id) => used.has(id))
  const data = { algorithms: algorithms.map(({ id, name }) => (name === undefined ? id : labelOf(name))).join(', ') }
  return isSame
    ? [{ id: 'algorithms_listed', status: 'passed', data }]
    : [{ id: 'algorithms_listed', status: 'indeterminate', data: { ...data, reason: 'algorithms_differ' } }]
}

/** RFC 4998 §4.3 points 1 and 2. */
async function documentCheck(
  first: Examined,
  record: EvidenceRecord,
  documents: readonly DocumentDigest[],
  isGiven: boolean,
): Promise<ProofCheck> {
  const { algorithm, algorithmId, covered } = first
  const base = { id: 'document' }
  const [only, second] = covered
  const digest = only !== undefined && second === undefined ? toHex(only) : ''
  const data = {
    algorithm: algorithm === undefined ? algorithmId : labelOf(algorithm),
    digest,
    has_digest: digest === '' ? 'no' : 'yes',
  }
  if (algorithm === undefined) return { ...base, status: 'indeterminate', data: { ...data, reason: 'unknown_algorithm' } }
  const repeat_command = `openssl dgst -${algorithm} FILE`
  let given = ''
  for (const documentDigest of documents) {
    const found = await coveredDigest(first, algorithm, documentDigest, record.chains[0]?.form)
    if (found === undefined) {
      const reason = isGiven ? 'other_algorithm_given' : 'nothing_to_compare'
      return { ...base, status: 'indeterminate', data: { ...data, reason }, repeat_command }
    }
    given = toHex(found.digest)
    if (found.isCovered) continue
    // What is dated is what the document became when it was encrypted (RFC 4998 §6).
    const status = record.encryptionInfo ? 'indeterminate' : 'failed'
    const reason = record.encryptionInfo ? 'encrypted' : 'other_document'
    return { ...base, status, data: { ...data, given, reason }, repeat_command }
  }
  return { ...base, status: 'passed', data: { ...data, digest: given }, repeat_command }
}

/** Members that no hash covers, or that are written as DER does not write them: what stands there may have been changed. */
function unprotectedCheck({ record, form }: Read, all: readonly Examined[]): ProofCheck[] {
  const names = [
    ...(record.cryptoInfos ? [form === 'xml' ? 'SupportingInformationList' : 'cryptoInfos'] : []),
    ...(record.encryptionInfo ? [form === 'xml' ? 'EncryptionInformation' : 'encryptionInfo'] : []),
    ...(all.some(({ stamp }) => stamp.attributes > 0) ? ['attributes'] : []),
  ].join(', ')
  const reason =
    names !== ''
      ? 'members_unprotected'
      : form === 'ber' || form === 'padding'
        ? form
        : all.every(isSorted)
          ? undefined
          : 'lists_unsorted'
  if (reason === undefined) return [{ id: 'unprotected', status: 'passed', data: { names: '' } }]
  return [{ id: 'unprotected', status: 'indeterminate', supplementary: true, data: { names, reason } }]
}

const boundAlgorithms = ['sha1', 'sha256', 'sha384', 'sha512', 'sha3-256'] as const
/** Documents of a group that are looked for among what is given beside. */
const mostBound = 256

function boundOf({ algorithm, covered, root, stamp }: Examined): Bound[] {
  const linked = boundAlgorithms.find((each) => each === algorithm)
  if (linked === undefined) return []
  const bound = covered.slice(0, mostBound).map((value): Bound => ({ algorithm: linked, hex: toHex(value), of: 'imprint' }))
  const isTree = stamp.lists !== undefined && root !== undefined && !covered.some((value) => equalBytes(value, root))
  return isTree ? [...bound, { algorithm: linked, hex: toHex(root), of: 'root' }] : bound
}

/** A date that a time stamp gives to what it covers, whoever dated it before: each stands without the others. */
function datesOf(stamps: readonly CheckedStamp[], holds: (i: number) => boolean): ProvenDate[] {
  const dates: ProvenDate[] = []
  for (const [i, { dates: own }] of stamps.entries()) {
    if (!holds(i)) break
    dates.push(...own)
  }
  return dates
}

function factsOf(record: EvidenceRecord, all: readonly Examined[], first: Examined, stamps: readonly CheckedStamp[]): Fact[] {
  const { root, covered } = first
  return [
    { id: 'time_stamps', value: all.length, form: 'count' },
    { id: 'chains', value: record.chains.length, form: 'count' },
    ...(root === undefined ? [] : [{ id: 'root', value: toHex(root), form: 'hex' } as const]),
    ...(covered.length > 1 ? [{ id: 'group', value: covered.length, form: 'count' } as const] : []),
    ...stamps.flatMap(({ facts }) => facts),
  ]
}
