import type { IdentityDocument } from '../contract/review.ts'
import type { DocumentKind } from '../domain/identity-document.ts'

/** The version of a kind that counts: documents come with the newest of each kind first. */
export function newestOf(documents: readonly IdentityDocument[], kind: DocumentKind): IdentityDocument | null {
  return documents.find((document) => document.kind === kind) ?? null
}

/** What was accepted of a kind, and counts beside a newer version that is not decided, or was refused; null: there is none, or it is the newest. */
export function countingOf(documents: readonly IdentityDocument[], kind: DocumentKind): IdentityDocument | null {
  const counts = documents.find((document) => document.kind === kind && document.state === 'success') ?? null
  return counts?.id === newestOf(documents, kind)?.id ? null : counts
}

/** Versions that another stands for by now. */
export function olderOf(documents: readonly IdentityDocument[]): readonly IdentityDocument[] {
  return documents.filter(({ id, kind }) => newestOf(documents, kind)?.id !== id && countingOf(documents, kind)?.id !== id)
}

/** Which of the alternatives was begun: the one of which most is there; null: none. */
export function alternativeHeld(
  needed: readonly (readonly DocumentKind[])[],
  documents: readonly IdentityDocument[],
): number | null {
  // Where something is renewed by another kind, it is that kind which was begun.
  const ready = documents.filter(({ state }) => state === 'ready' || state === 'pending')
  return mostHeld(needed, ready) ?? mostHeld(needed, documents)
}

function mostHeld(needed: readonly (readonly DocumentKind[])[], documents: readonly IdentityDocument[]): number | null {
  const held = new Set(documents.map(({ kind }) => kind))
  // What every alternative asks for tells none of them.
  const tells = needed.map((kinds) => kinds.filter((kind) => held.has(kind) && !needed.every((each) => each.includes(kind))))
  const most = Math.max(0, ...tells.map((kinds) => kinds.length))
  return most === 0 ? null : tells.findIndex((kinds) => kinds.length === most)
}
