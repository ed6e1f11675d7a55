import { toHex } from '../../../../kernel/bytes.ts'
import { collapse } from '../report/collapse-checks.ts'
import type { Fact, ProofCheck, ProvenDate } from '../report/proof-report.ts'
import type { VerifyDeps } from '../known/verify-deps.ts'
import { deciding, weighs } from '../report/verdict.ts'
import { verifyTimestampProof } from '../timestamp/verify-timestamp-proof.ts'
import type { Budget, Certificate } from '../certificate/x509.ts'
import type { Examined } from './examine-timestamp.ts'

export type CheckedStamp = {
  readonly checks: readonly ProofCheck[]
  readonly dates: readonly ProvenDate[]
  readonly facts: readonly Fact[]
  /** First end of a certificate on the way to its root; undefined when none was found. */
  readonly ends: { readonly at: Date; readonly name: string } | undefined
}

/** Said of the record: `hash_tree` compares what was stamped, `hash_strength` says how long its algorithm holds. */
const saidElsewhere: readonly string[] = ['imprint', 'imprint_algorithm', 'trust', 'qualified', 'current']

/**
 * A time stamp of a record by every check of RFC 3161, in a few lines: whether it holds, whose it is, whether that authority is known,
 * and what is to be noted. @param deps its `now` is the instant as of which it must hold
 */
export async function checkStamp(
  { subject, stamp, root }: Examined,
  deps: VerifyDeps,
  asks: {
    readonly certificates: readonly Certificate[]
    readonly budget: Budget
    readonly isLast: boolean
    /** Where the token stands in the file; undefined when the file is written otherwise. */
    readonly offset: number | undefined
  },
): Promise<CheckedStamp> {
  const { token } = stamp
  const certificates = [...asks.certificates, ...(stamp.certificates ?? [])]
  const report = await verifyTimestampProof({ token, certificates, budget: asks.budget }, deps)
  const named = (id: string): ProofCheck[] => report.checks.filter((check) => check.id === id)
  const fact = (id: string): string => String(report.facts.find((each) => each.id === id)?.value ?? '')
  const others = report.checks.filter(({ id }) => !saidElsewhere.includes(id))
  const whole = collapse('time_stamp', subject, others.filter(weighs))
  const says = { authority: fact('authority'), gen_time: fact('gen_time') }
  // Of one that was renewed, the end of its certificates is what the renewal is measured against.
  const notes = [...others, ...(asks.isLast ? named('current') : [])].filter((check) => !weighs(check))
  const { steps: _, repeat_command: __, ...bare } = whole
  const worst = deciding(others)
  const data = worst === undefined ? says : { ...says, ...whole.data, part: worst.id }
  const [current] = named('current')
  return {
    checks: [
      { ...bare, data, ...commandOf(asks.offset, token, root) },
      ...named('trust').map((check) => ({ ...check, subject })),
      ...named('qualified').map((check) => ({ ...check, subject })),
      ...notes.map((check) => ({ ...check, subject })),
    ],
    dates: report.dates,
    facts: report.facts.flatMap((each) => (each.id === 'gen_time' || each.id === 'authority' ? [each] : [])),
    ends:
      current === undefined ? undefined : { at: new Date(String(current.data['at'])), name: String(current.data['name'] ?? '') },
  }
}

/** Cuts the token out of the record and has OpenSSL verify it over the root of the tree. */
function commandOf(offset: number | undefined, token: Uint8Array, root: Uint8Array | undefined): { repeat_command?: string } {
  if (offset === undefined || root === undefined) return {}
  const cut = `tail -c +${offset + 1} RECORD.ers | head -c ${token.length} > stamp.tst`
  return { repeat_command: `${cut} && openssl ts -verify -in stamp.tst -token_in -digest ${toHex(root)} -CAfile roots.pem` }
}
