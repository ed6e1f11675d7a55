import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import { foldTally } from '../../../platform/lists/tally-store.ts'
import { checkCopyKeys } from './copy/check-copy-keys.ts'
import { compareCopy } from './copy/compare-copy.ts'
import type { CopyDeps } from './copy/copy-deps.ts'
import { clearCopy, compareStranded, endDueCopies } from './copy/end-copy.ts'
import { deleteOldDrafts, expireDrafts, giveUpBatches } from './ending/expire-drafts.ts'
import { askAuthorities } from './health/ask-authorities.ts'
import { renewBatches } from './health/renew-batches.ts'
import {
  askAuthoritiesJob,
  checkCopyKeysJob,
  clearCopyJob,
  compareCopyJob,
  emptyTrashJob,
  endWaitingJob,
  foldTallyJob,
  makeCertificatesJob,
  remindOfDraftsJob,
  renewStampsJob,
  sendNoticeJob,
  sealBatchJob,
  spreadAnchorJob,
  warnOfWeakeningJob,
} from './deposit/jobs.ts'
import { makeCertificates, type CertificateJobDeps } from './certificate/make-certificates.ts'
import { remindOfCopies, remindOfDrafts, warnOfWeakening } from './notify/notify-depositors.ts'
import { sendNotice, type DepositNoticeDeps } from './notify/send-notice.ts'
import type { AgreeDeps } from './deposit/deps.ts'
import { sealBatch } from './seal/seal-batch.ts'
import { spreadAnchor } from './anchor/spread-anchor.ts'

/** Lines of the tally that one transaction folds. */
const foldedAtOnce = 5_000

export function documentHandlers(deps: CertificateJobDeps & DepositNoticeDeps & CopyDeps & AgreeDeps): JobHandler[] {
  return [
    handle(sealBatchJob, async ({ batch_id }, { signal }) => await sealBatch(deps, batch_id, signal)),
    handle(makeCertificatesJob, async ({ document_id }, { signal }) => await makeCertificates(deps, document_id, signal)),
    handle(spreadAnchorJob, async (anchor) => {
      const batches = await spreadAnchor(deps, anchor)
      deps.log.info({ ...anchor, batches }, 'an anchor is confirmed: deposits below it are anchored')
    }),
    handle(endWaitingJob, async () => {
      const [expired, failed] = [await expireDrafts(deps), await giveUpBatches(deps)]
      if (expired > 0) deps.log.info({ expired }, 'drafts of deposits expired')
      if (failed > 0) deps.log.warn({ failed }, 'deposits were given up: no time stamp could be had for a day')
    }),
    handle(sendNoticeJob, async ({ notice_id }) => await sendNotice(deps, notice_id)),
    handle(remindOfDraftsJob, async () => {
      const accounts = await remindOfDrafts(deps)
      if (accounts > 0) deps.log.info({ accounts }, 'drafts of deposits end soon: their people are told')
    }),
    handle(foldTallyJob, async () => {
      while ((await foldTally(deps.db, 'document', foldedAtOnce)) >= foldedAtOnce);
    }),
    handle(compareCopyJob, async ({ copy_id }, { signal }) => await compareCopy(deps, copy_id, signal)),
    handle(checkCopyKeysJob, async () => void (await checkCopyKeys(deps))),
    handle(clearCopyJob, async ({ copy_id }) => await clearCopy(deps, copy_id)),
    handle(askAuthoritiesJob, async (_, { signal }) => {
      const batches = await askAuthorities(deps, signal)
      if (batches > 0) deps.log.info({ batches }, 'stamps came later and joined the seals of deposits')
    }),
    handle(renewStampsJob, async (_, { signal }) => {
      const { renewed, waiting } = await renewBatches(deps, signal)
      if (renewed + waiting > 0) deps.log.info({ renewed, waiting }, 'time stamps of deposits were renewed')
    }),
    handle(warnOfWeakeningJob, async () => {
      const accounts = await warnOfWeakening(deps)
      if (accounts > 0) deps.log.warn({ accounts }, 'time stamps of deposits were not renewed in time: their people are told')
    }),
    handle(emptyTrashJob, async () => {
      await compareStranded(deps)
      const accounts = await remindOfCopies(deps)
      if (accounts > 0) deps.log.info({ accounts }, 'copies of documents end soon: their people are told')
      const ended = await endDueCopies(deps)
      if (ended > 0) deps.log.info({ ended }, 'copies of documents were deleted')
      const deleted = await deleteOldDrafts(deps)
      if (deleted > 0) deps.log.info({ deleted }, 'expired drafts of deposits were deleted')
    }),
  ]
}

export const documentCrontab = [
  `* * * * * ${endWaitingJob.name}`,
  `* * * * * ${foldTallyJob.name}`,
  `*/5 * * * * ${remindOfDraftsJob.name}`,
  `43 * * * * ${emptyTrashJob.name}`,
  `*/5 * * * * ${askAuthoritiesJob.name}`,
  `27 3 * * * ${renewStampsJob.name}`,
  // After the renewals of the day.
  `47 4 * * * ${warnOfWeakeningJob.name}`,
].join('\n')
