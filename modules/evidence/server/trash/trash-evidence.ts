import { DomainError } from '../../../../kernel/errors.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { assertTransition } from '../../domain/status.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import { deleteContentJob, eraseEvidenceJob } from '../record/jobs.ts'
import { recordEvidenceAct } from '../own/own-evidence.ts'
import { lockReachable, type Caller } from '../own/reach-store.ts'
import { refuseSold } from '../record/refuse-sold.ts'
import { changeStatus } from '../record/store.ts'
import { setContentDeleted, setLabel, setTrashed } from './trash-store.ts'

/** While the program works on it. What becomes of it is not known yet: it can be thrown away a moment later. */
const underWay: ReadonlySet<string> = new Set([
  'queued',
  'preparing',
  'capturing',
  'completing',
  'awaiting_payment',
  'finalizing',
])

/**
 * Puts an evidence in the trash. A final report can be taken out again for thirty days; a draft cannot: to throw one away is to
 * reject it, or to end one that failed before its day is over, and its content is erased at once (decision 0253). Asking again
 * changes nothing.
 * @throws DomainError conflict `evidence.under_way`, `evidence.for_sale`, `evidence.licensed`
 */
export async function trashEvidence(deps: EvidenceDeps, caller: Caller, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const evidence = await lockReachable(tx, caller, id)
    const { status } = evidence
    const now = deps.clock.now()
    if (status === 'rejected' || status === 'expired' || evidence.trashedAt !== null) return
    if (underWay.has(status)) throw new DomainError('conflict', 'evidence.under_way', { status })
    if (status === 'final') {
      refuseSold(evidence)
      await setTrashed(tx, id, now)
      return await recordEvidenceAct(tx, now, 'trashed', caller, id)
    }
    const to = status === 'failed' ? 'expired' : 'rejected'
    assertTransition(status, to)
    await changeStatus(tx, id, to, now, to === 'expired' ? { expiresAt: null } : {})
    await enqueue(tx, eraseEvidenceJob, { evidence_id: id }, { key: `erase:${id}` })
    await recordEvidenceAct(tx, now, to === 'rejected' ? 'rejected' : 'trashed', caller, id)
  })
}

/** Takes a final report out of the trash. Asking again changes nothing. @throws DomainError conflict `evidence.not_restorable` */
export async function restoreEvidence(deps: EvidenceDeps, caller: Caller, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const evidence = await lockReachable(tx, caller, id)
    if (evidence.contentDeletedAt !== null || evidence.status === 'rejected' || evidence.status === 'expired')
      throw new DomainError('conflict', 'evidence.not_restorable')
    if (evidence.trashedAt === null) return
    await setTrashed(tx, id, null)
    await recordEvidenceAct(tx, deps.clock.now(), 'restored', caller, id)
  })
}

/**
 * Deletes the files of a final report that is in the trash, now instead of after thirty days; its fingerprint and the proofs of it
 * stay (decision 0253). Of what was rejected or has expired, nothing is left to delete. Asking again changes nothing.
 * @throws DomainError conflict `evidence.not_in_trash`
 */
export async function deleteForGood(deps: EvidenceDeps, caller: Caller, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const { status, trashedAt, contentDeletedAt } = await lockReachable(tx, caller, id)
    if (contentDeletedAt !== null || status === 'rejected' || status === 'expired') return
    if (trashedAt === null) throw new DomainError('conflict', 'evidence.not_in_trash')
    const now = deps.clock.now()
    await setContentDeleted(tx, id, now)
    await enqueue(tx, deleteContentJob, { evidence_id: id }, { key: `delete:${id}` })
    await recordEvidenceAct(tx, now, 'deleted', caller, id)
  })
}

/** Bounds and characters are the contract's. */
export async function labelEvidence(deps: EvidenceDeps, caller: Caller, id: string, label: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const evidence = await lockReachable(tx, caller, id)
    if (evidence.label === label) return
    await setLabel(tx, id, label)
    await recordEvidenceAct(tx, deps.clock.now(), 'labelled', caller, id)
  })
}

const changes = { trash: trashEvidence, restore: restoreEvidence, delete: deleteForGood } as const

/** Each by itself, in the order that was asked. @returns the code of what kept it back, or null */
export async function changeMany(
  deps: EvidenceDeps,
  caller: Caller,
  { action, ids }: { readonly action: keyof typeof changes; readonly ids: readonly string[] },
): Promise<{ readonly id: string; readonly code: string | null }[]> {
  const change = changes[action]
  const results = []
  for (const id of new Set(ids.map((each) => each.toLowerCase()))) {
    try {
      await change(deps, caller, id)
      results.push({ id, code: null })
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      results.push({ id, code: error.code })
    }
  }
  return results
}
