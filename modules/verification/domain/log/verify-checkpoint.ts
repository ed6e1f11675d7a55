import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../../../kernel/bytes.ts'
import { proofReport } from '../report/proof-report.ts'
import type { Fact, ProofCheck, ProofReport } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { parseCheckpoint } from './checkpoint.ts'
import type { SignedCheckpoint } from './checkpoint.ts'
import { anchorDigestOf } from './commitment.ts'
import { examineCheckpoint, signatureReasons } from './examine-checkpoint.ts'
import { isConsistent } from './merkle-proof.ts'
import { formatNote } from './note.ts'

export const checkpointChecks = ['form', 'checkpoint_signature', 'witnesses', 'consistency'] as const
export const checkpointReasons = [
  'not_checkpoint',
  ...signatureReasons,
  'earlier_unreadable',
  'other_log',
  'two_roots',
  'larger',
  'not_consistent',
] as const
export const checkpointFacts = ['origin', 'size', 'root_hash', 'cosigned_by', 'cosigned_at', 'anchor_digest'] as const

export type CheckpointInput = {
  /** C2SP checkpoint: a signed note, UTF-8. */
  readonly note: Uint8Array
  /** An earlier checkpoint of the same log, and the consistency proof of RFC 9162 §2.1.4 from it. */
  readonly earlier?: { readonly note: Uint8Array; readonly proof: readonly Uint8Array[] }
}

/** Whose checkpoint it is, who saw it, and, given an earlier one, whether the log only grew since. */
export async function verifyCheckpoint({ note, earlier }: CheckpointInput, deps: VerifyDeps): Promise<ProofReport> {
  const checkpoint = parseCheckpoint(note)
  if (checkpoint === null) {
    const form: ProofCheck = { id: 'form', status: 'failed', data: { reason: 'not_checkpoint' } }
    return await Promise.resolve(proofReport('checkpoint', deps, { checks: [form], unusable: true }))
  }
  const signed = examineCheckpoint(checkpoint, { keys: deps.keys, now: deps.now() })
  const checks: ProofCheck[] = [
    { id: 'form', status: 'passed', data: {} },
    ...signed.checks,
    ...(earlier === undefined ? [] : [examineConsistency(earlier, checkpoint)]),
  ]
  const published = asFirstPublished(checkpoint)
  const anchor = toHex(anchorDigestOf(checkpoint.rootHash, published))
  const facts: Fact[] = [
    { id: 'origin', value: checkpoint.origin, form: 'text' },
    { id: 'size', value: checkpoint.size, form: 'count' },
    { id: 'root_hash', value: toHex(checkpoint.rootHash), form: 'hex' },
    { id: 'anchor_digest', value: anchor, form: 'hex' },
    ...signed.facts,
  ]
  const trusted = checks.every(({ status, id }) => status === 'passed' || id === 'witnesses')
  return proofReport('checkpoint', deps, {
    checks,
    facts,
    dates: trusted ? signed.dates : [],
    bound: [
      { algorithm: 'sha256', hex: toHex(sha256(note)), of: 'file' },
      // What its time stamp is about, and what its anchor commits to.
      { algorithm: 'sha256', hex: toHex(sha256(published)), of: 'imprint' },
      { algorithm: 'sha256', hex: anchor, of: 'imprint' },
      { algorithm: 'sha256', hex: toHex(checkpoint.rootHash), of: 'message' },
    ],
  })
}

/** With the log's own lines alone: witnesses add theirs later. */
export function asFirstPublished({ origin, note }: SignedCheckpoint): Uint8Array {
  return formatNote(
    note.text,
    note.signatures.filter(({ name }) => name === origin),
  )
}

function examineConsistency(
  { note, proof }: { note: Uint8Array; proof: readonly Uint8Array[] },
  checkpoint: SignedCheckpoint,
): ProofCheck {
  const earlier = parseCheckpoint(note)
  const answer = (status: ProofCheck['status'], data: ProofCheck['data']): ProofCheck => ({
    id: 'consistency',
    status,
    data,
    rests_on: ['log'],
  })
  if (earlier === null) return answer('failed', { reason: 'earlier_unreadable' })
  const sizes = { from: earlier.size, to: checkpoint.size }
  if (earlier.origin !== checkpoint.origin) return answer('failed', { ...sizes, reason: 'other_log' })
  if (earlier.size > checkpoint.size) return answer('failed', { ...sizes, reason: 'larger' })
  if (isConsistent(earlier, checkpoint, proof)) return answer('passed', sizes)
  return answer('failed', { ...sizes, reason: earlier.size === checkpoint.size ? 'two_roots' : 'not_consistent' })
}
