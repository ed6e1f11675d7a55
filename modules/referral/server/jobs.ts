import { z } from 'zod'
import { defineJob, handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import { accrueEarnings } from './accrue-earnings.ts'
import type { ReferralDeps } from './deps.ts'

/** Every five minutes: what was paid by those who were referred. */
const accrueEarningsJob = defineJob('referral.accrue_earnings', z.object({}).loose())

export const referralJobs = [accrueEarningsJob]

export function referralHandlers(deps: ReferralDeps): JobHandler[] {
  return [
    handle(accrueEarningsJob, async (_, { signal }) => {
      const earned = await accrueEarnings(deps, signal)
      if (earned > 0) deps.log.info({ earned }, 'something was earned by referral')
    }),
  ]
}

export const referralCrontab = `*/5 * * * * ${accrueEarningsJob.name}`
