import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import { makeSampleJob } from './jobs.ts'
import { makeSample, type MakeSampleDeps } from './make-sample.ts'

export function sampleHandlers(deps: MakeSampleDeps): JobHandler[] {
  return [
    handle(makeSampleJob, async (_, { log, signal }) => {
      if ((await makeSample(deps, signal)) === 'made') log.info({}, 'the sample report was made')
    }),
  ]
}

export const sampleCrontab = `20 4 * * * ${makeSampleJob.name}`
