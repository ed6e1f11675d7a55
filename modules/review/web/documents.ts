import type { IdentityDocument } from '../contract/review.ts'
import type { DocumentKind } from '../domain/identity-document.ts'

/** The version of a kind that counts: documents come with the newest of each kind first. */
export function newestOf(documents: readonly IdentityDocument[], kind: DocumentKind): IdentityDocument | null {
  return documents.find((document) => document.kind === kind) ?? null
}

/** Versions that another stands for by now. */
export function olderOf(documents: readonly IdentityDocument[]): readonly IdentityDocument[] {
  return documents.filter((document) => newestOf(documents, document.kind)?.id !== document.id)
}

/** Which of the alternatives was begun: the one of which most is there; null: none. */
export function alternativeHeld(
  needed: readonly (readonly DocumentKind[])[],
  documents: readonly IdentityDocument[],
): number | null {
  const held = new Set(documents.map(({ kind }) => kind))
  // What every alternative asks for tells none of them.
  const tells = needed.map((kinds) => kinds.filter((kind) => held.has(kind) && !needed.every((each) => each.includes(kind))))
  const most = Math.max(0, ...tells.map((kinds) => kinds.length))
  return most === 0 ? null : tells.findIndex((kinds) => kinds.length === most)
}
