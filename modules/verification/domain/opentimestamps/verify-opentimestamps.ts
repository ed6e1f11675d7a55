import { toHex } from '../../../../kernel/bytes.ts'
import { displayed } from '../bitcoin/block-header.ts'
import { transactionOn } from './block-path.ts'
import { examineBlock, headerReasons, mostBlocks } from '../bitcoin/examine-block.ts'
import type { ExaminedBlock } from '../bitcoin/examine-block.ts'
import {
  blockDate,
  blockFactIds,
  blockFacts,
  blockName,
  headerCheck,
  inBlock,
  inBlockReasons,
  stepOf,
} from '../bitcoin/in-block.ts'
import type { Result } from '../bitcoin/in-block.ts'
import { MalformedError } from '../encoding/der.ts'
import { VerificationStopped } from '../file/readable.ts'
import { proofReport } from '../report/proof-report.ts'
import type { Bound, Fact, ProofCheck, ProofReport, Step } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { applyOperation, hashes } from './operation.ts'
import { otsReasons, readOts } from './read-ots.ts'
import { attestationsOf } from './tree.ts'
import type { Attested, DetachedTimestamp } from './tree.ts'

export const openTimestampsChecks = ['format', 'digest', 'attestation', 'block_header'] as const
export const openTimestampsReasons = [
  ...otsReasons,
  ...inBlockReasons,
  ...headerReasons,
  'nothing_given',
  'differs',
  'other_algorithm',
  'weak_algorithm',
  'pending',
  'litecoin',
  'unknown',
] as const
export const openTimestampsFacts = [...blockFactIds, 'digest', 'algorithm', 'calendar', 'transaction'] as const
type Check = ProofCheck & { readonly id: (typeof openTimestampsChecks)[number] }

export type OpenTimestampsInput = {
  /** A detached `.ots` file. */
  readonly proof: Uint8Array
  /** What was dated, when it is at hand: itself, or its digest in hexadecimal. */
  readonly data?: Uint8Array
  readonly digest?: string
}

/** More attestations than any proof has, and as many as a reader can look at. */
const mostAttestations = 64
const mostSteps = 2000

/**
 * Verifies an OpenTimestamps proof: each attestation by the way that leads to it, and each block by its header. A calendar's promise
 * is pending, never an anchor. @throws VerificationStopped when `deps.signal` says so; nothing else on any input.
 */
export async function verifyOpenTimestamps(input: OpenTimestampsInput, deps: VerifyDeps): Promise<ProofReport> {
  const read = readOrReason(input.proof)
  if (typeof read === 'string') {
    const format: Check = { id: 'format', status: 'failed', data: { reason: read } }
    return proofReport('opentimestamps', deps, { checks: [format], unusable: read === 'magic' })
  }
  const found = attestationsOf(read.tree)
  const blocks = new Map<number, ExaminedBlock>()
  for (const { attestation } of found) {
    if (deps.signal?.aborted === true) throw new VerificationStopped('stopped')
    if (attestation.kind === 'bitcoin' && !blocks.has(attestation.height))
      blocks.set(attestation.height, await examineBlock(attestation.height, deps))
  }
  const digest = toHex(read.tree.message)
  const format: Check = {
    id: 'format',
    status: 'passed',
    data: { algorithm: algorithmNames[read.hash], digest, attestations: found.length },
    repeat_command: 'ots info FILE.ots',
  }
  const attestations = attestationChecks(read, found, blocks)
  const proven = [...blocks.values()].filter(({ height }) =>
    attestations.some(({ status, subject }) => status === 'passed' && subject === blockName(height)),
  )
  return proofReport('opentimestamps', deps, {
    checks: [format, digestCheck(read, digest, input), ...attestations, ...headerChecks(blocks)],
    facts: factsOf(read, digest, found, blocks),
    bound: read.hash === 'keccak256' ? [] : [{ algorithm: read.hash, hex: digest, of: 'imprint' } satisfies Bound],
    dates: proven.flatMap(blockDate),
  })
}

function readOrReason(bytes: Uint8Array): DetachedTimestamp | string {
  try {
    const read = readOts(bytes)
    const found = attestationsOf(read.tree)
    const heights = found.flatMap(({ attestation }) => (attestation.kind === 'bitcoin' ? [attestation.height] : []))
    return found.length > mostAttestations || new Set(heights).size > mostBlocks ? 'too_many' : read
  } catch (error) {
    if (error instanceof MalformedError) return error.message
    throw error
  }
}

/**
 * Whoever prepares two documents of one digest by these has one proof for both: SHA-1 is broken, 160 bits are few. Both existed then,
 * so that the date holds; which of them was meant does not.
 */
