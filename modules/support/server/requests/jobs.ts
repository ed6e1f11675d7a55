import { z } from 'zod'
import { defineJob } from '../../../../platform/jobs/jobs.ts'

const ofMessage = z.object({ message_id: z.uuid() })

/** To whoever wrote: it has come, and under which reference. */
export const confirmRequestJob = defineJob('support.confirm_request', ofMessage)
/** To the operator: somebody wrote. */
export const tellOperatorJob = defineJob('support.tell_operator', ofMessage)
export const sendAnswerJob = defineJob('support.send_answer', ofMessage)
/** To whoever signed up to the newsletter: did he? */
export const askNewsletterJob = defineJob('support.ask_newsletter', z.object({ subscription_id: z.uuid() }))
/** Every day: requests that nobody has said anything of for long. */
export const deleteOldRequestsJob = defineJob('support.delete_old_requests', z.object({}).loose())

export const supportJobs = [confirmRequestJob, tellOperatorJob, sendAnswerJob, askNewsletterJob, deleteOldRequestsJob]
