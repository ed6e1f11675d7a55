import { randomUUIDv7 } from 'node:crypto'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { findCountry } from '../../../account/server/index.ts'
import { findServerState, mayBeAskedFor } from '../../../capture/server/index.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import type { WorkDone } from '../../../../kernel/work-done.ts'
import { assertTransition } from '../../domain/status.ts'
import { admitCapture, type QuotaDeps } from '../quota/admit-capture.ts'
import type { EvidenceDeps } from '../record/deps.ts'
import { eraseEvidenceJob } from '../record/jobs.ts'
import { admitSession, type SessionLimits } from '../quota/limit-sessions.ts'
import { askerOf } from '../quota/name-asker.ts'
import { recordEvidenceAct } from '../own/own-evidence.ts'
import { requestDigest } from '../../../../platform/guard/proof-of-work.ts'
import { findReachable, lockReachable, type Caller } from '../own/reach-store.ts'
import { changeStatus, insertEvidence, type EvidenceRecord, type Ownership } from '../record/store.ts'
import { linkReplacement } from './draft-store.ts'
import { findVantage, insertVantage } from '../vantage/vantage-store.ts'

/** The visitor rejects the preview (S-39): what was captured is erased. */
export async function rejectEvidence(deps: EvidenceDeps, caller: Caller, id: string): Promise<EvidenceRecord> {
  await deps.db.transaction().execute(async (tx) => {
    const evidence = await lockReachable(tx, caller, id)
    if (evidence.status === 'rejected') return
    assertTransition(evidence.status, 'rejected')
    const now = deps.clock.now()
    await changeStatus(tx, id, 'rejected', now)
    await enqueue(tx, eraseEvidenceJob, { evidence_id: id }, { key: `erase:${id}` })
    await recordEvidenceAct(tx, now, 'rejected', caller, id)
  })
  return await findReachable(deps.db, caller, id)
}

function retriedFor({ actor }: Caller, ownerId: string, groupId: string | null): Ownership {
  return { ownerId, groupId, createdBy: actor?.userId ?? ownerId }
}

/** The server that was asked for is asked for again, if it may still be in the name of whose the evidence is (decision 0338). */
async function refuseWithdrawn(tx: Tx, { askedServer, groupId }: EvidenceRecord): Promise<void> {
  if (askedServer === null) return
  const server = await findServerState(tx, askedServer)
  if (server === null || !mayBeAskedFor(server, groupId)) throw new DomainError('conflict', 'evidence.server_withdrawn')
}

/**
 * Captures the same page again, free (S-39, X-41). A capture is never overwritten: the retry is an evidence of its own,
 * held with the same token, and the one before stays until its own term: a retry that fails costs nothing. Asking twice gives
 * the same new evidence.
 * @throws DomainError `evidence.server_withdrawn`; `live.too_many_sessions` when it is a session and the caller has another; those of `admitCapture`
 */
export async function retryEvidence(
  deps: EvidenceDeps & SessionLimits & QuotaDeps,
  caller: Caller & { readonly addressPrefix?: string | null },
  id: string,
  /** `close_cookies`: with the option to dismiss the cookie banner, whatever was asked for before. */
  also: { readonly close_cookies?: boolean; readonly work?: WorkDone | undefined } = {},
): Promise<EvidenceRecord> {
  const newId = await deps.db.transaction().execute(async (tx) => {
    const evidence = await lockReachable(tx, caller, id)
    if (evidence.replacedBy !== null) return evidence.replacedBy
    const retryable = ['to_validate', 'rejected', 'failed', 'expired']
    if (!retryable.includes(evidence.status)) {
      throw new DomainError('conflict', 'evidence.illegal_transition', { from: evidence.status, to: 'queued' })
    }
    const closeCookies = also.close_cookies === true
    if (closeCookies && evidence.action === 'interactive')
      throw new DomainError('invalid', 'evidence.options', {}, { fields: { close_cookies: ['static_only'] } })
    await refuseWithdrawn(tx, evidence)
    const now = deps.clock.now()
    const { addressPrefix = null } = caller
    // Of somebody's evidence the retry is his too, whoever asks for it; of nobody's it is held with the same token.
    const ownership = evidence.ownerId === null ? null : retriedFor(caller, evidence.ownerId, evidence.groupId)
    const asker =
      evidence.ownerId === null
        ? { addressPrefix, tokenHash: evidence.tokenHash }
        : { addressPrefix, accountId: evidence.ownerId }
    if (evidence.action === 'interactive') await admitSession(deps, tx, asker)
    const request = requestDigest({ retry: id, close_cookies: closeCookies })
    await admitCapture(deps, tx, asker, { request, work: also.work, instead: id })
    const next = await insertEvidence(tx, {
      id: randomUUIDv7(),
      tokenHash: evidence.tokenHash,
      action: evidence.action,
      device: evidence.device,
      asker: askerOf(deps, asker),
      requestedUrl: evidence.requestedUrl,
      locale: evidence.locale,
      askedServer: evidence.askedServer,
      askerCountry: evidence.ownerId === null ? null : await findCountry(tx, evidence.ownerId),
      options: closeCookies ? { ...evidence.options, closeCookies } : evidence.options,
      store: evidence.store,
      outsideStamps: evidence.outsideStamps,
      ownership,
      label: evidence.label,
      now,
    })
    const vantage = await findVantage(tx, id)
    if (vantage !== null) await insertVantage(tx, next.id, vantage.askedServer)
    await linkReplacement(tx, id, next.id)
    await recordEvidenceAct(tx, now, 'created', caller, next.id, { action: evidence.action, retry_of: id })
    return next.id
  })
  return await findReachable(deps.db, caller, newId)
}
