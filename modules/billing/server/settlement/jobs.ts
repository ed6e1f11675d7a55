import { z } from 'zod'
import { defineJob } from '../../../../platform/jobs/jobs.ts'

/** At once where one begins, and every minute: refunds that nobody has heard the end of. */
export const askRefundsJob = defineJob('billing.ask_refunds', z.object({}).loose())
