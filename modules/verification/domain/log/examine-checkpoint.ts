import type { Fact, ProofCheck, ProvenDate } from '../report/proof-report.ts'
import type { PlatformKeys } from '../known/verify-deps.ts'
import type { SignedCheckpoint } from './checkpoint.ts'
import { checkCosignature } from './cosignature.ts'
import { checkNoteSignature, parseVerifierKey } from './note.ts'
import type { VerifierKey } from './note.ts'

/** Keys that the reader knows of: of the log, and of witnesses, as C2SP signed-note writes them. */
export type KnownLogKeys = Pick<PlatformKeys, 'log' | 'witnesses'>

/** Why a checkpoint is not, or not certainly, one of a log that others saw. */
export const signatureReasons = [
  'unknown_log',
  'false_signature',
  'not_signed',
  'false_cosignature',
  'future',
  'unknown_witness',
  'no_cosignature',
] as const

/** Clocks of a witness and of a reader are never one. */
const clockToleranceMs = 10 * 60_000
/** Nobody publishes more; each costs a signature. */
const mostKeys = 64

/** Who signed it: the log itself, and those that saw the same log as everybody else. */
export function examineCheckpoint(
  checkpoint: SignedCheckpoint,
  { keys, now }: { keys: KnownLogKeys | undefined; now: Date },
): { checks: ProofCheck[]; dates: ProvenDate[]; facts: Fact[] } {
  const witnesses = examineWitnesses(checkpoint, keysOf(keys?.witnesses), now)
  return {
    checks: [examineSignature(checkpoint, keysOf(keys?.log)), witnesses.check],
    facts: witnesses.cosigned.flatMap(({ name, at }): Fact[] => [
      { id: 'cosigned_by', value: name, form: 'text' },
      { id: 'cosigned_at', value: at, form: 'instant' },
    ]),
    dates: witnesses.cosigned.map(({ name, at }) => ({ kind: 'log', at, by: name, rests_on: ['witness'] })),
  }
}

function examineSignature(checkpoint: SignedCheckpoint, keys: readonly VerifierKey[]): ProofCheck {
  const { origin, note } = checkpoint
  const answer = (status: ProofCheck['status'], reason?: string): ProofCheck => ({
    id: 'checkpoint_signature',
    status,
    data: reason === undefined ? { origin } : { origin, reason },
    rests_on: ['log'],
  })
  // A key is the log's when it bears the log's name: what another log signed says nothing of this one.
  const own = keys.filter(({ name }) => name === origin)
  if (own.length === 0) return answer('indeterminate', 'unknown_log')
  const outcomes = own.map((key) => checkNoteSignature(note, key))
  if (outcomes.includes('false')) return answer('failed', 'false_signature')
  return outcomes.includes('valid') ? answer('passed') : answer('failed', 'not_signed')
}

type Cosigned = { readonly name: string; /** ISO 8601 UTC. */ readonly at: string }

function examineWitnesses(
  { origin, note }: SignedCheckpoint,
  keys: readonly VerifierKey[],
  now: Date,
): { check: ProofCheck; cosigned: readonly Cosigned[] } {
  const cosigned: Cosigned[] = []
  let future = 0
  let liar: string | undefined
  for (const key of keys) {
    const { outcome, second } = checkCosignature(note, key)
    if (outcome === 'false') liar ??= key.name
    if (second === null) continue
    if (second * 1000 > now.getTime() + clockToleranceMs) future += 1
    else cosigned.push({ name: key.name, at: new Date(second * 1000).toISOString() })
  }
  const sorted = cosigned.toSorted((a, b) => (a.at < b.at ? -1 : 1))
  const others = note.signatures.filter(({ name }) => name !== origin).length
  const answer = (status: ProofCheck['status'], data: ProofCheck['data']): ProofCheck => ({
    id: 'witnesses',
    status,
    data,
    rests_on: ['witness'],
    supplementary: true,
  })
  if (liar !== undefined) return { check: answer('failed', { reason: 'false_cosignature', name: liar }), cosigned: [] }
  const [first] = sorted
  if (first !== undefined) {
    const names = sorted.map(({ name }) => name).join(', ')
    return { check: answer('passed', { count: sorted.length, names, at: first.at }), cosigned: sorted }
  }
  const reason = future > 0 ? 'future' : others > 0 ? 'unknown_witness' : 'no_cosignature'
  return { check: answer('indeterminate', { reason, count: future > 0 ? future : others }), cosigned: [] }
}

function keysOf(texts: readonly string[] | undefined): VerifierKey[] {
  return (texts ?? []).slice(0, mostKeys).flatMap((text) => parseVerifierKey(text) ?? [])
}
