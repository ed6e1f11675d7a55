import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import { issueBills } from './bill/issue-bills.ts'
import { followEarnings, matureEarnings } from './earn/follow-earnings.ts'
import { byHand, payingRealm, type PayoutDeps } from './keep/deps.ts'
import { askPayoutsJob, mailPayoutJob, makePapersJob, runPayoutsJob } from './keep/jobs.ts'
import { mailPayout, type PayoutMailDeps } from './notify/mail-payout.ts'
import { forgetPayees, makePapers, type PaperDeps } from './paper/make-papers.ts'
import { followPayees } from './payee/follow-payees.ts'
import { askAfterPayout, askPayouts } from './pay/ask-payouts.ts'
import { beginPayouts } from './pay/begin-payouts.ts'

/** What an hour brings: what went back is known before anybody is paid of it. @returns how many payouts were begun */
export async function runPayouts(deps: PayoutDeps, signal: AbortSignal): Promise<number> {
  const changed = (await followEarnings(deps, signal)) + (await matureEarnings(deps, signal))
  const begun = await beginPayouts(deps, signal)
  for (const id of begun) if (payingRealm(deps) !== byHand) await askAfterPayout(deps, id)
  if (changed + begun.length > 0) deps.log.info({ changed, begun: begun.length }, 'earnings changed, or payouts were begun')
  return begun.length
}

export function payoutHandlers(deps: PayoutDeps & PayoutMailDeps & PaperDeps): JobHandler[] {
  return [
    handle(runPayoutsJob, async (_, { signal }) => {
      await runPayouts(deps, signal)
    }),
    handle(askPayoutsJob, async (_, { signal }) => {
      const asked = (await askPayouts(deps, signal)) + (await followPayees(deps, signal))
      if (asked > 0) deps.log.info({ asked }, 'payouts and payees were asked after')
    }),
    handle(makePapersJob, async (_, { signal }) => {
      await issueBills(deps, signal)
      await makePapers(deps, signal)
      await forgetPayees(deps)
    }),
    handle(mailPayoutJob, async ({ payout_id, occasion }) => await mailPayout(deps, payout_id, occasion)),
  ]
}

export const payoutCrontab = `7 * * * * ${runPayoutsJob.name}\n* * * * * ${askPayoutsJob.name}\n31 * * * * ${makePapersJob.name}`
