/** Public face of the support module on the server. */
export { eraseOwnedRequests } from './ending/erase-requests.ts'
export { exportOwnedRequests } from './ending/export-requests.ts'
export { supportCrontab, supportHandlers } from './handlers.ts'
export { supportJobs } from './requests/jobs.ts'
export { messageHashes } from './requests/guard-request.ts'
export type { NewsletterConfig } from './requests/deps.ts'
export { supportRoutes } from './routes.ts'
export { sampleSupportMails } from './mails/sample-mails.ts'