const weak: readonly string[] = ['sha1', 'ripemd160']

const algorithmNames = { sha1: 'SHA-1', ripemd160: 'RIPEMD-160', sha256: 'SHA-256', keccak256: 'Keccak-256' } as const

function digestCheck(read: DetachedTimestamp, digest: string, input: OpenTimestampsInput): Check {
  const algorithm = algorithmNames[read.hash]
  const base = { id: 'digest' as const, ...(read.hash === 'sha256' ? { repeat_command: 'sha256sum FILE' } : {}) }
  const given = input.data === undefined ? input.digest?.trim().toLowerCase() : toHex(hashes[read.hash](input.data))
  if (given === undefined || given === '')
    return { ...base, status: 'indeterminate', data: { algorithm, digest, reason: 'nothing_given' } }
  if (given === digest && weak.includes(read.hash))
    return { ...base, status: 'indeterminate', data: { algorithm, digest, reason: 'weak_algorithm' } }
  if (given === digest) return { ...base, status: 'passed', data: { algorithm, digest } }
  // SHA-256 of a document says nothing of its SHA-1.
  return given.length === digest.length
    ? { ...base, status: 'failed', data: { algorithm, digest, given, reason: 'differs' } }
    : { ...base, status: 'indeterminate', data: { algorithm, digest, given, reason: 'other_algorithm' } }
}

/** Once one block attests it, what others promise adds to it; what is no promise and is not evaluated leaves it open. */
function attestationChecks(
  read: DetachedTimestamp,
  found: readonly Attested[],
  blocks: ReadonlyMap<number, ExaminedBlock>,
): Check[] {
  const results = found.map((each) => resultOf(each, blocks))
  const anchored = results.some(({ status }) => status === 'passed')
  let counted = 0
  return results.map((result, i) => {
    const attested = found[i] as Attested
    const { kind } = attested.attestation
    counted += attested.operations.length
    return {
      id: 'attestation',
      subject: subjectOf(attested),
      ...result,
      ...(counted > mostSteps ? {} : { steps: stepsOf(read.tree.message, attested) }),
      ...(anchored && kind === 'pending' ? { supplementary: true as const } : {}),
      ...(kind === 'litecoin' || kind === 'unknown' ? { unevaluated: true as const } : {}),
    }
  })
}

function resultOf({ attestation, message }: Attested, blocks: ReadonlyMap<number, ExaminedBlock>): Result {
  if (attestation.kind === 'bitcoin') return inBlock(message, blocks.get(attestation.height) as ExaminedBlock)
  if (attestation.kind !== 'pending') return { status: 'indeterminate', data: { reason: attestation.kind } }
  const data = { reason: 'pending', calendar: attestation.uri }
  return { status: 'indeterminate', data, repeat_command: 'ots upgrade FILE.ots' }
}

const headerChecks = (blocks: ReadonlyMap<number, ExaminedBlock>): Check[] =>
  [...blocks.values()].map((block) => ({ id: 'block_header', ...headerCheck(block) }))

function subjectOf({ attestation }: Attested): string {
  if (attestation.kind === 'pending') return attestation.uri
  if (attestation.kind === 'unknown') return toHex(attestation.tag)
  return attestation.kind === 'bitcoin' ? blockName(attestation.height) : `Litecoin #${attestation.height}`
}

function stepsOf(message: Uint8Array, { operations }: Attested): Step[] {
  let current = message
  return operations.map((operation) => {
    const output = applyOperation(operation, current)
    const step = stepOf(operation.op, current, output)
    current = output
    return step
  })
}

function factsOf(
  read: DetachedTimestamp,
  digest: string,
  found: readonly Attested[],
  blocks: ReadonlyMap<number, ExaminedBlock>,
): Fact[] {
  const calendars = new Set(found.flatMap(({ attestation }) => (attestation.kind === 'pending' ? [attestation.uri] : [])))
  const transactions = new Set(
    found.flatMap(({ attestation, operations }) => {
      const passed = attestation.kind === 'bitcoin' ? transactionOn(read.tree.message, operations) : undefined
      return passed === undefined ? [] : [displayed(passed.txid)]
    }),
  )
  return [
    { id: 'digest', value: digest, form: 'hex' },
    { id: 'algorithm', value: algorithmNames[read.hash], form: 'text' },
    ...[...calendars].map((value): Fact => ({ id: 'calendar', value, form: 'text' })),
    ...[...transactions].map((value): Fact => ({ id: 'transaction', value, form: 'hex' })),
    ...[...blocks.values()].flatMap(blockFacts),
  ]
}
