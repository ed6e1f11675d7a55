import type { DocumentKind } from '../../domain/identity-document.ts'
import type { KeptDocument } from './document-store.ts'

/** Of each kind that was ever uploaded. */
export function newestOfKinds(documents: readonly KeptDocument[]): ReadonlyMap<DocumentKind, KeptDocument> {
  const newest = new Map<DocumentKind, KeptDocument>()
  for (const document of documents)
    if ((newest.get(document.kind)?.version ?? 0) < document.version) newest.set(document.kind, document)
  return newest
}

/** What counts of each kind: the newest version that was accepted, whatever became of later ones. */
export const acceptedOfKinds = (documents: readonly KeptDocument[]): ReadonlyMap<DocumentKind, KeptDocument> =>
  newestOfKinds(documents.filter(({ state }) => state === 'success'))
