/** Public face of the sample on the server. */
export { sampleCrontab, sampleHandlers } from './handlers.ts'
export { makeSampleJob, sampleJobs } from './jobs.ts'
export type { MakeSampleDeps } from './make-sample.ts'
export { ownSite } from './own-site.ts'
export { registerSampleFiles } from './sample-files.ts'
export { tellSample } from './tell-sample.ts'
