import type { ProofReport } from '../report/proof-report.ts'

/** How a time stamp, or a record of them, that another signature carries falls short: said in one check of that signature. */
export function shortfall({ verdict, unusable }: ProofReport): {
  readonly status: 'failed' | 'indeterminate'
  readonly reason: 'timestamp_unreadable' | 'timestamp_failed' | 'timestamp_indeterminate'
} {
  if (unusable) return { status: 'indeterminate', reason: 'timestamp_unreadable' }
  return verdict === 'TOTAL-FAILED'
    ? { status: 'failed', reason: 'timestamp_failed' }
    : { status: 'indeterminate', reason: 'timestamp_indeterminate' }
}
