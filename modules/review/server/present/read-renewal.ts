import type { TypedProfile } from '../../../account/server/index.ts'
import { documentKinds, isDocumentOf, type DocumentKind } from '../../domain/identity-document.ts'
import { dueKinds, validUntil } from '../../domain/renewal.ts'
import { standsSince } from '../../domain/retention.ts'
import type { ReviewDeps } from '../documents/deps.ts'
import type { KeptDocument } from '../documents/document-store.ts'
import type { IdentityFile } from '../documents/file-store.ts'
import { changedSince, fingerprintsOf } from '../documents/fingerprint.ts'
import { acceptedOfKinds, newestOfKinds } from '../documents/versions.ts'

/** What was typed when that was sent which counts; where nothing does yet, with the last sending. */
export const typedOf = (file: IdentityFile | null): IdentityFile['typed'] =>
  file === null || file.stands === null ? (file?.typed ?? null) : file.stands.typed

export type Renewal = {
  /** When what counts was accepted, and its last day. */
  readonly since: Date | null
  readonly until: string | null
  /** Accepted kinds of which a new version is wanted. */
  readonly due: ReadonlySet<DocumentKind>
  /** Kinds that may be uploaded now. */
  readonly changeable: ReadonlySet<DocumentKind>
}

export const dayOf = (now: Date): string => now.toISOString().slice(0, 10)

export function renewalOf(
  deps: Pick<ReviewDeps, 'secret' | 'clock'>,
  userId: string,
  profile: TypedProfile,
  file: IdentityFile | null,
  documents: readonly KeptDocument[],
): Renewal {
  const newest = newestOfKinds(documents)
  const since = file === null ? null : standsSince(file)
  const now = fingerprintsOf(deps.secret, userId, profile)
  // Of what was sent before it was kept with each, what counts was all compared with one thing.
  const together = since === null ? null : typedOf(file)
  const accepted = [...acceptedOfKinds(documents).values()].map((each) => ({
    ...each,
    changed: changedSince(each.typed ?? together, now),
  }))
  const due = dueKinds(accepted, { stands: since !== null, today: dayOf(deps.clock.now()) })
  const state = file?.state ?? 'collecting'
  // Whoever is verified sends nothing more until something of it is due: then of another kind too, which may stand for it.
  const takesMore = state !== 'success' || due.size > 0
  const isChangeable = (kind: DocumentKind) => {
    const version = newest.get(kind)?.state
    return version === 'ready' || due.has(kind) || (version !== 'success' && takesMore)
  }
  const { userType } = profile
  const kinds = state === 'pending' || userType === null ? [] : documentKinds.filter((kind) => isDocumentOf(userType, kind))
  return {
    since,
    until: since === null ? null : validUntil(accepted),
    due,
    changeable: new Set(kinds.filter(isChangeable)),
  }
}
