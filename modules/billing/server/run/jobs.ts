import { z } from 'zod'
import { defineJob } from '../../../../platform/jobs/jobs.ts'
import { makeDocumentsJob } from '../invoice/jobs.ts'

/** Every ten minutes: whatever the calendar has for subscriptions. */
export const runBillingJob = defineJob('billing.run', z.object({}).loose())
/** Every day: whose name the law no longer wants kept. */
export const forgetBuyersJob = defineJob('billing.forget_buyers', z.object({}).loose())

export const billingJobs = [runBillingJob, forgetBuyersJob, makeDocumentsJob]
