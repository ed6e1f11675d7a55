import { z } from 'zod'
import { defineJob } from '../../../../../platform/jobs/jobs.ts'
import { askRefundsJob } from '../../settlement/jobs.ts'

/** The provider is told which mandates ended. */
export const endMandatesJob = defineJob('billing.end_mandates', z.object({}).loose())
/** The provider is told which cards ended with their account. */
export const endCardsJob = defineJob('billing.end_cards', z.object({}).loose())
/** Every minute: what became of payments that nobody has heard the end of. */
export const askAfterJob = defineJob('billing.ask_after', z.object({}).loose())
/** Every ten minutes: renewals and instalments whose day has come. */
export const chargeDueJob = defineJob('billing.charge_due', z.object({}).loose())
/** Something is said to have changed at the provider. */
export const followNoticeJob = defineJob(
  'billing.follow_notice',
  z.object({ kind: z.enum(['payment', 'refund', 'mandate', 'dispute']), id: z.string().max(128) }),
)
/** Every day: what was not told of. */
export const reconcileJob = defineJob('billing.reconcile', z.object({}).loose())
/** Transfers that a statement told of. */
export const settleTransfersJob = defineJob('billing.settle_transfers', z.object({}).loose())
/** When the worker starts: the provider is asked to tell. */
export const subscribeJob = defineJob('billing.subscribe', z.object({}).loose())

export const paymentJobs = [
  endMandatesJob,
  endCardsJob,
  askAfterJob,
  askRefundsJob,
  chargeDueJob,
  followNoticeJob,
  reconcileJob,
  settleTransfersJob,
  subscribeJob,
]
