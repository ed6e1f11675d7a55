import { randomUUIDv7 } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Actor } from '../../../../kernel/actor.ts'
import { DomainError } from '../../../../kernel/errors.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { readTypedProfile, type TypedProfile } from '../../../account/server/index.ts'
import type { IdentityDocument } from '../../contract/review.ts'
import { isDocumentOf, largestDocumentBytes, mostDocumentPages, type DocumentKind } from '../../domain/identity-document.ts'
import type { ReviewWebDeps } from '../documents/deps.ts'
import { deleteDocument, findDocument, insertDocument, listDocuments, type KeptPage } from '../documents/document-store.ts'
import { beginFile, changeFile, lockFile, type IdentityFile } from '../documents/file-store.ts'
import { clearDocumentJob } from '../documents/jobs.ts'
import { newestOfKinds } from '../documents/versions.ts'
import { presentDocument } from '../present/present-verification.ts'
import { renewalOf } from '../present/read-renewal.ts'
import { readWhole, receiveFile } from './receive-file.ts'
import { JailFailed } from '../render/run-jailed.ts'
import type { Rendered, RenderFault } from '../render/render-file.ts'
import { makeSubjectKey, openSubject, scopeOf } from '../documents/subject-key.ts'
import type { Turns } from './take-turns.ts'
import { lockOpenUser } from '../documents/user-store.ts'

/** Files of one person in an hour: enough to try every scan of every document again and again. */
const mostUploadsAnHour = 60
const hourMs = 3_600_000
/** An upload that came to nothing is cleared after it: longer than any takes. */
const orphanAfterMs = 24 * hourMs

const settled = () => new DomainError('conflict', 'review.kind_settled')

/** @throws DomainError `review.kind_settled` while the file is with the reviewers, and of kinds that were accepted and need not be replaced yet */
async function requireChangeable(deps: ReviewWebDeps, tx: Tx, profile: TypedProfile, file: IdentityFile, kind: DocumentKind) {
  const documents = await listDocuments(tx, file.userId)
  if (!renewalOf(deps, file.userId, profile, file, documents).changeable.has(kind)) throw settled()
  return newestOfKinds(documents).get(kind) ?? null
}

const faults: Readonly<Record<RenderFault, () => DomainError>> = {
  type: () => new DomainError('invalid', 'review.document_type'),
  animated: () => new DomainError('invalid', 'review.document_animated'),
  unreadable: () => new DomainError('invalid', 'review.document_unreadable'),
  encrypted: () => new DomainError('invalid', 'review.document_encrypted'),
  dimensions: () => new DomainError('invalid', 'review.document_dimensions'),
  pages: () => new DomainError('invalid', 'review.document_pages', { most: mostDocumentPages }),
}

type Sent = {
  readonly kind: DocumentKind
  readonly bytes: Readable
  /** Aborted once its sender may not send it any more: then it is not kept, however far it has come. */
  readonly signal: AbortSignal
}

/**
 * Takes a file as one version of a document: it is received, made into pictures in a jail, and both are sealed with the person's own key. What stood
 * ready of its kind goes. @throws DomainError, see the contract
 */
export async function uploadDocument(
  deps: ReviewWebDeps,
  turns: Turns,
  actor: Actor,
  { kind, bytes, signal }: Sent,
): Promise<IdentityDocument> {
  return await turns.forPerson(actor.userId, async () => {
    const id = randomUUIDv7()
    const sealedKey = await begin(deps, actor, id, kind)
    const file = await receiveFile(deps.uploadsFolder, bytes).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'http.upload_too_large')
        throw new DomainError('too_large', 'review.document_too_large', { mebibytes: largestDocumentBytes / 1024 / 1024 })
      throw error
    })
    try {
      return await turns.toRender(async () => {
        const whole = await readWhole(file, largestDocumentBytes)
        const rendered = await render(deps, whole)
        const kept = await seal(deps, actor.userId, sealedKey, id, whole, rendered)
        signal.throwIfAborted()
        return await keep(deps, actor, sealedKey, { id, kind, ...kept })
      })
    } finally {
      await file.close()
    }
  })
}

