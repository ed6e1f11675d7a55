import { z } from 'zod'
import { locales } from '../../../../kernel/locale.ts'
import { defineJob } from '../../../../platform/jobs/jobs.ts'

const ofEvidence = z.object({ evidence_id: z.uuid() })

export const sealEvidenceJob = defineJob('evidence.seal_evidence', ofEvidence)
export const finalizeEvidenceJob = defineJob('evidence.finalize_evidence', ofEvidence)
/** A draft's report, marked as a preview, when its holder asks for it. */
export const previewReportJob = defineJob('evidence.preview_report', ofEvidence.extend({ language: z.enum(locales) }))
export const eraseEvidenceJob = defineJob('evidence.erase_evidence', ofEvidence)
/** The package of a final evidence, anew with the proofs of its anchor once there are any. */
export const refreshPackageJob = defineJob('evidence.refresh_package', ofEvidence)
/** An anchor of a checkpoint of the public log of that many leaves was confirmed. */
export const spreadAnchorJob = defineJob('evidence.spread_anchor', z.object({ size: z.int().positive() }))
/** Asks again the authorities that gave no stamp. */
export const askAuthoritiesJob = defineJob('evidence.ask_authorities', z.object({}).loose())
/** Renews the stamps whose end comes near. */
export const renewSealsJob = defineJob('evidence.renew_seals', z.object({}).loose())
/** What was in the trash for thirty days: its files go. */
export const deleteContentJob = defineJob('evidence.delete_content', ofEvidence)
/** Every hour. */
export const emptyTrashJob = defineJob('evidence.empty_trash', z.object({}).loose())
/** Every minute. */
export const foldTallyJob = defineJob('evidence.fold_tally', z.object({}).loose())
/** Every minute. */
export const expireDraftsJob = defineJob('evidence.expire_drafts', z.object({}).loose())

/** Every minute. */
export const endWaitingJob = defineJob('evidence.end_waiting', z.object({}).loose())

/** The mail of one line of notifications. */
export const sendNotificationJob = defineJob('evidence.send_notification', z.object({ notification_id: z.uuid() }))
/** Every five minutes. */
export const remindOfDraftsJob = defineJob('evidence.remind_of_drafts', z.object({}).loose())
/** Every hour. */
export const endTermsJob = defineJob('evidence.end_terms', z.object({}).loose())
/** Every day. */
export const warnOfWeakeningJob = defineJob('evidence.warn_of_weakening', z.object({}).loose())

export const notificationJobs = [sendNotificationJob, remindOfDraftsJob, endTermsJob, warnOfWeakeningJob]

export const evidenceJobs = [
  sealEvidenceJob,
  finalizeEvidenceJob,
  previewReportJob,
  refreshPackageJob,
  spreadAnchorJob,
  askAuthoritiesJob,
  renewSealsJob,
  eraseEvidenceJob,
  deleteContentJob,
  emptyTrashJob,
  foldTallyJob,
  expireDraftsJob,
  endWaitingJob,
]
