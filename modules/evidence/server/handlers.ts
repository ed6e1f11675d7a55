import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import { eraseEvidence, expireDrafts } from './expire-drafts.ts'
import { finalizeEvidence, type FinalizeDeps } from './finalize-evidence.ts'
import { eraseEvidenceJob, expireDraftsJob, finalizeEvidenceJob, sealEvidenceJob } from './jobs.ts'
import { sealEvidence } from './seal-evidence.ts'

export function evidenceHandlers(deps: FinalizeDeps): JobHandler[] {
  return [
    handle(sealEvidenceJob, async ({ evidence_id }) => await sealEvidence(deps, evidence_id)),
    handle(finalizeEvidenceJob, async ({ evidence_id }, { signal }) => await finalizeEvidence(deps, evidence_id, signal)),
    handle(eraseEvidenceJob, async ({ evidence_id }) => await eraseEvidence(deps, evidence_id)),
    handle(expireDraftsJob, async () => {
      const expired = await expireDrafts(deps)
      if (expired > 0) deps.log.info({ expired }, 'drafts expired')
    }),
  ]
}

export const evidenceCrontab = `* * * * * ${expireDraftsJob.name}`
