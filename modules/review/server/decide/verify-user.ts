import { randomUUIDv7 } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import type { BodyOf } from '../../../../kernel/endpoint.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import type { verifyUser as verifyUserCall } from '../../contract/endpoints.ts'
import type { AdminUser } from '../../contract/review.ts'
import { insertDecision, type Decision, type Verdict } from '../documents/decision-store.ts'
import type { ReviewWebDeps } from '../documents/deps.ts'
import { listDocuments, settleDocument, type KeptDocument } from '../documents/document-store.ts'
import { changeFile, lockFile, type IdentityFile } from '../documents/file-store.ts'
import { mailDecisionJob } from '../documents/jobs.ts'
import { acceptedOfKinds } from '../documents/versions.ts'
import { hasEnded, validUntil } from '../../domain/renewal.ts'
import { presentUser, userNotFound } from './read-user.ts'
import { findUser } from '../documents/user-store.ts'

type Body = BodyOf<typeof verifyUserCall>

const conflict = (code: string) => new DomainError('conflict', code)

/**
 * Each pending version exactly once; kinds that are asked for are such as were not sent; none accepted whose date has passed.
 * @param today `YYYY-MM-DD`, UTC
 * @throws DomainError `review.decision_incomplete`, `review.document_expired`
 */
function readVerdicts(body: Body, documents: readonly KeptDocument[], today: string): Verdict[] {
  const pending = documents.filter(({ state }) => state === 'pending')
  const named = new Set(body.decisions.map(({ document_id: id }) => id))
  const complete = body.decisions.length === pending.length && pending.every(({ id }) => named.has(id))
  if (!complete) throw new DomainError('invalid', 'review.decision_incomplete', {}, { fields: { decisions: ['each_once'] } })
  const there = body.missing.some((kind) =>
    documents.some(
      ({ state, expiresOn, ...each }) =>
        each.kind === kind && (state === 'pending' || (state === 'success' && !hasEnded(expiresOn, today))),
    ),
  )
  if (there) throw new DomainError('invalid', 'review.decision_incomplete', {}, { fields: { missing: ['sent_already'] } })
  const expired = body.decisions.some(
    (each) => each.outcome === 'accepted' && each.expires_on !== null && each.expires_on < today,
  )
  if (expired) throw new DomainError('invalid', 'review.document_expired')
  return body.decisions.map((decision) => ({
    documentId: decision.document_id,
    outcome: decision.outcome,
    reason: decision.outcome === 'refused' ? decision.reason : null,
    note: decision.outcome === 'refused' ? (decision.note ?? '') || null : null,
    expiresOn: decision.outcome === 'accepted' ? decision.expires_on : null,
  }))
}

/**
 * Decides upon what was sent in a round. One who holds the file decides, never upon his own; where two must agree, the first agreement leaves everything
 * as it is and gives the file back, and a refusal by either is final (decision 0261). @throws DomainError, see the contract
 */
export async function verifyUser(
  deps: Pick<ReviewWebDeps, 'db' | 'clock' | 'vault' | 'secret' | 'fourEyes'>,
  actor: Actor,
  userId: string,
  body: Body,
): Promise<AdminUser> {
  const now = deps.clock.now()
  return await deps.db.transaction().execute(async (tx) => {
    if ((await findUser(tx, userId, now)) === null) throw userNotFound()
    if (userId === actor.userId) throw conflict('review.own_file')
    const file = await lockFile(tx, userId)
    if (file?.round !== body.round || file.state !== 'pending') throw conflict('review.round_changed')
    if (file.agreedBy === actor.userId) throw conflict('review.second_person')
    if (file.claim === null || file.claim.by !== actor.userId || file.claim.until <= now) throw conflict('review.not_claimed')
    const verdicts = readVerdicts(body, await listDocuments(tx, userId), now.toISOString().slice(0, 10))
    const refused = body.missing.length > 0 || verdicts.some(({ outcome }) => outcome === 'refused')
    const decision: Decision = {
      id: randomUUIDv7(),
      userId,
      round: file.round,
      by: actor.userId,
      at: now,
      outcome: refused ? 'refused' : 'accepted',
      final: refused || !deps.fourEyes || file.agreedBy !== null,
      note: (body.note ?? '') || null,
      missing: [...new Set(body.missing)],
      verdicts,
    }
    await insertDecision(tx, decision)
    await settle(tx, file, decision, now)
    const answer = await presentUser(deps, tx, actor, userId)
    const action = refused ? 'review.refused_identity' : decision.final ? 'review.accepted_identity' : 'review.agreed_identity'
    const data = {
      round: file.round,
      accepted: verdicts.filter(({ outcome }) => outcome === 'accepted').length,
      refused: verdicts.flatMap(({ reason }) => reason ?? []).join(' '),
      missing: decision.missing.join(' '),
    }
    await recordAct(tx, now, { action, actor, subject: { type: 'user', id: userId }, data })
    return answer
  })
}

async function settle(tx: Tx, file: IdentityFile, decision: Decision, now: Date): Promise<void> {
  const released = { claimed_by: null, claimed_until: null }
  if (!decision.final) {
    await changeFile(tx, file.userId, { ...released, agreed_by: decision.by })
    return
  }
  for (const { documentId, outcome, ...verdict } of decision.verdicts)
    await settleDocument(tx, documentId, { ...verdict, state: outcome === 'accepted' ? 'success' : 'failure' }, now)
  // Refused, what replaces another leaves that one as it was.
  const accepted = [...acceptedOfKinds(await listDocuments(tx, file.userId)).values()]
  const stands = { stands_since: null, stands_typed: null, ends_on: validUntil(accepted), reminded: 0 }
  await changeFile(tx, file.userId, {
    ...released,
    ...(decision.outcome === 'accepted' ? stands : {}),
    agreed_by: null,
    state: decision.outcome === 'accepted' ? 'success' : 'failure',
    decided_at: now,
    // Whoever is refused has the whole time from now on to send again.
    touched_at: now,
    note: decision.note,
    asked: [...decision.missing],
  })
  await enqueue(tx, mailDecisionJob, { decision_id: decision.id })
}
