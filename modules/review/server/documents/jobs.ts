import { z } from 'zod'
import { defineJob } from '../../../../platform/jobs/jobs.ts'

/** Tells the person what was decided. */
export const mailDecisionJob = defineJob('review.mail_decision', z.object({ decision_id: z.uuid() }))
/** Deletes the files of a document that is not there, or is erased: an upload that came to nothing, one taken back, retention. */
export const clearDocumentJob = defineJob('review.clear_document', z.object({ document_id: z.uuid() }))
/** Every hour: files whose time is over. */
export const eraseDocumentsJob = defineJob('review.erase_documents', z.object({}).loose())

/** Every hour: whose documents end soon, or today. */
export const remindEndingJob = defineJob('review.remind_ending', z.object({}).loose())
/** Tells the person of whom that is. */
export const mailEndingJob = defineJob('review.mail_ending', z.object({ user_id: z.uuid() }))

export const reviewJobs = [mailDecisionJob, clearDocumentJob, eraseDocumentsJob, remindEndingJob, mailEndingJob]

export const reviewCrontab = `41 * * * * ${eraseDocumentsJob.name}\n13 * * * * ${remindEndingJob.name}`
