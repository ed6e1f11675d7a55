/** Public face of the review module on the server. */
export type { ReviewJobDeps, ReviewWebDeps } from './deps.ts'
export { eraseIdentityDocuments } from './erase-documents.ts'
export { exportIdentityDocuments } from './export-documents.ts'
export { reviewHandlers } from './handlers.ts'
export { identityStatusOf } from './identity-status.ts'
export { reviewCrontab, reviewJobs } from './jobs.ts'
export { renderFile } from './render/render-file.ts'
export { reviewRoutes } from './routes.ts'
