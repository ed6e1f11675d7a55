import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { holdUnpaid } from '../draft/agree-evidence.ts'
import type { AgreeDeps, EvidenceDeps } from '../record/deps.ts'
import { deleteContent } from './empty-trash.ts'
import { eraseEvidence } from '../draft/expire-drafts.ts'
import { eraseEvidenceJob } from '../record/jobs.ts'
import { failUnfinished } from '../queue/lease-store.ts'
import { deleteNotifications } from '../notify/notify-store.ts'
import { changeStatus, findEvidence, lockEvidence } from '../record/store.ts'
import { setLabel, forgetWords, listToErase, releaseGroup, setContentDeleted } from './trash-store.ts'

const batch = 100

/** A report is being made of it, or a payment of it is under way: it is erased once that is done. The job that closes the account tries again. */
export class StillFinalizing extends Error {
  override readonly name = 'StillFinalizing'
}

/**
 * Erases what a closed account made by itself (decision H-38): captures under way end, drafts and final reports lose their content
 * and every word of their owner; rows, fingerprints and proofs stay, and lead to nobody. What belongs to a group stays with it. May be
 * repeated, and begun again where it was cut off.
 * @param groupId a group that ends with the account: what its members of now made is theirs alone again; what others made in it, which nobody reaches any more, is erased too
 * @throws StillFinalizing when one could not be erased yet; all others were
 */
export async function eraseOwnedEvidence(
  deps: EvidenceDeps & AgreeDeps,
  accountId: string,
  groupId: string | null = null,
): Promise<void> {
  if (groupId !== null) await deps.db.transaction().execute(async (tx) => await releaseGroup(tx, groupId))
  let waiting = 0
  for (let after: string | null = null; ;) {
    const owned = await listToErase(deps.db, { accountId, groupId }, { after, limit: batch })
    for (const { id } of owned) if (!(await eraseOne(deps, id))) waiting += 1
    after = owned.at(-1)?.id ?? null
    if (owned.length < batch || after === null) break
  }
  await deleteNotifications(deps.db, accountId)
  if (waiting > 0) throw new StillFinalizing(`${String(waiting)} evidences of a closed account are being finalised`)
}

/** @returns false: not yet */
async function eraseOne(deps: EvidenceDeps & AgreeDeps, id: string): Promise<boolean> {
  const status = await deps.db.transaction().execute(async (tx) => {
    const before = await findEvidence(tx, id)
    if (before?.status === 'awaiting_payment' && !(await holdUnpaid(tx, deps.billing, before))) return 'finalizing'
    const evidence = await lockEvidence(tx, id)
    const now = deps.clock.now()
    if (evidence === null || evidence.status === 'finalizing') return evidence?.status ?? null
    if (evidence.sale !== 'none') {
      // Whoever has a licence keeps what he paid for (decision 0390); what its owner wrote beside it goes.
      await setLabel(tx, id, '')
      return 'sold'
    }
    if (evidence.status === 'final') {
      if (evidence.contentDeletedAt === null) await setContentDeleted(tx, id, now)
    } else if (evidence.status !== 'expired') {
      const unfinished = ['queued', 'preparing', 'capturing', 'completing']
      if (unfinished.includes(evidence.status)) await failUnfinished(tx, id, { code: 'account_closed', data: {} })
      await changeStatus(tx, id, 'expired', now, { expiresAt: null })
      await enqueue(tx, eraseEvidenceJob, { evidence_id: id }, { key: `erase:${id}` })
    }
    await forgetWords(tx, id)
    return evidence.status
  })
  if (status === 'sold') return true
  if (status === 'finalizing') return false
  if (status === 'final') await deleteContent(deps, id)
  else await eraseEvidence(deps, id)
  return true
}
