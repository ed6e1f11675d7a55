import { handle, type JobHandler } from '../../../../platform/jobs/jobs.ts'
import { askAfterAll } from './attempt/ask-after.ts'
import { chargeDue } from './attempt/charge-due.ts'
import { askRefundsJob } from '../settlement/jobs.ts'
import type { PaymentDeps } from './means/deps.ts'
import { tellEnded } from './means/end-mandate.ts'
import { tellEndedCards } from './means/end-means.ts'
import {
  askAfterJob,
  chargeDueJob,
  endCardsJob,
  endMandatesJob,
  followNoticeJob,
  reconcileJob,
  settleTransfersJob,
  subscribeJob,
} from './means/jobs.ts'
import { follow } from './notices/follow.ts'
import { hooksAt } from './notices/hear-notice.ts'
import { settleTransfers } from './notices/import-transfers.ts'
import { reconcile } from './notices/reconcile.ts'
import { askRefunds } from './refund/ask-refund.ts'

const silent = () => new Error('the payment provider does not answer')

export function paymentHandlers(deps: PaymentDeps): JobHandler[] {
  const { log, provider, publicUrl } = deps
  return [
    handle(endMandatesJob, async () => {
      await tellEnded(deps)
    }),
    handle(endCardsJob, async () => {
      await tellEndedCards(deps)
    }),
    handle(askAfterJob, async (_, { signal }) => {
      const asked = await askAfterAll(deps, signal)
      if (asked > 0) log.info({ asked }, 'payments were asked after')
    }),
    handle(askRefundsJob, async (_, { signal }) => {
      const asked = await askRefunds(deps, signal)
      if (asked > 0) log.info({ asked }, 'refunds were asked for')
    }),
    handle(chargeDueJob, async (_, { signal }) => {
      const charged = await chargeDue(deps, signal)
      if (charged > 0) log.info({ charged }, 'renewals and instalments were charged')
    }),
    handle(followNoticeJob, async (named) => {
      if (provider !== null && (await follow(deps, named)) === 'silent') throw silent()
    }),
    handle(reconcileJob, async (_, { signal }) => {
      if ((await reconcile(deps, signal)) === null) throw silent()
    }),
    handle(settleTransfersJob, async () => {
      const looked = await settleTransfers(deps)
      if (looked > 0) log.info({ looked }, 'transfers were taken into the books')
    }),
    handle(subscribeJob, async () => {
      if (provider?.notices !== undefined && !(await provider.notices.subscribe(hooksAt(publicUrl)))) throw silent()
    }),
  ]
}

export const paymentCrontab = [
  `* * * * * ${askAfterJob.name}`,
  `* * * * * ${askRefundsJob.name}`,
  `2,12,22,32,42,52 * * * * ${chargeDueJob.name}`,
  `43 3 * * * ${reconcileJob.name}`,
  `11 * * * * ${endMandatesJob.name}`,
  `13 * * * * ${endCardsJob.name}`,
  `19 * * * * ${settleTransfersJob.name}`,
].join('\n')
