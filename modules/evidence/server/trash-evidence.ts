import { DomainError } from '../../../kernel/errors.ts'
import { enqueue } from '../../../platform/jobs/jobs.ts'
import { assertTransition } from '../domain/status.ts'
import type { EvidenceDeps } from './deps.ts'
import { eraseEvidenceJob } from './jobs.ts'
import { recordEvidenceAct } from './own-evidence.ts'
import { lockReachable, type Caller } from './reach-store.ts'
import { changeStatus } from './store.ts'
import { setLabel, setTrashed } from './trash-store.ts'

/** While the program works on it. What becomes of it is not known yet: it can be thrown away a moment later. */
const underWay: ReadonlySet<string> = new Set(['queued', 'preparing', 'capturing', 'completing', 'finalizing'])

/**
 * Puts an evidence in the trash. A final report can be taken out again for thirty days; a draft cannot: to throw one away is to
 * reject it, or to end one that failed before its day is over, and its content is erased at once (decision 0253). Asking again
 * changes nothing.
 * @throws DomainError conflict `evidence.under_way`
 */
export async function trashEvidence(deps: EvidenceDeps, caller: Caller, id: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const evidence = await lockReachable(tx, caller, id)
    const { status } = evidence
    const now = deps.clock.now()
    if (status === 'rejected' || status === 'expired' || evidence.trashedAt !== null) return
    if (underWay.has(status)) throw new DomainError('conflict', 'evidence.under_way', { status })
    if (status === 'final') {
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

/** Bounds and characters are the contract's. */
export async function labelEvidence(deps: EvidenceDeps, caller: Caller, id: string, label: string): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const evidence = await lockReachable(tx, caller, id)
    if (evidence.label === label) return
    await setLabel(tx, id, label)
    await recordEvidenceAct(tx, deps.clock.now(), 'labelled', caller, id)
  })
}

/** Each by itself, in the order that was asked. @returns the code of what kept it back, or null */
export async function changeMany(
  deps: EvidenceDeps,
  caller: Caller,
  { action, ids }: { readonly action: 'trash' | 'restore'; readonly ids: readonly string[] },
): Promise<{ readonly id: string; readonly code: string | null }[]> {
  const change = action === 'trash' ? trashEvidence : restoreEvidence
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
