import { listDecisions } from '../documents/decision-store.ts'
import type { ReviewDeps } from '../documents/deps.ts'
import { listDocuments } from '../documents/document-store.ts'
import { findFile } from '../documents/file-store.ts'
import { largestDocumentBytes } from '../../domain/identity-document.ts'
import { openSubject, scopeOf } from '../documents/subject-key.ts'

/** Longer by the head and tag of the seal. */
const mostSealedBytes = largestDocumentBytes + 1024

/** All that is held of somebody's documents, one at a time, the files among it (GDPR, article 15(3)). Not who decided: that is another person. */
export async function* exportIdentityDocuments(
  deps: Pick<ReviewDeps, 'db' | 'blobs' | 'vault'>,
  userId: string,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const file = await findFile(deps.db, userId)
  if (file === null) return
  yield { state: file.state, submitted_at: file.submittedAt, decided_at: file.decidedAt, sendings: file.round, note: file.note }
  for (const { by: _, userId: __, id: ___, ...decision } of await listDecisions(deps.db, userId)) yield { decision }
  for (const { userId: _, blob, ...document } of await listDocuments(deps.db, userId)) {
    const kept = document.erasedAt === null && file.sealedKey !== null
    const sealed = kept ? await deps.blobs.scope(scopeOf(document.id)).read(blob, { maxBytes: mostSealedBytes }) : null
    const whole =
      sealed === null || file.sealedKey === null
        ? null
        : openSubject(deps.vault, userId, file.sealedKey).open(document.id, 'original', sealed)
    yield { document, file_base64: whole?.toString('base64') ?? null }
  }
}
