import { locales } from '../../../kernel/locale.ts'
import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import { makeSampleJob } from './jobs.ts'
import { makeSample, type MakeSampleDeps } from './make-sample.ts'

export function sampleHandlers(deps: MakeSampleDeps): JobHandler[] {
  return [
    handle(makeSampleJob, async (_, { log, signal }) => {
      // One after the other: none is waited for by anybody, and captures of others are.
      for (const locale of locales)
        if ((await makeSample(deps, locale, signal)) === 'made') log.info({ locale }, 'the sample report was made')
    }),
  ]
}

export const sampleCrontab = `20 4 * * * ${makeSampleJob.name}`
