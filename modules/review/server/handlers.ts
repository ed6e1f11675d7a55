import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import type { ReviewJobDeps } from './deps.ts'
import { clearDocument, eraseDueDocuments } from './erase-documents.ts'
import { clearDocumentJob, eraseDocumentsJob, mailDecisionJob } from './jobs.ts'
import { sendDecision } from './send-decision.ts'

export function reviewHandlers(deps: ReviewJobDeps): JobHandler[] {
  return [
    handle(mailDecisionJob, async ({ decision_id }) => await sendDecision(deps, decision_id)),
    handle(clearDocumentJob, async ({ document_id }) => await clearDocument(deps, document_id)),
    handle(eraseDocumentsJob, async () => {
      const erased = await eraseDueDocuments(deps)
      if (erased > 0) deps.log.info({ erased }, 'identity documents were erased by the retention rule')
    }),
  ]
}
