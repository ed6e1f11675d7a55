import { z } from 'zod'
import { defineJob } from '../../../../platform/jobs/jobs.ts'

/** The document of a licence that was paid, in both languages. */
export const makeLicenseJob = defineJob('licensing.make_license', z.object({ license_id: z.uuid() }))
/** To seller and to buyer. */
export const mailLicenseJob = defineJob(
  'licensing.mail_license',
  z.object({ license_id: z.uuid(), to: z.enum(['seller', 'buyer']), occasion: z.enum(['granted', 'revoked']) }),
)
/** Every ten minutes: licences that nobody paid for within a day, and those whose payment went back. */
export const lapseLicensesJob = defineJob('licensing.lapse_licenses', z.object({}).loose())

export const licensingJobs = [makeLicenseJob, mailLicenseJob, lapseLicensesJob]
