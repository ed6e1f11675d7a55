import type { Job, JobHandler } from '../../../platform/jobs/jobs.ts'
import { runWorker } from '../../../platform/jobs/worker.ts'
import type { RoleDeps, RunningRole } from '../role.ts'

/** Background jobs. */
export async function startWorker(deps: RoleDeps): Promise<RunningRole> {
  const jobs: Job[] = []
  const handlers: JobHandler[] = []
  return await runWorker({
    databaseUrl: deps.databaseUrl,
    jobs,
    handlers,
    crontab: '',
    concurrency: deps.config.workerConcurrency,
    log: deps.log,
  })
}
