import type { BodyInputOf } from '../../../kernel/endpoint.ts'
import type { verifyUser } from '../contract/endpoints.ts'
import type { AdminUser, AdminUserEntry, IdentityDocument } from '../contract/review.ts'
import { isDocumentOf, type DocumentKind, type RefusalReason } from '../domain/identity-document.ts'
import { hasEnded } from '../domain/renewal.ts'
import { readDay } from './read-day.ts'

/** What a reviewer compares, and ticks himself: nothing is ticked for him. */
export type Check = 'names' | 'birth_date' | 'same_card' | 'company_name' | 'company_number' | 'representative' | 'untampered'

const person = ['names', 'birth_date', 'untampered'] as const
export const checksOf: Readonly<Record<DocumentKind, readonly Check[]>> = {
  passport: person,
  id_front: person,
  id_back: ['same_card', 'untampered'],
  driving_licence: person,
  registration_proof: ['company_name', 'company_number', 'untampered'],
  articles_of_association: ['company_name', 'representative', 'untampered'],
}

/** What was typed of what a check compares, to be read beside it; null: nothing of it was. */
export function typedFor(check: Check, user: AdminUser): string | null {
  const typed = new Map(user.file?.typed.map(({ field, value }) => [field, value]))
  const joined = (...fields: readonly string[]) =>
    fields
      .flatMap((field) => typed.get(field) ?? [])
      .join(' ')
      .trim() || null
  const representative = joined('representative_first_name', 'representative_last_name')
  switch (check) {
    case 'names':
      // Who proves himself for a legal entity is its representative.
      return (user.user_type === 'legal' ? representative : null) ?? joined('first_name', 'last_name')
    case 'representative':
      return representative
    case 'birth_date':
    case 'company_name':
    case 'company_number':
      return joined(check)
    default:
      return null
  }
}

/** Those that bear a date until which they are good. */
export const bearsExpiry = (kind: DocumentKind): boolean =>
  kind === 'passport' || kind === 'id_front' || kind === 'driving_licence'

/** What the reviewer has done with one document so far. */
export type Draft = {
  readonly ticked: readonly Check[]
  /** Until when it is good, as he typed it. */
  readonly expiry: string
  /** He saw that the document bears none. */
  readonly noExpiry: boolean
  readonly outcome: 'accepted' | 'refused' | null
  readonly reason: RefusalReason | null
  readonly note: string
}

export const blankDraft: Draft = { ticked: [], expiry: '', noExpiry: false, outcome: null, reason: null, note: '' }

/** @param today `YYYY-MM-DD`; a document is good on its last day */
export function isExpired({ expiry }: Draft, today: string): boolean {
  const day = readDay(expiry)
  return day !== null && day < today
}

/** What keeps a document from being accepted. */
export function obstacle(kind: DocumentKind, draft: Draft, today: string): 'checks' | 'expiry' | 'expired' | null {
  if (isExpired(draft, today)) return 'expired'
  if (checksOf[kind].some((check) => !draft.ticked.includes(check))) return 'checks'
  return bearsExpiry(kind) && readDay(draft.expiry) === null && !draft.noExpiry ? 'expiry' : null
}

/** Whether it is decided: an outcome that what is ticked and typed now still allows. */
export function isDecided(kind: DocumentKind, draft: Draft, today: string): boolean {
  if (draft.outcome === 'refused') return draft.reason !== null
  return draft.outcome === 'accepted' && obstacle(kind, draft, today) === null
}

export type Drafts = Readonly<Record<string, Draft>>
export const draftOf = (drafts: Drafts, id: string): Draft => drafts[id] ?? blankDraft

/** Those before the reviewer, in the order in which they stand. */
export function pendingDocuments(user: AdminUser): readonly IdentityDocument[] {
  const pending = new Set(user.file?.pending)
  return (user.file?.documents ?? []).filter(({ id }) => pending.has(id))
}

/** The one to go to once another was decided: the next that is not, then from the first; null: all are. */
export function nextUndecided(
  documents: readonly IdentityDocument[],
  drafts: Drafts,
  today: string,
  after: string,
): string | null {
  const from = documents.findIndex(({ id }) => id === after) + 1
  const ordered = [...documents.slice(from), ...documents.slice(0, from)]
  return ordered.find(({ id, kind }) => !isDecided(kind, draftOf(drafts, id), today))?.id ?? null
}

/** Kinds that may be asked for: those of which nothing good or undecided is there. */
export function askableKinds(user: AdminUser, kinds: readonly DocumentKind[], today: string): readonly DocumentKind[] {
  const held = new Set(
    (user.file?.documents ?? [])
      .filter((each) => each.state === 'pending' || (each.state === 'success' && !hasEnded(each.expires_on, today)))
      .map(({ kind }) => kind),
  )
  return kinds.filter((kind) => !held.has(kind) && isDocumentOf(user.user_type ?? 'natural', kind))
}

export type Verdict = NonNullable<BodyInputOf<typeof verifyUser>>

/** @returns null while a document is undecided */
export function toVerdict(
  user: AdminUser,
  given: { readonly drafts: Drafts; readonly missing: readonly DocumentKind[]; readonly note: string },
  today: string,
): Verdict | null {
  const documents = pendingDocuments(user)
  if (documents.length === 0 || nextUndecided(documents, given.drafts, today, '') !== null) return null
  const noteOf = (note: string) => (note.trim() === '' ? {} : { note: note.trim() })
  const decisions = documents.flatMap(({ id: document_id, kind }): Verdict['decisions'] => {
    const { outcome, reason, note, expiry } = draftOf(given.drafts, document_id)
    if (outcome === 'refused') return reason === null ? [] : [{ document_id, outcome, reason, ...noteOf(note) }]
    return [{ document_id, outcome: 'accepted', expires_on: bearsExpiry(kind) ? readDay(expiry) : null }]
  })
  return { round: user.round, decisions, missing: [...given.missing], ...noteOf(given.note) }
}

export const refusesWhole = (verdict: Verdict): boolean =>
  (verdict.missing ?? []).length > 0 || verdict.decisions.some(({ outcome }) => outcome === 'refused')

/** Whom a reviewer may take next: not himself, nobody whom somebody else holds, nobody he had just now. */
export function claimable(
  entries: readonly AdminUserEntry[],
  not: { readonly reviewer: string; readonly except: string },
): readonly AdminUserEntry[] {
  return entries.filter(
    ({ id, verification }) =>
      id !== not.reviewer &&
      id !== not.except &&
      verification?.state === 'pending' &&
      (verification.claim === null || verification.claim.own),
  )
}

/** Times a second person must be somebody else than the first (four eyes). */
export const decidedOnceBy = (user: AdminUser, reviewer: string): boolean =>
  user.file?.history.some(({ round, final, by }) => round === user.round && !final && by.id === reviewer) ?? false
