import { documentKinds, isProofOfPerson, proofsOfPerson, type DocumentKind } from './identity-document.ts'

/** So long before its last day a document may be replaced: reviewers are not sent what is good for years. */
export const renewalDays = 90
/** So long before its last day its owner is written to. */
export const reminderDays = 30

/** What counts of a kind: its newest version that was accepted. */
export type Accepted = { readonly kind: DocumentKind; readonly expiresOn: string | null }

/** @param day `YYYY-MM-DD`, as the others here */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
}

/** A document is good on its last day. */
export function hasEnded(expiresOn: string | null, today: string): boolean {
  return expiresOn !== null && expiresOn < today
}

/**
 * Last day on which what was accepted proves who somebody is: that of the proof which lasts longest, and of his company's papers if these end before.
 * null: none of it says so.
 */
export function validUntil(accepted: readonly Accepted[]): string | null {
  const earliest = (those: readonly Accepted[]) => those.flatMap(({ expiresOn }) => expiresOn ?? []).toSorted()[0] ?? null
  const whole = proofsOfPerson
    .map((proof) => accepted.filter(({ kind }) => proof.includes(kind)))
    .filter((those, index) => those.length === proofsOfPerson[index]?.length)
  if (whole.length === 0) return earliest(accepted)
  const ends = whole.map(earliest)
  const longest = ends.includes(null)
    ? null
    : (ends
        .flatMap((end) => end ?? [])
        .toSorted()
        .at(-1) ?? null)
  const papers = earliest(accepted.filter(({ kind }) => !isProofOfPerson(kind)))
  return [longest, papers].flatMap((end) => end ?? []).toSorted()[0] ?? null
}

/** Which documents speak of what of the profile says who somebody is. */
function namedBy(kind: DocumentKind, field: string): boolean {
  if (field === 'first_name' || field === 'last_name') return isProofOfPerson(kind)
  return field === 'company_name' ? !isProofOfPerson(kind) : field === 'user_type'
}

/** @param changed fields of the profile that are not what they were when it was sent */
type Compared = Accepted & { readonly changed: readonly string[] }

/**
 * Accepted kinds of which a new version is wanted: their day comes or has passed, or what they were compared with is no longer what is typed.
 * @param stands whether what was accepted counts: before it does, what only comes to its end is good enough
 */
export function dueKinds(
  accepted: readonly Compared[],
  facts: { readonly stands: boolean; readonly today: string },
): ReadonlySet<DocumentKind> {
  const { stands, today } = facts
  const before = dayAfter(today, renewalDays)
  const end = validUntil(accepted)
  const ends = ({ expiresOn }: Accepted) =>
    stands ? end !== null && end <= before && expiresOn !== null && expiresOn <= before : hasEnded(expiresOn, today)
  const isDue = (each: Compared) => ends(each) || each.changed.some((field) => namedBy(each.kind, field))
  const due = new Set(accepted.filter(isDue).map(({ kind }) => kind))
  return new Set(documentKinds.filter((kind) => due.has(kind)))
}
