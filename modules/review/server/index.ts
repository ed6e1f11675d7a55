/** Public face of the review module on the server. */
export type { ReviewJobDeps, ReviewWebDeps } from './documents/deps.ts'
export { eraseIdentityDocuments } from './retention/erase-documents.ts'
export { exportIdentityDocuments } from './retention/export-documents.ts'
export { reviewHandlers } from './handlers.ts'
export { identityStatusOf } from './present/identity-status.ts'
export { reviewCrontab, reviewJobs } from './documents/jobs.ts'
export { renderFile } from './render/render-file.ts'
export { reviewRoutes } from './routes.ts'
