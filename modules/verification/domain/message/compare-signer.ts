import type { ProofCheck } from '../report/proof-report.ts'
import type { PublishedKey } from '../known/verify-deps.ts'

/** What is known of the key behind a message's signature: what the platform published, what the reader gave. */
export type ComparedSigner = { readonly published: PublishedKey | undefined; readonly given: boolean }

/** Newest first, at most 64: a list handed over by a stranger is bounded. */
export function knownKeys(keys: readonly PublishedKey[] | undefined): readonly PublishedKey[] {
  return (keys ?? []).toSorted((a, b) => (a.since < b.since ? 1 : a.since > b.since ? -1 : 0)).slice(0, 64)
}

/**
 * Whether the key is one that the platform published. Neither kind of signature says who signed: without a published or a given
 * key the answer is open, whatever the mathematics say. @param name what the words call the key: an address, an account.
 */
export function publishedCheck(name: string, known: boolean, { published, given }: ComparedSigner): ProofCheck {
  // The reader's own key answers the question; the platform's adds to it.
  const supplementary = given ? { supplementary: true as const } : {}
  if (published !== undefined) {
    const data = { signer: name, since: published.since, until: published.until ?? '' }
    return { id: 'published_signer', status: 'passed', data, rests_on: ['platform'], ...supplementary }
  }
  const reason = known ? 'unknown_signer' : 'no_published_keys'
  return { id: 'published_signer', status: 'indeterminate', data: { signer: name, reason }, ...supplementary }
}

/**
 * When the key was in force. A signature carries no date: that of a retired key may be older than its end, or younger.
 * @param at an instant at which it is known to have existed, ISO 8601.
 */
export function periodChecks(name: string, published: PublishedKey | undefined, now: Date, at: string | undefined): ProofCheck[] {
  if (published === undefined) return []
  const { since, until } = published
  const data = { signer: name, since, until: until ?? '' }
  const [from, to] = [Date.parse(since), until === null ? Infinity : Date.parse(until)]
  if (at !== undefined) {
    const instant = Date.parse(at)
    if (Number.isNaN(instant)) return [{ id: 'period', status: 'indeterminate', data: { ...data, reason: 'instant' } }]
    // Two processes of one platform do not take up a new key at the same instant.
    const holds = instant >= from - tolerance && instant <= to + tolerance
    if (holds) return [{ id: 'period', status: 'passed', data, rests_on: ['platform'] }]
    return [
      { id: 'period', status: 'failed', data: { ...data, reason: instant < from ? 'before' : 'after' }, rests_on: ['platform'] },
    ]
  }
  if (from > now.getTime() + tolerance) return [{ id: 'period', status: 'failed', data: { ...data, reason: 'before' } }]
  return until === null
    ? [{ id: 'period', status: 'passed', data, rests_on: ['platform'] }]
    : [{ id: 'period', status: 'indeterminate', data: { ...data, reason: 'retired' }, supplementary: true }]
}

const tolerance = 5 * 60_000
