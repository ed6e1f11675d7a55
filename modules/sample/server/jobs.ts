import { z } from 'zod'
import { defineJob } from '../../../platform/jobs/jobs.ts'

/** Every day, and when a worker starts: of this release there may be some already. */
export const makeSampleJob = defineJob('sample.make_sample', z.object({}).loose())
export const sampleJobs = [makeSampleJob]
