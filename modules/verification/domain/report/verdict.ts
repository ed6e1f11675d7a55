/** Words of EN 319 102-1 §5.1.3. */
export type Verdict = 'TOTAL-PASSED' | 'INDETERMINATE' | 'TOTAL-FAILED'

export type CheckStatus = 'passed' | 'failed' | 'indeterminate'

/** What a check says that a verdict is made of. */
type Weighed = {
  readonly status: CheckStatus
  readonly supplementary?: true
  readonly unevaluated?: true
}

/** A supplementary check that reached no conclusion does not weigh; one that failed does, and one of a part that was not evaluated. */
export function weighs({ status, supplementary, unevaluated }: Weighed): boolean {
  return status !== 'indeterminate' || supplementary !== true || unevaluated === true
}

/** The check that a verdict is for: the first that failed, else the first that came to no conclusion and weighs; undefined when all passed. */
export function deciding<T extends Weighed>(checks: readonly T[]): T | undefined {
  return (
    checks.find(({ status }) => status === 'failed') ?? checks.find((each) => each.status === 'indeterminate' && weighs(each))
  )
}

export function verdictOf(all: readonly Weighed[]): Verdict {
  const checks = all.filter(weighs)
  if (checks.length === 0 || checks.some(({ status }) => status === 'failed')) return 'TOTAL-FAILED'
  return checks.some(({ status }) => status === 'indeterminate') ? 'INDETERMINATE' : 'TOTAL-PASSED'
}
