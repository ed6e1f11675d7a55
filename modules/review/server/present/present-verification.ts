import { DomainError } from '../../../../kernel/errors.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { readTypedProfile, type TypedProfile } from '../../../account/server/index.ts'
import type { IdentityDocument, IdentityVerification } from '../../contract/review.ts'
import { comparedFields } from '../../domain/compared-fields.ts'
import { documentKinds, missingDocuments, neededDocuments, type DocumentKind } from '../../domain/identity-document.ts'
import { eraseAt } from '../../domain/retention.ts'
import type { ReviewDeps } from '../documents/deps.ts'
import { listDocuments, type KeptDocument } from '../documents/document-store.ts'
import { findFile, type IdentityFile } from '../documents/file-store.ts'
import { acceptedOfKinds, newestOfKinds } from '../documents/versions.ts'
import { renewalOf, type Renewal } from './read-renewal.ts'

/** @param stands whether no later version stands for it */
export function presentDocument(document: KeptDocument, stands: boolean): IdentityDocument {
  return {
    id: document.id,
    kind: document.kind,
    state: stands ? document.state : 'replaced',
    version: document.version,
    pages: document.pages,
    bytes: document.bytes,
    media_type: document.mediaType,
    uploaded_at: document.uploadedAt.toISOString(),
    reason: document.reason,
    note: document.note,
    decided_at: document.decidedAt?.toISOString() ?? null,
    expires_on: document.expiresOn,
    erased_at: document.erasedAt?.toISOString() ?? null,
  }
}

/** The newest version of each kind in the order of kinds, then older ones, newest first. */
export function presentDocuments(documents: readonly KeptDocument[]): IdentityDocument[] {
  const newest = newestOfKinds(documents)
  const first = documentKinds.flatMap((kind) => newest.get(kind) ?? [])
  const older = documents.filter((document) => !first.includes(document))
  older.sort((a, b) => b.uploadedAt.getTime() - a.uploadedAt.getTime())
  // What was accepted stands until another is: an older version of it may still count.
  const accepted = acceptedOfKinds(documents)
  return [...first, ...older].map((each) => presentDocument(each, first.includes(each) || accepted.get(each.kind) === each))
}

export type Lacking = {
  readonly kinds: readonly DocumentKind[]
  readonly fields: readonly string[]
  /** Whether a version stands ready. */
  readonly anythingNew: boolean
}

/** What is between a person and the reviewers. */
export function lackingOf(
  userType: 'natural' | 'legal',
  profile: TypedProfile,
  file: Pick<IdentityFile, 'asked' | 'state'> | null,
  documents: readonly KeptDocument[],
  due: Renewal['due'],
): Lacking {
  const newest = newestOfKinds(documents)
  const accepted = acceptedOfKinds(documents)
  const isHeld = ({ kind, state }: KeptDocument) =>
    state === 'ready' || state === 'pending' || (accepted.has(kind) && !due.has(kind))
  const held = new Set([...newest.values()].filter(isHeld).map(({ kind }) => kind))
  const anythingNew = documents.some(({ state }) => state === 'ready')
  const needed = missingDocuments(userType, held)
  const asked = (file?.asked ?? []).filter((kind) => !held.has(kind))
  const kinds = new Set([...needed, ...asked])
  // Refused although what is left would do: it is that which is to be sent again.
  if (kinds.size === 0 && file?.state === 'failure' && !anythingNew)
    for (const { kind, state } of newest.values()) if (state === 'failure') kinds.add(kind)
  const compared = comparedFields(userType)
  const empty = profile.fields.filter(({ field, value }) => compared.includes(field) && value === null)
  return {
    kinds: documentKinds.filter((kind) => kinds.has(kind)),
    fields: empty.map(({ field }) => field),
    anythingNew,
  }
}

/** When the first of his files is erased; null: none is kept, or they are with the reviewers. */
function firstErasure(file: IdentityFile | null, documents: readonly KeptDocument[], acceptedDays: number): Date | null {
  if (file === null || file.sealedKey === null) return null
  const kept = documents.filter(({ erasedAt }) => erasedAt === null)
  const days = kept.flatMap((each) => eraseAt(file, each, acceptedDays) ?? [])
  return days.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
}

export async function presentVerification(
  deps: Pick<ReviewDeps, 'vault' | 'documentsDays' | 'secret' | 'clock'>,
  db: Db | Tx,
  userId: string,
): Promise<IdentityVerification> {
  const file = await findFile(db, userId)
  const documents = await listDocuments(db, userId)
  const profile = await readTypedProfile(db, deps.vault, userId)
  const { userType } = profile
  const renewal = renewalOf(deps, userId, profile, file, documents)
  const lacking = userType === null ? null : lackingOf(userType, profile, file, documents, renewal.due)
  const state = file?.state ?? 'collecting'
  const open = state !== 'pending'
  const settled = state === 'success' && renewal.due.size === 0 && lacking?.anythingNew !== true
  return {
    state,
    user_type: userType,
    needed: userType === null ? [] : neededDocuments(userType).map((kinds) => [...kinds]),
    missing: settled ? [] : [...(lacking?.kinds ?? [])],
    asked: settled ? [] : [...(file?.asked ?? [])],
    changeable: [...renewal.changeable],
    due: [...renewal.due],
    stands: renewal.since === null ? null : { since: renewal.since.toISOString(), until: renewal.until },
    missing_fields: (lacking?.fields ?? []).map((field) => ({ field, code: `${field}_required` })),
    sendable: open && lacking !== null && lacking.anythingNew && lacking.kinds.length === 0 && lacking.fields.length === 0,
    documents: presentDocuments(documents),
    submitted_at: file?.submittedAt?.toISOString() ?? null,
    decided_at: file?.decidedAt?.toISOString() ?? null,
    note: file?.note ?? null,
    erase_documents_at: firstErasure(file, documents, deps.documentsDays)?.toISOString() ?? null,
  }
}

export const documentNotFound = () => new DomainError('not_found', 'review.document_not_found')