/** Refuses what can be refused before a byte is read, and sees to it that nothing stays of an upload that ends anywhere. */
async function begin(deps: ReviewWebDeps, actor: Actor, id: string, kind: DocumentKind): Promise<Buffer> {
  const now = deps.clock.now()
  return await deps.db.transaction().execute(async (tx) => {
    if (!(await lockOpenUser(tx, actor.userId))) throw documentsClosed()
    const profile = await readTypedProfile(tx, deps.vault, actor.userId)
    const { userType } = profile
    if (userType === null) throw new DomainError('conflict', 'review.user_type_missing')
    if (!isDocumentOf(userType, kind)) throw new DomainError('conflict', 'review.kind_of_company')
    const file = await beginFile(tx, actor.userId, now)
    await requireChangeable(deps, tx, profile, file, kind)
    const passed = now.getTime() - file.uploads.since.getTime()
    const fresh = passed >= hourMs
    if (!fresh && file.uploads.count >= mostUploadsAnHour)
      throw new DomainError('limited', 'review.too_many_uploads', { seconds: Math.ceil((hourMs - passed) / 1000) })
    const sealedKey = file.sealedKey ?? makeSubjectKey(deps.vault, actor.userId)
    await changeFile(tx, actor.userId, {
      sealed_key: sealedKey,
      touched_at: now,
      uploads: fresh ? 1 : file.uploads.count + 1,
      uploads_since: fresh ? now : file.uploads.since,
    })
    await enqueue(tx, clearDocumentJob, { document_id: id }, { runAt: new Date(now.getTime() + orphanAfterMs) })
    return sealedKey
  })
}

const documentsClosed = () => new DomainError('not_found', 'review.document_not_found')

async function render(deps: ReviewWebDeps, whole: Buffer): Promise<Extract<Rendered, { pages: unknown }>> {
  const rendered = await deps.render(whole).catch((error: unknown) => {
    if (!(error instanceof JailFailed)) throw error
    deps.log.error({ err: error }, 'identity documents cannot be rendered: the jail fails')
    throw new DomainError('unavailable', 'review.rendering_unavailable')
  })
  if ('fault' in rendered) throw faults[rendered.fault]()
  return rendered
}

async function seal(
  deps: ReviewWebDeps,
  userId: string,
  sealedKey: Buffer,
  id: string,
  whole: Buffer,
  rendered: Extract<Rendered, { pages: unknown }>,
) {
  const subject = openSubject(deps.vault, userId, sealedKey)
  const blobs = deps.blobs.scope(scopeOf(id))
  const original = await blobs.putBytes(subject.seal(id, 'original', whole))
  const pages: KeptPage[] = []
  for (const [index, page] of rendered.pages.entries()) {
    const number = index + 1
    const { sha256 } = await blobs.putBytes(subject.seal(id, number, page.bytes))
    pages.push({ number, mediaType: page.mediaType, width: page.width, height: page.height, blob: sha256 })
  }
  return { mediaType: rendered.mediaType, bytes: whole.length, blob: original.sha256, pages }
}

async function keep(
  deps: ReviewWebDeps,
  actor: Actor,
  sealedKey: Buffer,
  kept: Awaited<ReturnType<typeof seal>> & { readonly id: string; readonly kind: DocumentKind },
): Promise<IdentityDocument> {
  const now = deps.clock.now()
  const { userId } = actor
  const { pages, ...document } = kept
  return await deps.db.transaction().execute(async (tx) => {
    const file = await lockFile(tx, userId)
    // It was sent, or erased, while this one was on its way.
    if (file === null || file.sealedKey === null || !file.sealedKey.equals(sealedKey)) throw settled()
    const profile = await readTypedProfile(tx, deps.vault, userId)
    const newest = await requireChangeable(deps, tx, profile, file, document.kind)
    if (newest?.state === 'ready') {
      await deleteDocument(tx, newest.id)
      await enqueue(tx, clearDocumentJob, { document_id: newest.id })
    }
    const version = newest === null ? 1 : newest.version + (newest.state === 'ready' ? 0 : 1)
    await insertDocument(tx, { ...document, userId, version, uploadedAt: now }, pages)
    const inserted = await findDocument(tx, userId, document.id)
    if (inserted === null) throw new Error('a document that was inserted is not there')
    const data = { document_id: document.id, kind: document.kind, version }
    await recordAct(tx, now, { action: 'review.uploaded_document', actor, subject: { type: 'user', id: userId }, data })
    return presentDocument(inserted, true)
  })
}
