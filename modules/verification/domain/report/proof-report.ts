import type { DigestAlgorithm } from '../hash/digests.ts'
import { verdictOf } from './verdict.ts'
import type { CheckStatus, Verdict } from './verdict.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'

/**
 * The one answer of every verifier but the package's own: named checks in the words of EN 319 102-1, the bytes that were hashed,
 * what each conclusion rests on, and a command of a common tool that repeats it. A verifier returns it on any input and never throws
 * (but VerificationStopped).
 */
export const proofKinds = [
  'digest',
  'timestamp',
  'evidence_record',
  'cms',
  'xades',
  'pdf',
  'asic',
  'wacz',
  'bitcoin_message',
  'nano_message',
  'opentimestamps',
  'chainpoint',
  'log_proof',
  'checkpoint',
  'trusted_list',
] as const
export type ProofKind = (typeof proofKinds)[number]

/**
 * On whose word, besides mathematics, a conclusion rests. `given`: on a value that the reader typed or dropped (a block header, an
 * address, a certificate). `time_authority`: on the authority that dated it; `trusted_list`: on the list that says what it is.
 */
export const reliances = [
  'platform',
  'time_authority',
  'certificate_authority',
  'trusted_list',
  'bitcoin',
  'header_source',
  'log',
  'witness',
  'given',
] as const
export type Reliance = (typeof reliances)[number]

/** One computation as it was done, so that anybody repeats it: octets in, octets out. */
export type Step = {
  /** Words in `verification.proof.step.<operation>`: sha256, sha384, sha512, sha1, ripemd160, append, prepend, reverse, blake2b… */
  readonly operation: string
  /** Lower-case hexadecimal of what went in, cut at 256 octets, and how many there were. */
  readonly input: string
  readonly input_bytes: number
  readonly output: string
}

export type ProofCheck = {
  /** Name of the check in its kind; words `verification.proof.<kind>.<id>.{title,passed,failed,indeterminate}`. */
  readonly id: string
  readonly status: CheckStatus
  /**
   * Values its sentence interpolates. `reason` ends the id of a message `verification.proof.<kind>.reason.<reason>`. Hostile text:
   * shown only through `visible`.
   */
  readonly data: Readonly<Record<string, string | number>>
  /** What in the input it is about: an entry's path, `signature 2`, `branch btc_anchor`. */
  readonly subject?: string
  readonly rests_on?: readonly Reliance[]
  readonly steps?: readonly Step[]
  readonly repeat_command?: string
  /** A check whose `indeterminate` does not weigh on the verdict: it adds to what holds without it (a pending anchor, an unknown list). */
  readonly supplementary?: true
  /** A part that is there and was not evaluated here: nothing is green over it, whatever it adds to. */
  readonly unevaluated?: true
}

/** `form` says how it is shown: `hex` grouped, `instant` in the reader's zone and UTC, `text` through `visible`. */
export type Fact = {
  /** Words `verification.proof.<kind>.fact.<id>`. */
  readonly id: string
  readonly value: string | number
  readonly form: 'text' | 'instant' | 'hex' | 'count' | 'bytes' | 'word'
}

/** A digest that the proof speaks about: two items dropped together are linked when they share one. */
export type Bound = {
  readonly algorithm: DigestAlgorithm
  /** Lower-case hexadecimal. */
  readonly hex: string
  /**
   * `file`: of the bytes handed over; `imprint`, `root`, `message`, `entry`: what the proof commits to; `digest`: what the file holds;
   * `stated`: of a file that it speaks about, by the word of whoever signed it.
   */
  readonly of: 'file' | 'digest' | 'imprint' | 'root' | 'message' | 'entry' | 'stated'
}

/** An instant before (or at) which something existed, and on whose word. Only those that passed. */
export type ProvenDate = {
  readonly kind: 'timestamp' | 'bitcoin' | 'log' | 'signature'
  /** ISO 8601 UTC. */
  readonly at: string
  readonly by: string
  readonly rests_on: readonly Reliance[]
  /** Qualified status at that instant, by a trusted list: said only when one was consulted and says so. */
  readonly qualified?: boolean
}

export type ProofReport = {
  readonly kind: ProofKind
  /** Null where it is no proof of this kind at all. */
  readonly verdict: Verdict | null
  readonly verified_at: string
  /** Not a proof of this kind at all: there was nothing to verify. */
  readonly unusable: boolean
  readonly checks: readonly ProofCheck[]
  readonly facts: readonly Fact[]
  readonly bound: readonly Bound[]
  readonly dates: readonly ProvenDate[]
}

export function proofReport(
  kind: ProofKind,
  deps: Pick<VerifyDeps, 'now'>,
  found: Pick<ProofReport, 'checks'> & Partial<Pick<ProofReport, 'facts' | 'bound' | 'dates' | 'unusable'>>,
): ProofReport {
  const unusable = found.unusable ?? false
  const verdict = unusable ? null : verdictOf(found.checks)
  return {
    kind,
    verdict,
    verified_at: deps.now().toISOString(),
    unusable,
    checks: found.checks,
    facts: found.facts ?? [],
    bound: found.bound ?? [],
    // Nothing dates anything in a proof that does not hold.
    dates: verdict === null || verdict === 'TOTAL-FAILED' ? [] : (found.dates ?? []),
  }
}

/** On whose word, besides mathematics, what passed in it rests. */
export function reliancesOf({ checks, dates }: Pick<ProofReport, 'checks' | 'dates'>): Reliance[] {
  const passed = checks.filter(({ status }) => status === 'passed')
  return [...new Set([...passed, ...dates].flatMap(({ rests_on }) => rests_on ?? []))]
}
