import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import type { Log } from '../../../platform/log/log.ts'
import { forgetBuyers } from './ending/ending-store.ts'
import { forgetBuyersJob, runBillingJob } from './run/jobs.ts'
import { runBilling } from './run/run-billing.ts'
import type { BillingDeps } from './seller/deps.ts'

export function billingHandlers(deps: BillingDeps & { readonly log: Log }): JobHandler[] {
  return [
    handle(runBillingJob, async (_, { signal }) => {
      const done = await runBilling(deps, signal)
      if (done > 0) deps.log.info({ done }, 'subscriptions went on')
    }),
    handle(forgetBuyersJob, async () => {
      const forgotten = await forgetBuyers(deps.db, deps.clock.now())
      if (forgotten > 0) deps.log.info({ forgotten }, 'buyers of invoices were forgotten: the law’s ten years are over')
    }),
  ]
}

export const billingCrontab = [`*/10 * * * * ${runBillingJob.name}`, `17 5 * * * ${forgetBuyersJob.name}`].join('\n')
