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

/** @param newest whether no later version stands for it */
export function presentDocument(document: KeptDocument, newest: boolean): IdentityDocument {
  return {
    id: document.id,
    kind: document.kind,
    state: document.state === 'failure' && !newest ? 'replaced' : document.state,
    version: document.version,
    pages: document.pages,
    bytes: document.bytes,
    media_type: document.mediaType,
    uploaded_at: document.uploadedAt.toISOString(),
    reason: document.reason,
    note: document.note,
    decided_at: document.decidedAt?.toISOString() ?? null,
    erased_at: document.erasedAt?.toISOString() ?? null,
  }
}

/** Of each kind that was ever uploaded. */
export function newestOfKinds(documents: readonly KeptDocument[]): ReadonlyMap<DocumentKind, KeptDocument> {
  const newest = new Map<DocumentKind, KeptDocument>()
  for (const document of documents)
    if ((newest.get(document.kind)?.version ?? 0) < document.version) newest.set(document.kind, document)
  return newest
}

/** The newest version of each kind in the order of kinds, then older ones, newest first. */
export function presentDocuments(documents: readonly KeptDocument[]): IdentityDocument[] {
  const newest = newestOfKinds(documents)
  const first = documentKinds.flatMap((kind) => newest.get(kind) ?? [])
  const older = documents.filter((document) => !first.includes(document))
  older.sort((a, b) => b.uploadedAt.getTime() - a.uploadedAt.getTime())
  return [...first.map((each) => presentDocument(each, true)), ...older.map((each) => presentDocument(each, false))]
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
): Lacking {
  const newest = newestOfKinds(documents)
  const held = new Set([...newest.values()].flatMap(({ kind, state }) => (state === 'failure' ? [] : [kind])))
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

export async function presentVerification(
  deps: Pick<ReviewDeps, 'vault' | 'documentsDays'>,
  db: Db | Tx,
  userId: string,
): Promise<IdentityVerification> {
  const file = await findFile(db, userId)
  const documents = await listDocuments(db, userId)
  const profile = await readTypedProfile(db, deps.vault, userId)
  const { userType } = profile
  const lacking = userType === null ? null : lackingOf(userType, profile, file, documents)
  const state = file?.state ?? 'collecting'
  const open = state === 'collecting' || state === 'failure'
  const settled = state === 'success'
  const erase = file?.sealedKey == null ? null : eraseAt(file, deps.documentsDays)
  return {
    state,
    user_type: userType,
    needed: userType === null ? [] : neededDocuments(userType).map((kinds) => [...kinds]),
    missing: settled ? [] : [...(lacking?.kinds ?? [])],
    asked: settled ? [] : [...(file?.asked ?? [])],
    missing_fields: (lacking?.fields ?? []).map((field) => ({ field, code: `${field}_required` })),
    sendable: open && lacking !== null && lacking.anythingNew && lacking.kinds.length === 0 && lacking.fields.length === 0,
    documents: presentDocuments(documents),
    submitted_at: file?.submittedAt?.toISOString() ?? null,
    decided_at: file?.decidedAt?.toISOString() ?? null,
    note: file?.note ?? null,
    erase_documents_at: erase?.toISOString() ?? null,
  }
}

export const documentNotFound = () => new DomainError('not_found', 'review.document_not_found')
