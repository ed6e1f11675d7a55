import { handle, type JobHandler } from '../../../platform/jobs/jobs.ts'
import { deleteSpentWork } from '../../../platform/guard/work-store.ts'
import { foldTally } from '../../../platform/lists/tally-store.ts'
import { eraseEvidence, expireDrafts } from './draft/expire-drafts.ts'
import type { AgreeDeps } from './record/deps.ts'
import { finalizeEvidence, type FinalizeDeps } from './final/finalize-evidence.ts'
import { askAuthorities } from './health/ask-authorities.ts'
import { renewSeals } from './health/renew-seals.ts'
import {
  askAuthoritiesJob,
  deleteContentJob,
  emptyTrashJob,
  endWaitingJob,
  eraseEvidenceJob,
  expireDraftsJob,
  finalizeEvidenceJob,
  foldTallyJob,
  previewReportJob,
  refreshPackageJob,
  renewSealsJob,
  sealEvidenceJob,
  spreadAnchorJob,
} from './record/jobs.ts'
import { deleteOldHandOffs } from '../../live/server/index.ts'
import { deleteOldPreviews } from './quota/quota-store.ts'
import { deleteContent, emptyTrash } from './trash/empty-trash.ts'
import { failUnserved, failWithdrawn } from './queue/lease-store.ts'
import { refreshPackage } from './final/refresh-package.ts'
import { spreadAnchor } from './anchor/spread-anchor.ts'
import { printReportPreview } from './draft/print-preview.ts'
import { sealEvidence } from './seal/seal-evidence.ts'

/** Lines of the tally that one transaction folds. */
const foldedAtOnce = 5_000

export function evidenceHandlers(
  deps: FinalizeDeps &
    AgreeDeps & {
      /** How long a capture waits while no server that may take it is ready (PROBANT_SERVER_WAIT). */
      readonly serverWaitSeconds: number
    },
): JobHandler[] {
  return [
    handle(sealEvidenceJob, async ({ evidence_id }) => await sealEvidence(deps, evidence_id)),
    handle(finalizeEvidenceJob, async ({ evidence_id }, { signal }) => await finalizeEvidence(deps, evidence_id, signal)),
    handle(previewReportJob, async ({ evidence_id, language }, { signal, attempt, maxAttempts }) => {
      await printReportPreview(deps, { evidenceId: evidence_id, language }, { stop: signal, last: attempt >= maxAttempts })
    }),
    handle(refreshPackageJob, async ({ evidence_id }, { signal }) => await refreshPackage(deps, evidence_id, signal)),
    handle(spreadAnchorJob, async (anchor) => {
      const packages = await spreadAnchor(deps, anchor)
      deps.log.info({ ...anchor, packages }, 'an anchor is confirmed: packages are made anew with it')
    }),
    handle(askAuthoritiesJob, async (_, { signal }) => {
      const seals = await askAuthorities(deps, signal)
      if (seals > 0) deps.log.info({ seals }, 'stamps came later and joined their seals')
    }),
    handle(renewSealsJob, async (_, { signal }) => {
      const { renewed, waiting } = await renewSeals(deps, signal)
      if (renewed + waiting > 0) deps.log.info({ renewed, waiting }, 'stamps were renewed')
    }),
    handle(eraseEvidenceJob, async ({ evidence_id }) => await eraseEvidence(deps, evidence_id)),
    handle(deleteContentJob, async ({ evidence_id }) => await deleteContent(deps, evidence_id)),
    handle(emptyTrashJob, async () => {
      const emptied = await emptyTrash(deps)
      if (emptied > 0) deps.log.info({ emptied }, 'evidences were in the trash for thirty days: their files go')
    }),
    handle(foldTallyJob, async () => {
      while ((await foldTally(deps.db, 'evidence', foldedAtOnce)) >= foldedAtOnce);
    }),
    handle(expireDraftsJob, async () => {
      const expired = await expireDrafts(deps)
      await deleteOldHandOffs(deps.db)
      await deleteOldPreviews(deps.db, deps.clock.now())
      await deleteSpentWork(deps.db, deps.clock.now())
      if (expired > 0) deps.log.info({ expired }, 'drafts expired')
    }),
    handle(endWaitingJob, async () => {
      // What was asked for, or given back, in the moment in which the server was taken away.
      const withdrawn = await failWithdrawn(deps.db)
      if (withdrawn.length > 0) deps.log.warn({ withdrawn }, 'captures were given up: their server may not be asked for any more')
      const failed = await failUnserved(deps.db, deps.serverWaitSeconds)
      if (failed.length > 0) deps.log.warn({ failed }, 'captures were given up: no server was ready for them')
    }),
  ]
}

export const evidenceCrontab = [
  `* * * * * ${expireDraftsJob.name}`,
  `* * * * * ${endWaitingJob.name}`,
  `* * * * * ${foldTallyJob.name}`,
  `41 * * * * ${emptyTrashJob.name}`,
  `*/5 * * * * ${askAuthoritiesJob.name}`,
  `17 3 * * * ${renewSealsJob.name}`,
].join('\n')
