/** Public face of the document module on the server. */
export type { DocumentDeps, DocumentSealDeps, DocumentWebDeps } from './deps.ts'
export { createDocumentChanges, documentChannel, type DocumentChanges } from './document-changes.ts'
export { documentCrontab, documentHandlers } from './handlers.ts'
export { documentJobs } from './jobs.ts'
export { notifyDocumentAnchorProgress } from './anchor-store.ts'
export { announceDocumentAnchor } from './spread-anchor.ts'
export { documentRoutes } from './routes.ts'
