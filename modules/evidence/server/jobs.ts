import { z } from 'zod'
import { defineJob } from '../../../platform/jobs/jobs.ts'

const ofEvidence = z.object({ evidence_id: z.uuid() })

export const sealEvidenceJob = defineJob('evidence.seal_evidence', ofEvidence)
export const finalizeEvidenceJob = defineJob('evidence.finalize_evidence', ofEvidence)
export const eraseEvidenceJob = defineJob('evidence.erase_evidence', ofEvidence)
/** Every minute. */
export const expireDraftsJob = defineJob('evidence.expire_drafts', z.object({}).loose())

/** Every minute. */
export const endWaitingJob = defineJob('evidence.end_waiting', z.object({}).loose())

export const evidenceJobs = [sealEvidenceJob, finalizeEvidenceJob, eraseEvidenceJob, expireDraftsJob, endWaitingJob]
