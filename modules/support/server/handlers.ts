import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import { deleteOldRequests } from './ending/erase-requests.ts'
import { confirmRequest, sendAnswer, tellOperator } from './mails/send-mails.ts'
import type { SupportJobDeps } from './requests/deps.ts'
import { askNewsletter } from './newsletter/ask-newsletter.ts'
import { deleteUnconfirmed } from './newsletter/newsletter-store.ts'
import { askNewsletterJob, confirmRequestJob, deleteOldRequestsJob, sendAnswerJob, tellOperatorJob } from './requests/jobs.ts'

/** How long an address that was signed up, by whomever, waits to be confirmed. */
const unconfirmedDays = 7

export function supportHandlers(deps: SupportJobDeps): JobHandler[] {
  return [
    handle(confirmRequestJob, async ({ message_id }) => await confirmRequest(deps, message_id)),
    handle(tellOperatorJob, async ({ message_id }) => await tellOperator(deps, message_id)),
    handle(sendAnswerJob, async ({ message_id }) => await sendAnswer(deps, message_id)),
    handle(askNewsletterJob, async ({ subscription_id }) => await askNewsletter(deps, subscription_id)),
    handle(deleteOldRequestsJob, async () => {
      await deleteUnconfirmed(deps.db, new Date(deps.clock.now().getTime() - unconfirmedDays * 86_400_000))
      const deleted = await deleteOldRequests(deps)
      if (deleted > 0) deps.log.info({ deleted }, 'requests to support were deleted by the retention rule')
    }),
  ]
}

export const supportCrontab = `40 3 * * * ${deleteOldRequestsJob.name}`
