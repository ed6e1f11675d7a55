import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import { deleteOldRequests } from './ending/erase-requests.ts'
import { confirmRequest, sendAnswer, tellOperator } from './mails/send-mails.ts'
import type { SupportJobDeps } from './requests/deps.ts'
import { confirmRequestJob, deleteOldRequestsJob, sendAnswerJob, tellOperatorJob } from './requests/jobs.ts'

export function supportHandlers(deps: SupportJobDeps): JobHandler[] {
  return [
    handle(confirmRequestJob, async ({ message_id }) => await confirmRequest(deps, message_id)),
    handle(tellOperatorJob, async ({ message_id }) => await tellOperator(deps, message_id)),
    handle(sendAnswerJob, async ({ message_id }) => await sendAnswer(deps, message_id)),
    handle(deleteOldRequestsJob, async () => {
      const deleted = await deleteOldRequests(deps)
      if (deleted > 0) deps.log.info({ deleted }, 'requests to support were deleted by the retention rule')
    }),
  ]
}

export const supportCrontab = `40 3 * * * ${deleteOldRequestsJob.name}`
