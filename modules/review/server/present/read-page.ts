import type { Actor } from '../../../../kernel/actor.ts'
import { recordAct } from '../../../../platform/acts/record-act.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { ReviewDeps } from '../documents/deps.ts'
import { findDocument, findPage, type KeptDocument, type KeptPage } from '../documents/document-store.ts'
import { findFile } from '../documents/file-store.ts'
import { documentNotFound } from './present-verification.ts'
import { openSubject, scopeOf } from '../documents/subject-key.ts'

export type PagePicture = { readonly mediaType: KeptPage['mediaType']; readonly bytes: Buffer }
export type WhichPage = { readonly userId: string; readonly documentId: string; readonly page: number }

/** Sealed pages are no longer than that. */
const mostSealedBytes = 32 * 1024 * 1024

async function findKept(db: Db | Tx, which: WhichPage): Promise<{ document: KeptDocument; page: KeptPage; sealedKey: Buffer }> {
  const document = await findDocument(db, which.userId, which.documentId)
  const page = document === null ? null : await findPage(db, document.id, which.page)
  const file = await findFile(db, which.userId)
  if (document === null || page === null || file?.sealedKey == null) throw documentNotFound()
  return { document, page, sealedKey: file.sealedKey }
}

/** A page as its owner sees it. @throws DomainError `review.document_not_found` */
export async function readPage(deps: Pick<ReviewDeps, 'db' | 'blobs' | 'vault'>, which: WhichPage): Promise<PagePicture> {
  const { page, sealedKey } = await findKept(deps.db, which)
  const sealed = await deps.blobs.scope(scopeOf(which.documentId)).read(page.blob, { maxBytes: mostSealedBytes })
  const subject = openSubject(deps.vault, which.userId, sealedKey)
  return { mediaType: page.mediaType, bytes: subject.open(which.documentId, page.number, sealed) }
}

/** As a reviewer sees it: that he looked stands in the record of acts before he does. @throws DomainError `review.document_not_found` */
export async function viewPage(
  deps: Pick<ReviewDeps, 'db' | 'blobs' | 'vault' | 'clock'>,
  actor: Actor,
  which: WhichPage,
): Promise<PagePicture> {
  const now = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    const { document } = await findKept(tx, which)
    const data = { document_id: document.id, kind: document.kind, version: document.version, page: which.page }
    await recordAct(tx, now, { action: 'review.viewed_document', actor, subject: { type: 'user', id: which.userId }, data })
  })
  return await readPage(deps, which)
}
