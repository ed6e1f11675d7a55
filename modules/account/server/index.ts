/** Public face of the account module on the server. */
export { findDelegation } from './delegate-access.ts'
export { accountCrontab, accountHandlers } from './handlers.ts'
export { accountJobs } from './jobs.ts'
export { accountRoutes } from './routes.ts'
