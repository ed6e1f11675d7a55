import type { ProofCheck } from './proof-report.ts'
import { deciding } from './verdict.ts'

/**
 * One check out of several on one question: the first that failed, else the first that came to no conclusion, else all passed. A PDF has
 * many signatures, and each would bring twenty lines otherwise.
 */
export function collapse(id: string, subject: string, checks: readonly ProofCheck[]): ProofCheck {
  const worst = deciding(checks) ?? checks.find(({ status }) => status === 'indeterminate')
  if (worst !== undefined) return { ...worst, id, subject }
  const data = Object.assign({}, ...checks.map((each) => each.data)) as ProofCheck['data']
  const steps = checks.flatMap((each) => each.steps ?? [])
  const rests_on = [...new Set(checks.flatMap((each) => each.rests_on ?? []))]
  return {
    id,
    subject,
    status: 'passed',
    data,
    ...(steps.length > 0 ? { steps } : {}),
    ...(rests_on.length > 0 ? { rests_on } : {}),
  }
}
