import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import type { PrintDeps } from './keep/deps.ts'
import { printLetterJob } from './keep/jobs.ts'
import { printLetter } from './print/print-letter.ts'

export function disputeHandlers(deps: PrintDeps): JobHandler[] {
  return [
    handle(printLetterJob, async ({ evidence_id, locale }, { signal }) => await printLetter(deps, evidence_id, locale, signal)),
  ]
}
