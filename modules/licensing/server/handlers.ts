import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import type { Log } from '../../../platform/log/log.ts'
import { eraseUnsold, type EraseUnsoldDeps } from './ending/erase-unsold.ts'
import type { LicensingDeps } from './keep/deps.ts'
import { lapseLicensesJob, mailLicenseJob, makeLicenseJob } from './keep/jobs.ts'
import { mailLicense, type LicenseMailDeps } from './notify/mail-license.ts'
import { makeLicense, type PaperDeps } from './paper/make-license.ts'
import { followPayments } from './purchase/follow-payments.ts'
import { lapseLicenses } from './purchase/lapse-licenses.ts'

export function licensingHandlers(
  deps: LicensingDeps & PaperDeps & LicenseMailDeps & EraseUnsoldDeps & { readonly log: Log },
): JobHandler[] {
  return [
    handle(makeLicenseJob, async ({ license_id }, { signal }) => await makeLicense(deps, license_id, signal)),
    handle(mailLicenseJob, async ({ license_id, to, occasion }) => await mailLicense(deps, license_id, to, occasion)),
    handle(lapseLicensesJob, async (_, { signal }) => {
      const lapsed = await lapseLicenses(deps, signal)
      const revoked = await followPayments(deps, signal)
      await eraseUnsold(deps, signal)
      if (lapsed + revoked > 0) deps.log.info({ lapsed, revoked }, 'licences lapsed or were revoked')
    }),
  ]
}

export const licensingCrontab = `*/10 * * * * ${lapseLicensesJob.name}`
