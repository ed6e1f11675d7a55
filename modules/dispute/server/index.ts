/** Public face of the dispute module on the server. */
export { disputeHandlers } from './handlers.ts'
export { disputeJobs } from './keep/jobs.ts'
export { eraseDisputePacks, exportDisputePacks } from './keep/pack-store.ts'
export { disputeRoutes } from './routes.ts'
