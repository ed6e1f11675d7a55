/** Public face of the evidence module on the server. */
export type { EvidenceDeps, EvidenceWebDeps } from './deps.ts'
export { startCaptureLoop, type Capture, type CaptureLoop, type CaptureLoopDeps } from './capture-loop.ts'
export { createEvidenceChanges, evidenceChannel, type EvidenceChanges } from './evidence-changes.ts'
export { evidenceHandlers, evidenceCrontab } from './handlers.ts'
export { evidenceJobs } from './jobs.ts'
export { evidenceRoutes } from './routes.ts'
