import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import type { Log } from '../../../platform/log/log.ts'
import { makeDocuments, type DocumentDeps } from './document/make-documents.ts'
import { forgetBuyers } from './ending/ending-store.ts'
import { forgetDocuments } from './ending/forget-documents.ts'
import { makeDocumentsJob } from './invoice/jobs.ts'
import { forgetBuyersJob, runBillingJob } from './run/jobs.ts'
import { runBilling } from './run/run-billing.ts'
import type { BillingDeps } from './seller/deps.ts'

export function billingHandlers(deps: BillingDeps & DocumentDeps & { readonly log: Log }): JobHandler[] {
  return [
    handle(runBillingJob, async (_, { signal }) => {
      const done = await runBilling(deps, signal)
      if (done > 0) deps.log.info({ done }, 'subscriptions went on')
    }),
    handle(makeDocumentsJob, async (_, { signal }) => void (await makeDocuments(deps, signal))),
    handle(forgetBuyersJob, async () => {
      const forgotten = await forgetBuyers(deps.db, deps.clock.now())
      await forgetDocuments(deps)
      if (forgotten > 0) deps.log.info({ forgotten }, 'buyers of invoices were forgotten: the law’s ten years are over')
    }),
  ]
}

export const billingCrontab = [
  `*/10 * * * * ${runBillingJob.name}`,
  // What a worker left that was given up.
  `23 * * * * ${makeDocumentsJob.name}`,
  `17 5 * * * ${forgetBuyersJob.name}`,
].join('\n')
