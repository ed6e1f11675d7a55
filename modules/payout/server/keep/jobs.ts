import { z } from 'zod'
import { defineJob } from '../../../../platform/jobs/jobs.ts'

/** Every hour: what was earned follows what was paid, and what has matured on the first of a month is paid out. */
export const runPayoutsJob = defineJob('payout.run', z.object({}).loose())
/** Every minute: what became of payouts that nobody has heard the end of, and of what was handed to the provider. */
export const askPayoutsJob = defineJob('payout.ask', z.object({}).loose())
/** To whoever is paid. */
export const mailPayoutJob = defineJob(
  'payout.mail',
  z.object({ payout_id: z.uuid(), occasion: z.enum(['success', 'failed', 'returned']) }),
)

/** Invoices of what reached its bank, and the files that payouts are told by. */
export const makePapersJob = defineJob('payout.make_papers', z.object({}).loose())

export const payoutJobs = [runPayoutsJob, askPayoutsJob, mailPayoutJob, makePapersJob]
