import { largestDocumentBytes, type DocumentKind } from '../../domain/identity-document.ts'
import type { ReviewDeps } from '../documents/deps.ts'
import { listDocuments } from '../documents/document-store.ts'
import { findFile } from '../documents/file-store.ts'
import { acceptedOfKinds } from '../documents/versions.ts'
import { hasEnded } from '../../domain/renewal.ts'
import { standsSince } from '../../domain/retention.ts'
import { dayOf } from '../present/read-renewal.ts'
import { openSubject, scopeOf } from '../documents/subject-key.ts'

/** Longer by the head and tag of the seal. */
const mostSealedBytes = largestDocumentBytes + 1024

export type AcceptedDocument = { readonly id: string; readonly kind: DocumentKind; readonly bytes: Buffer }

/**
 * The files by which a reviewer knew somebody, for whoever has to know him too before he may be paid; what counts of each kind, and has not ended.
 * @returns empty where they are erased, or nothing was accepted
 */
export async function readAcceptedDocuments(
  deps: Pick<ReviewDeps, 'db' | 'blobs' | 'vault' | 'clock'>,
  userId: string,
): Promise<readonly AcceptedDocument[]> {
  const file = await findFile(deps.db, userId)
  if (file === null || standsSince(file) === null || file.sealedKey === null) return []
  const today = dayOf(deps.clock.now())
  const subject = openSubject(deps.vault, userId, file.sealedKey)
  const accepted: AcceptedDocument[] = []
  for (const { id, kind, expiresOn, erasedAt, blob } of acceptedOfKinds(await listDocuments(deps.db, userId)).values()) {
    if (erasedAt !== null || hasEnded(expiresOn, today)) continue
    const sealed = await deps.blobs.scope(scopeOf(id)).read(blob, { maxBytes: mostSealedBytes })
    accepted.push({ id, kind, bytes: subject.open(id, 'original', sealed) })
  }
  return accepted
}
