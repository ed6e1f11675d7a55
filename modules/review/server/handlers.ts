import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import type { ReviewJobDeps } from './documents/deps.ts'
import { clearDocument, eraseDueDocuments } from './retention/erase-documents.ts'
import { clearDocumentJob, eraseDocumentsJob, mailDecisionJob } from './documents/jobs.ts'
import { sendDecision } from './decide/send-decision.ts'

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
