import { z } from 'zod'
import { defineJob } from '../../../../platform/jobs/jobs.ts'

export const sealBatchJob = defineJob('document.seal_batch', z.object({ batch_id: z.uuid() }))
/** The certificates of a final deposit: the first ones, or anew. */
export const makeCertificatesJob = defineJob('document.make_certificates', z.object({ document_id: z.uuid() }))
/** An anchor of a checkpoint of the public log of that many leaves was confirmed. */
export const spreadAnchorJob = defineJob('document.spread_anchor', z.object({ size: z.int().positive() }))
/** Every minute: drafts whose day is over, seals that nobody could be had for. */
export const endWaitingJob = defineJob('document.end_waiting', z.object({}).loose())
/** Every minute. */
export const foldTallyJob = defineJob('document.fold_tally', z.object({}).loose())
/** Every five minutes. */
export const remindOfDraftsJob = defineJob('document.remind_of_drafts', z.object({}).loose())
/** The mail of one line of notices. */
export const sendNoticeJob = defineJob('document.send_notice', z.object({ notice_id: z.uuid() }))
/** Every hour: what was in the trash for thirty days, and copies whose time is over or soon will be. */
export const emptyTrashJob = defineJob('document.empty_trash', z.object({}).loose())

/** A copy of a file is whole: is it the file that was deposited? */
export const compareCopyJob = defineJob('document.compare_copy', z.object({ copy_id: z.uuid() }))
/** The bytes of a copy that ended. */
export const clearCopyJob = defineJob('document.clear_copy', z.object({ copy_id: z.uuid() }))

/** Every five minutes: authorities that gave no stamp when a batch was sealed. */
export const askAuthoritiesJob = defineJob('document.ask_authorities', z.object({}).loose())
/** Every day: time stamps that should not stand alone for much longer. */
export const renewStampsJob = defineJob('document.renew_stamps', z.object({}).loose())
/** Every day, after that: whose owners are to be told that they were not renewed. */
export const warnOfWeakeningJob = defineJob('document.warn_of_weakening', z.object({}).loose())
/** At the start of the worker: which copies the master key does not open. */
export const checkCopyKeysJob = defineJob('document.check_copy_keys', z.object({}).loose())

export const documentJobs = [
  sealBatchJob,
  makeCertificatesJob,
  spreadAnchorJob,
  endWaitingJob,
  foldTallyJob,
  remindOfDraftsJob,
  sendNoticeJob,
  emptyTrashJob,
  compareCopyJob,
  clearCopyJob,
  askAuthoritiesJob,
  renewStampsJob,
  warnOfWeakeningJob,
  checkCopyKeysJob,
]
