import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import type { Log } from '../../../platform/log/log.ts'
import { makeDocuments, type DocumentDeps } from './document/make-documents.ts'
import { forgetBuyers, forgetConsultations } from './ending/ending-store.ts'
import { giveBackLeft } from './ending/give-back.ts'
import { forgetDocuments } from './ending/forget-documents.ts'
import { makeDocumentsJob } from './invoice/jobs.ts'
import { sendBillingNotice, type BillingMailDeps } from './mail/send-billing-notice.ts'
import type { PaymentDeps } from './payment/means/deps.ts'
import { paymentCrontab, paymentHandlers } from './payment/handlers.ts'
import { sendBillingNoticeJob } from './notice/jobs.ts'
import { checkVatNumbersJob, forgetBuyersJob, giveBackJob, remindCustomersJob, runBillingJob } from './run/jobs.ts'
import { invoiceExtras } from './run/invoice-extras.ts'
import { remindCustomers } from './run/remind-customers.ts'
import { runBilling } from './run/run-billing.ts'
import type { BillingDeps } from './seller/deps.ts'
import { makeStatementsJob } from './statement/jobs.ts'
import { forgetStatements, makeStatements } from './statement/make-statements.ts'
import { checkVatNumbers, type VatDeps } from './vat/check-vat-number.ts'

export function billingHandlers(
  deps: BillingDeps & DocumentDeps & BillingMailDeps & VatDeps & PaymentDeps & { readonly log: Log },
): JobHandler[] {
  return [
    ...paymentHandlers(deps),
    handle(runBillingJob, async (_, { signal }) => {
      const done = await runBilling(deps, signal)
      if (done > 0) deps.log.info({ done }, 'subscriptions went on')
      const issued = await invoiceExtras(deps, signal)
      if (issued > 0) deps.log.info({ issued }, 'what was bought beyond plans was invoiced')
    }),
    handle(makeDocumentsJob, async (_, { signal }) => void (await makeDocuments(deps, signal))),
    handle(makeStatementsJob, async (_, { signal }) => void (await makeStatements(deps, signal))),
    handle(sendBillingNoticeJob, async ({ notice_id }) => await sendBillingNotice(deps, notice_id)),
    handle(checkVatNumbersJob, async (_, { signal }) => await checkVatNumbers(deps, signal)),
    handle(remindCustomersJob, async (_, { signal }) => await remindCustomers(deps, signal)),
    handle(giveBackJob, async (_, { signal }) => {
      const looked = await giveBackLeft(deps, signal)
      if (looked > 0) deps.log.info({ looked }, 'accounts that have ended had something to their credit')
    }),
    handle(forgetBuyersJob, async () => {
      const forgotten = await forgetBuyers(deps.db, deps.clock.now())
      await forgetDocuments(deps)
      await forgetStatements(deps)
      await forgetConsultations(deps.db, deps.clock.now())
      if (forgotten > 0) deps.log.info({ forgotten }, 'buyers of invoices were forgotten: the law’s ten years are over')
    }),
  ]
}

export const billingCrontab = [
  `*/10 * * * * ${runBillingJob.name}`,
  `37 * * * * ${checkVatNumbersJob.name}`,
  // In the morning, after the runs of the night.
  `7 6 * * * ${remindCustomersJob.name}`,
  // What a worker left that was given up.
  `23 * * * * ${makeDocumentsJob.name}`,
  `29 * * * * ${makeStatementsJob.name}`,
  `17 5 * * * ${forgetBuyersJob.name}`,
  // After the night's comparison with the provider, which may tell how a payment ended.
  `31 4 * * * ${giveBackJob.name}`,
  paymentCrontab,
].join('\n')
