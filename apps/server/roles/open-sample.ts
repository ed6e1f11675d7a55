import { join } from 'node:path'
import { captureLimitsFrom, captureStatic, createConditionProbes, type Notary } from '../../../modules/capture/server/index.ts'
import {
  makeSampleJob,
  ownSite,
  sampleCrontab,
  sampleHandlers,
  sampleJobs,
  type MakeSampleDeps,
} from '../../../modules/sample/server/index.ts'
import { packageSoftware } from '../../../platform/config/software.ts'
import { enqueue, type Job, type JobHandler } from '../../../platform/jobs/jobs.ts'
import type { RoleDeps } from './role.ts'

/** The other roles have come up by then. */
const firstAfterMs = 20_000
/** Some minutes in all; then tomorrow. */
const attempts = 6

/** The worker makes it, which holds the keys anyway: the page is the installation's own. Nothing where none is wished, or none could be reached. */
export async function openSample(
  deps: RoleDeps & Omit<MakeSampleDeps, 'software' | 'capture'> & { readonly notary: Notary },
): Promise<{ readonly jobs: readonly Job[]; readonly handlers: readonly JobHandler[]; readonly crontab: string }> {
  const { config, clock, log, notary, db } = deps
  const site = config.sample ? ownSite(config) : null
  if (site === null) return { jobs: [], handlers: [], crontab: '' }
  const conditions = createConditionProbes(config.conditions, { kept: { folder: join(config.dataFolder, 'servers'), clock } })
  const capture: MakeSampleDeps['capture'] = async (evidenceId, locale, workDir, signal) =>
    await captureStatic(
      {
        evidenceId,
        url: `${site.origin}/${locale}/`,
        locale,
        workDir,
        limits: captureLimitsFrom(config.captureLimits),
        operator: config.operator,
        allowAddresses: [...config.allowAddresses, ...site.allowAddresses],
        includeTlsKeys: false,
        onProgress: () => undefined,
      },
      { clock, log, signal, notary, conditions, isolationOverride: config.unjailedBrowser },
    )
  await enqueue(
    db,
    makeSampleJob,
    {},
    {
      key: makeSampleJob.name,
      runAt: new Date(clock.now().getTime() + firstAfterMs),
      maxAttempts: attempts,
    },
  )
  return {
    jobs: sampleJobs,
    handlers: sampleHandlers({ ...deps, software: packageSoftware, capture }),
    crontab: sampleCrontab,
  }
}
