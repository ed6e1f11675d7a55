import { z } from 'zod'
import { defineJob } from '../../../../platform/jobs/jobs.ts'
import { makeDocumentsJob } from '../invoice/jobs.ts'
import { paymentJobs } from '../payment/means/jobs.ts'
import { makeStatementsJob } from '../statement/jobs.ts'
import { sendBillingNoticeJob } from '../notice/jobs.ts'

/** Every ten minutes: whatever the calendar has for subscriptions. */
export const runBillingJob = defineJob('billing.run', z.object({}).loose())
/** Every day: whose name the law no longer wants kept. */
export const forgetBuyersJob = defineJob('billing.forget_buyers', z.object({}).loose())

/** Every hour: numbers of VAT of which the register said nothing yet. */
export const checkVatNumbersJob = defineJob('billing.check_vat_numbers', z.object({}).loose())
/** Every day: what customers are told ahead. */
export const remindCustomersJob = defineJob('billing.remind_customers', z.object({}).loose())

/** Every day: what is still to the credit of accounts that have ended. */
export const giveBackJob = defineJob('billing.give_back', z.object({}).loose())

export const billingJobs = [
  runBillingJob,
  giveBackJob,
  forgetBuyersJob,
  remindCustomersJob,
  checkVatNumbersJob,
  makeDocumentsJob,
  makeStatementsJob,
  sendBillingNoticeJob,
  ...paymentJobs,
]
