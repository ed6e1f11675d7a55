import { z } from 'zod'
import { defineJob } from '../../../../platform/jobs/jobs.ts'

/** One mail about money. */
export const sendBillingNoticeJob = defineJob('billing.send_notice', z.object({ notice_id: z.uuid() }))
