import { z } from 'zod'
import { locales } from '../../../../kernel/locale.ts'
import { defineJob } from '../../../../platform/jobs/jobs.ts'

/** A letter that was asked for in a language. */
export const printLetterJob = defineJob('dispute.print_letter', z.object({ evidence_id: z.uuid(), locale: z.enum(locales) }))

export const disputeJobs = [printLetterJob]
