import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import type { AccountJobDeps } from './people/deps.ts'
import { eraseAccount, sweepAccounts } from './closing/erase-account.ts'
import { eraseAccountJob, sendMailJob, sweepAccountsJob } from './people/jobs.ts'
import { sendMail } from './send-mail.ts'

export function accountHandlers(deps: AccountJobDeps): JobHandler[] {
  return [
    handle(sendMailJob, async ({ kind, id }) => await sendMail(deps, kind, id)),
    handle(eraseAccountJob, async ({ user_id }) => {
      if (await eraseAccount(deps, user_id)) deps.log.info({ user_id }, 'a closed account was erased')
    }),
    handle(sweepAccountsJob, async () => {
      await sweepAccounts(deps)
    }),
  ]
}

export const accountCrontab = `*/5 * * * * ${sweepAccountsJob.name}`
