import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { readTypedProfile } from '../../../account/server/index.ts'
import type { IdentityVerification } from '../../contract/review.ts'
import type { ReviewDeps } from '../documents/deps.ts'
import { deleteDocument, findDocument, listDocuments, sendReady } from '../documents/document-store.ts'
import { beginFile, changeFile, lockFile } from '../documents/file-store.ts'
import { fingerprintsOf } from '../documents/fingerprint.ts'
import { clearDocumentJob } from '../documents/jobs.ts'
import { documentNotFound, lackingOf, presentVerification } from '../present/present-verification.ts'
import { renewalOf } from '../present/read-renewal.ts'

/** Takes back a document that was never sent: nothing of it stays. @throws DomainError `review.document_not_found`, `review.kind_settled` */
export async function takeBackDocument(deps: ReviewDeps, actor: Actor, id: string): Promise<IdentityVerification> {
  const now = deps.clock.now()
  const { userId } = actor
  return await deps.db.transaction().execute(async (tx) => {
    await lockFile(tx, userId)
    const document = await findDocument(tx, userId, id)
    if (document === null) throw documentNotFound()
    if (document.state !== 'ready') throw new DomainError('conflict', 'review.kind_settled')
    await deleteDocument(tx, id)
    await changeFile(tx, userId, { touched_at: now })
    await enqueue(tx, clearDocumentJob, { document_id: id })
    const answer = await presentVerification(deps, tx, userId)
    const data = { document_id: id, kind: document.kind, version: document.version }
    await recordAct(tx, now, { action: 'review.deleted_document', actor, subject: { type: 'user', id: userId }, data })
    return answer
  })
}

/**
 * Sends all that stands ready to the reviewers, as the next round; what was accepted before stays so, and goes on counting where it did. Sent again
 * while it is with them, it changes nothing. @throws DomainError `review.incomplete`, `review.user_type_missing`, `review.kind_settled` once everything was accepted and nothing stands ready
 */
export async function submitDocuments(deps: ReviewDeps, actor: Actor): Promise<IdentityVerification> {
  const now = deps.clock.now()
  const { userId } = actor
  return await deps.db.transaction().execute(async (tx) => {
    const profile = await readTypedProfile(tx, deps.vault, userId)
    if (profile.userType === null) throw new DomainError('conflict', 'review.user_type_missing')
    const file = await beginFile(tx, userId, now)
    if (file.state === 'pending') return await presentVerification(deps, tx, userId)
    const documents = await listDocuments(tx, userId)
    const { due } = renewalOf(deps, userId, profile, file, documents)
    const lacking = lackingOf(profile.userType, profile, file, documents, due)
    if (file.state === 'success' && !lacking.anythingNew) throw new DomainError('conflict', 'review.kind_settled')
    const fields = {
      ...Object.fromEntries(lacking.kinds.map((kind) => [`documents.${kind}`, ['missing']])),
      ...Object.fromEntries(lacking.fields.map((field) => [field, [`${field}_required`]])),
      ...(lacking.anythingNew || lacking.kinds.length > 0 ? {} : { documents: ['nothing_new'] }),
    }
    if (Object.keys(fields).length > 0) throw new DomainError('conflict', 'review.incomplete', {}, { fields })
    const typed = fingerprintsOf(deps.secret, userId, profile)
    const sent = await sendReady(tx, userId, typed)
    const round = file.round + 1
    const stands = file.state === 'success' ? { since: file.decidedAt, typed: file.typed } : file.stands
    await changeFile(tx, userId, {
      state: 'pending',
      stands_since: stands?.since ?? null,
      stands_typed: stands?.typed == null ? null : JSON.stringify(stands.typed),
      round,
      submitted_at: now,
      decided_at: null,
      note: null,
      asked: [],
      typed: JSON.stringify(typed),
      touched_at: now,
    })
    const answer = await presentVerification(deps, tx, userId)
    const data = { round, documents: sent }
    await recordAct(tx, now, { action: 'review.submitted_documents', actor, subject: { type: 'user', id: userId }, data })
    return answer
  })
}
