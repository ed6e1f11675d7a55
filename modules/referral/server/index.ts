/** Public face of the referral module on the server. */
export type { ReferralDeps } from './deps.ts'
export { exportReferees } from './export-store.ts'
export { referralCrontab, referralHandlers, referralJobs } from './jobs.ts'
export { referralRoutes } from './routes.ts'
