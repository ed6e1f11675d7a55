import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import type { ReviewJobDeps } from './documents/deps.ts'
import { clearDocument, eraseDueDocuments } from './retention/erase-documents.ts'
import { remindEnding, sendEnding } from './retention/remind-ending.ts'
import { clearDocumentJob, eraseDocumentsJob, mailDecisionJob, mailEndingJob, remindEndingJob } from './documents/jobs.ts'
import { sendDecision } from './decide/send-decision.ts'

export function reviewHandlers(deps: ReviewJobDeps): JobHandler[] {
  return [
    handle(mailDecisionJob, async ({ decision_id }) => await sendDecision(deps, decision_id)),
    handle(mailEndingJob, async ({ user_id }) => await sendEnding(deps, user_id)),
    handle(remindEndingJob, async () => {
      const reminded = await remindEnding(deps)
      if (reminded > 0) deps.log.info({ reminded }, 'people were written to whose identity documents end')
    }),
    handle(clearDocumentJob, async ({ document_id }) => await clearDocument(deps, document_id)),
    handle(eraseDocumentsJob, async () => {
      const erased = await eraseDueDocuments(deps)
      if (erased > 0) deps.log.info({ erased }, 'identity documents were erased by the retention rule')
    }),
  ]
}
