import { z } from 'zod'
import { defineJob } from '../../../../platform/jobs/jobs.ts'

/** The documents of what was issued: several by one typesetter. */
export const makeDocumentsJob = defineJob('billing.make_documents', z.object({}).loose())
