import { equalBytes, toHex } from '../../../../kernel/bytes.ts'
import { leafHash as leafHashOf, nodeHash } from '../hash/merkle.ts'
import { proofReport } from '../report/proof-report.ts'
import type { Bound, Fact, ProofCheck, ProofReport, ProvenDate, Step } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { logEntryOf } from './commitment.ts'
import { examineCheckpoint, signatureReasons } from './examine-checkpoint.ts'
import type { KnownLogKeys } from './examine-checkpoint.ts'
import { rootOfInclusion } from './merkle-proof.ts'
import { parseTlogProof } from './tlog-proof.ts'
import type { TlogProof } from './tlog-proof.ts'

export const logProofChecks = ['form', 'commitment', 'inclusion', 'checkpoint_signature', 'witnesses'] as const
export const logProofReasons = [
  'not_proof',
  'too_long',
  'extra',
  'index',
  'path',
  'checkpoint',
  'nothing_given',
  'no_salt',
  'root_length',
  'beyond_size',
  'wrong_length',
  'wrong_root',
  'no_entry',
  ...signatureReasons,
] as const
export const logProofFacts = ['origin', 'index', 'size', 'root_hash', 'entry', 'salt', 'cosigned_by', 'cosigned_at'] as const

export type LogProofInput = {
  /** C2SP tlog-proof, UTF-8. */
  readonly proof: Uint8Array
  /** What was sealed, 32 octets: the entry is its salted commitment (`logEntryOf`). */
  readonly root?: Uint8Array
  /** The entry itself, of whatever log: hashed as RFC 9162 §2.1.1 hashes a leaf. */
  readonly entry?: Uint8Array
}

/** Whether what was sealed stands in the log, whose checkpoint it is, and who else saw that checkpoint. */
export async function verifyLogProof(input: LogProofInput, deps: VerifyDeps): Promise<ProofReport> {
  const { checks, facts, bound, dates, unusable } = examineLogProof(input, { keys: deps.keys, now: deps.now() })
  return await Promise.resolve(proofReport('log_proof', deps, { checks, facts, bound, dates, unusable }))
}

export type ExaminedLogProof = {
  readonly checks: readonly ProofCheck[]
  readonly facts: readonly Fact[]
  readonly bound: readonly Bound[]
  readonly dates: readonly ProvenDate[]
  readonly unusable: boolean
  /** Null when it cannot be read. */
  readonly proof: TlogProof | null
}

export function examineLogProof(input: LogProofInput, known: { keys: KnownLogKeys | undefined; now: Date }): ExaminedLogProof {
  const proof = parseTlogProof(input.proof)
  if (typeof proof === 'string') {
    const form: ProofCheck = { id: 'form', status: 'failed', data: { reason: proof } }
    return { checks: [form], facts: [], bound: [], dates: [], unusable: proof === 'not_proof', proof: null }
  }
  const { entry, check: commitment } = entryOf(input, proof)
  const signed = examineCheckpoint(proof.checkpoint, known)
  const inclusion = examineInclusion(entry, proof)
  const checks: ProofCheck[] = [{ id: 'form', status: 'passed', data: {} }, commitment, inclusion, ...signed.checks]
  // A date is one of what stands in the log: of nothing else.
  const included = checks.every(({ status, id }) => status === 'passed' || id === 'witnesses')
  return {
    checks,
    facts: factsOf(proof, entry, signed.facts),
    // What was typed is spoken about when it does lead there.
    bound: boundOf(input, proof, inclusion.status === 'passed' ? entry : null),
    dates: included ? signed.dates : [],
    unusable: false,
    proof,
  }
}

function entryOf({ root, entry }: LogProofInput, proof: TlogProof): { entry: Uint8Array | null; check: ProofCheck } {
  const answer = (status: ProofCheck['status'], reason?: string): ProofCheck => ({
    id: 'commitment',
    status,
    data: reason === undefined ? {} : { reason },
  })
  if (root === undefined) {
    return entry === undefined
      ? { entry: null, check: answer('indeterminate', 'nothing_given') }
      : { entry, check: { ...answer('passed'), data: { of: 'entry' } } }
  }
  if (root.length !== 32) return { entry: null, check: answer('failed', 'root_length') }
  if (proof.extra?.length !== 32) return { entry: null, check: answer('failed', 'no_salt') }
  const committed = logEntryOf(proof.extra, root)
  const octets = concatHex('70726f62616e742d6c6f672f310a', proof.extra, root)
  return {
    entry: committed,
    check: {
      ...answer('passed'),
      data: { of: 'root' },
      steps: [{ operation: 'sha256', input: octets, input_bytes: octets.length / 2, output: toHex(committed) }],
      repeat_command:
        "{ printf 'probant-log/1\\n'; sed -n 's/^extra //p' seal/log-proof.txt | base64 -d; cat seal/root.bin; } | sha256sum",
    },
  }
}

function examineInclusion(entry: Uint8Array | null, { index, path, checkpoint }: TlogProof): ProofCheck {
  const { size, rootHash } = checkpoint
  const data = { index, size, count: path.length }
  const answer = (status: ProofCheck['status'], reason?: string): ProofCheck => ({
    id: 'inclusion',
    status,
    data: reason === undefined ? data : { ...data, reason },
    rests_on: ['log'],
  })
  if (index >= size) return answer('failed', 'beyond_size')
  const leafHash = entry === null ? new Uint8Array(32) : leafHashOf(entry)
  const steps: Step[] = entry === null ? [] : [hashed(concatHex('00', entry), leafHash)]
  const record = (left: Uint8Array, right: Uint8Array): Uint8Array => {
    const hash = nodeHash(left, right)
    steps.push(hashed(concatHex('01', left, right), hash))
    return hash
  }
  const reached = rootOfInclusion({ leafHash, index, size, path }, record)
  if (reached === null) return answer('failed', 'wrong_length')
  if (entry === null) return answer('indeterminate', 'no_entry')
  return { ...(equalBytes(reached, rootHash) ? answer('passed') : answer('failed', 'wrong_root')), steps }
}

function factsOf({ index, extra, checkpoint }: TlogProof, entry: Uint8Array | null, cosigned: readonly Fact[]): Fact[] {
  return [
    { id: 'origin', value: checkpoint.origin, form: 'text' },
    { id: 'index', value: index, form: 'count' },
    { id: 'size', value: checkpoint.size, form: 'count' },
    { id: 'root_hash', value: toHex(checkpoint.rootHash), form: 'hex' },
    ...(entry?.length === 32 ? ([{ id: 'entry', value: toHex(entry), form: 'hex' }] as const) : []),
    ...(extra?.length === 32 ? ([{ id: 'salt', value: toHex(extra), form: 'hex' }] as const) : []),
    ...cosigned,
  ]
}

function boundOf({ root }: LogProofInput, { checkpoint }: TlogProof, entry: Uint8Array | null): Bound[] {
  return [
    ...(root === undefined || entry === null ? [] : [{ algorithm: 'sha256', hex: toHex(root), of: 'root' } as const]),
    ...(entry?.length === 32 ? [{ algorithm: 'sha256', hex: toHex(entry), of: 'entry' } as const] : []),
    // A checkpoint dropped beside it has the same.
    { algorithm: 'sha256', hex: toHex(checkpoint.rootHash), of: 'message' },
  ]
}

function hashed(input: string, output: Uint8Array): Step {
  return { operation: 'sha256', input: input.slice(0, 512), input_bytes: input.length / 2, output: toHex(output) }
}

function concatHex(prefix: string, ...parts: readonly Uint8Array[]): string {
  return prefix + parts.map(toHex).join('')
}
