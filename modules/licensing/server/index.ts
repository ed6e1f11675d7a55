/** Public face of the licensing module on the server. */
export { endSeller } from './ending/end-account.ts'
export { exportLicenses } from './ending/export-store.ts'
export { licensingCrontab, licensingHandlers } from './handlers.ts'
export type { LicensingDeps } from './keep/deps.ts'
export { licensingJobs } from './keep/jobs.ts'
export { askOnRegistration } from './purchase/ask-license.ts'
export { purchasedLicense, type LicenseSold } from './purchase/grant-license.ts'
export { licensingRoutes } from './routes.ts'
