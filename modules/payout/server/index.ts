/** Public face of the payout module on the server. */
export { earnedOf } from '../domain/earning.ts'
export { recordEarning, type Brought } from './earn/record-earning.ts'
export { endPayee } from './ending/end-payee.ts'
export { exportPayouts } from './ending/ending-store.ts'
export { payoutCrontab, payoutHandlers } from './handlers.ts'
export type { PayoutDeps, PayoutRules } from './keep/deps.ts'
export { payoutJobs } from './keep/jobs.ts'
export { payoutRoutes } from './routes.ts'
