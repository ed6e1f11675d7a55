import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { holdUnpaid } from './agree-evidence.ts'
import type { AgreeDeps, EvidenceDeps } from '../record/deps.ts'
import { eraseEvidenceJob } from '../record/jobs.ts'
import { forgetPreviews } from './preview-store.ts'
import { eraseVantage } from '../vantage/vantage-store.ts'
import { changeStatus, findEvidence } from '../record/store.ts'
import { eraseContent, listUnpaid, lockExpired } from './draft-store.ts'

const batch = 100

/** Drafts that nobody agreed to within 24 hours are deleted (S-40, K-03). @returns how many expired. */
export async function expireDrafts(deps: EvidenceDeps & AgreeDeps): Promise<number> {
  const now = deps.clock.now()
  let total = await expireUnpaid(deps)
  for (;;) {
    const expired = await deps.db.transaction().execute(async (tx) => {
      const drafts = await lockExpired(tx, now, batch)
      for (const draft of drafts) {
        await changeStatus(tx, draft.id, 'expired', now, { expiresAt: null })
        await enqueue(tx, eraseEvidenceJob, { evidence_id: draft.id }, { key: `erase:${draft.id}` })
      }
      return drafts.length
    })
    total += expired
    if (expired < batch) return total
  }
}

/**
 * Those that wait for their payment, each by itself, its payer held before it. One whose payment is under way stays until that is over.
 * @returns how many expired
 */
async function expireUnpaid(deps: EvidenceDeps & AgreeDeps): Promise<number> {
  const now = deps.clock.now()
  let total = 0
  for (const unpaid of await listUnpaid(deps.db, now))
    await deps.db.transaction().execute(async (tx) => {
      if (!(await holdUnpaid(tx, deps.billing, unpaid))) return
      await changeStatus(tx, unpaid.id, 'expired', now, { expiresAt: null })
      await enqueue(tx, eraseEvidenceJob, { evidence_id: unpaid.id }, { key: `erase:${unpaid.id}` })
      total += 1
    })
  return total
}

/** Erases what an evidence showed: rows first, then bytes, so that a crash between leaves nothing that can be reached. */
export async function eraseEvidence(deps: EvidenceDeps, evidenceId: string): Promise<void> {
  const evidence = await findEvidence(deps.db, evidenceId)
  if (evidence === null || !['rejected', 'expired', 'failed'].includes(evidence.status)) return
  await deps.db.transaction().execute(async (tx) => {
    await eraseContent(tx, evidenceId)
    await eraseVantage(tx, evidenceId)
    await forgetPreviews(tx, evidenceId)
  })
  await deps.blobs.scope(evidenceId).clear()
}
