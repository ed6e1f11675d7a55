import { randomUUIDv7 } from 'node:crypto'
import { enqueue } from '../../../platform/jobs/jobs.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { assertTransition } from '../domain/status.ts'
import type { EvidenceDeps, EvidenceWebDeps } from './deps.ts'
import { assertHolder } from './hold-evidence.ts'
import { eraseEvidenceJob, finalizeEvidenceJob } from './jobs.ts'
import { admitSession } from './live/limit-sessions.ts'
import { changeStatus, findEvidence, insertEvidence, linkReplacement, lockEvidence, type EvidenceRecord } from './store.ts'
import { findVantage, insertVantage } from './vantage/vantage-store.ts'

type Actor = { readonly evidenceToken: string | undefined }

async function reread(deps: EvidenceDeps, id: string): Promise<EvidenceRecord> {
  const evidence = await findEvidence(deps.db, id)
  if (evidence === null) throw new DomainError('not_found', 'evidence.not_found')
  return evidence
}

/** The visitor agrees to the preview (S-38). Asking again changes nothing. */
export async function agreeEvidence(deps: EvidenceDeps, actor: Actor, id: string): Promise<EvidenceRecord> {
  await deps.db.transaction().execute(async (tx) => {
    const evidence = assertHolder(await lockEvidence(tx, id), actor.evidenceToken)
    if (evidence.status === 'finalizing' || evidence.status === 'final') return
    assertTransition(evidence.status, 'finalizing')
    const now = deps.clock.now()
    // The janitor may come a moment later than the term: a preview past it is gone all the same.
    if (evidence.expiresAt !== null && evidence.expiresAt <= now) throw new DomainError('gone', 'evidence.expired')
    await changeStatus(tx, id, 'finalizing', now, { expiresAt: null })
    await enqueue(tx, finalizeEvidenceJob, { evidence_id: id }, { key: `finalize:${id}` })
  })
  return await reread(deps, id)
}

/** The visitor rejects the preview (S-39): what was captured is erased. */
export async function rejectEvidence(deps: EvidenceDeps, actor: Actor, id: string): Promise<EvidenceRecord> {
  await deps.db.transaction().execute(async (tx) => {
    const evidence = assertHolder(await lockEvidence(tx, id), actor.evidenceToken)
    if (evidence.status === 'rejected') return
    assertTransition(evidence.status, 'rejected')
    await changeStatus(tx, id, 'rejected', deps.clock.now())
    await enqueue(tx, eraseEvidenceJob, { evidence_id: id }, { key: `erase:${id}` })
  })
  return await reread(deps, id)
}

/**
 * Captures the same page again, free (S-39, X-41). A capture is never overwritten: the retry is an evidence of its own,
 * held with the same token, and the one before stays until its own term: a retry that fails costs nothing. Asking twice gives
 * the same new evidence.
 * @throws DomainError `live.too_many_sessions` when it is a session and the caller has another
 */
export async function retryEvidence(
  deps: EvidenceDeps & Pick<EvidenceWebDeps, 'secret' | 'sessionsPerAddress'>,
  actor: Actor & { readonly addressPrefix?: string | null },
  id: string,
): Promise<EvidenceRecord> {
  const newId = await deps.db.transaction().execute(async (tx) => {
    const evidence = assertHolder(await lockEvidence(tx, id), actor.evidenceToken)
    if (evidence.replacedBy !== null) return evidence.replacedBy
    const retryable = ['to_validate', 'rejected', 'failed', 'expired']
    if (!retryable.includes(evidence.status)) {
      throw new DomainError('conflict', 'evidence.illegal_transition', { from: evidence.status, to: 'queued' })
    }
    const now = deps.clock.now()
    const { addressPrefix = null } = actor
    const liveSource =
      evidence.action === 'interactive' ? await admitSession(deps, tx, { addressPrefix, tokenHash: evidence.tokenHash }) : null
    const next = await insertEvidence(tx, {
      id: randomUUIDv7(),
      tokenHash: evidence.tokenHash,
      action: evidence.action,
      device: evidence.device,
      liveSource,
      requestedUrl: evidence.requestedUrl,
      locale: evidence.locale,
      askedServer: evidence.askedServer,
      options: evidence.options,
      now,
    })
    const vantage = await findVantage(tx, id)
    if (vantage !== null) await insertVantage(tx, next.id, vantage.askedServer)
    await linkReplacement(tx, id, next.id)
    return next.id
  })
  return await reread(deps, newId)
}
