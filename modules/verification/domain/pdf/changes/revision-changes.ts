import { sameShallow } from './changed-objects.ts'
import type { surveySigned } from './survey-signed.ts'
import { isDictionary, isList, isReference } from '../document/syntax.ts'
import type { PdfValue } from '../document/syntax.ts'
import type { View } from '../document/view.ts'

/**
 * What a later revision did to what was signed. `validation_data`: certificates and revocation data (DSS). `timestamp`: a document
 * timestamp. `signature`: another signature in a field. `metadata`: title, author, dates. `form`: a field was filled. `annotation`: a
 * note, a link or anything drawn over the page. `content`: anything else, the page itself among it.
 */
export type ChangeKind = 'validation_data' | 'timestamp' | 'signature' | 'metadata' | 'form' | 'annotation' | 'content'
export type Change = {
  readonly kind: ChangeKind
  /** Object number, or 0 for the file's trailer. */ readonly object: number
  readonly what: string
}

export type Comparison = { readonly changes: readonly Change[]; readonly filled: readonly string[] }

/** A signed revision and a later one, which objects differ, and what was concluded of them so far. */
export type Revisions = {
  readonly signed: View
  readonly later: View
  readonly changed: ReadonlyMap<number, 'added' | 'changed' | 'removed'>
  readonly old: Awaited<ReturnType<typeof surveySigned>>
  /** Objects whose change was explained, and new ones that an explained change uses. */
  readonly explained: Set<number>
  readonly changes: Change[]
  /** Full names of form fields. */
  readonly filled: string[]
}

const mostChanges = 1000
const deepest = 64

export function add({ changes }: Revisions, kind: ChangeKind, object: number, what: string): void {
  if (changes.length < mostChanges) changes.push({ kind, object, what })
}

export function explain({ explained }: Revisions, value: PdfValue | undefined): void {
  if (isReference(value)) explained.add(value.reference)
}

/** The object that holds what is compared: a new one, or the same as before; another one that was there is something else. */
export function explainHolder(revisions: Revisions, was: PdfValue | undefined, is: PdfValue | undefined): void {
  if (isReference(is) && (revisions.changed.get(is.reference) === 'added' || sameShallow(was, is))) explain(revisions, is)
}

/** New objects that an explained change leads to; objects that were there are not excused by being named again. */
export async function adoptNew(revisions: Revisions, value: PdfValue | undefined, depth = 0): Promise<void> {
  const { changed, explained, later } = revisions
  if (depth > deepest || value === undefined) return
  if (isReference(value)) {
    if (changed.get(value.reference) !== 'added' || explained.has(value.reference)) return
    explained.add(value.reference)
    await adoptNew(revisions, await later.object(value.reference), depth + 1)
  } else if (isList(value)) for (const each of value) await adoptNew(revisions, each, depth + 1)
  else if (isDictionary(value)) for (const each of value.entries.values()) await adoptNew(revisions, each, depth + 1)
}
