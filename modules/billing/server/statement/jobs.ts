import { z } from 'zod'
import { defineJob } from '../../../../platform/jobs/jobs.ts'

/** Statements of accounts that were asked for: several by one typesetter. */
export const makeStatementsJob = defineJob('billing.make_statements', z.object({}).loose())
