/**
 * How long what was sealed can be shown to be as old as it is. A time stamp speaks for itself while the certificate that made it
 * is in force; after that, only what covered it before that end still does (EN 319 102-1 §5.6, RFC 4998 §5.2: renewal must come
 * in time). Bitcoin's record has no end that is known, but stands on its own assumption. Every instant here is read from a
 * certificate, a token or a block: nothing is promised.
 */

export type StampFacts = {
  /** `seal/timestamp-1.tsr` */
  readonly file: string
  readonly authority: string
  /** genTime. */
  readonly at: Date
  /** End of the certificate that signed the token, or of an issuer that ends before it. */
  readonly until: Date
  /** Other files of the seal whose state it dates: empty for one that dates the root alone. A renewal covers the tokens before it. */
  readonly covers: readonly string[]
  /** SHA-1, or a key too short for the day: it dates, but not for long. */
  readonly weak: boolean
}

export type AnchorFacts =
  | { readonly state: 'pending'; readonly since: Date; readonly next_try: Date | null }
  | { readonly state: 'anchored'; readonly block_height: number; readonly block_time: Date; readonly header_source: string }

export type HealthFacts = {
  readonly stamps: readonly StampFacts[]
  /** Authorities that gave no token when asked, and are to be asked again. */
  readonly pending_authorities: number
  readonly log: { readonly index: number; readonly logged_at: Date; readonly cosignatures: number } | null
  readonly anchor: AnchorFacts | null
}

export type HealthElement = {
  readonly kind: 'stamp' | 'authorities' | 'log' | 'anchor'
  /** File of a stamp; how many authorities gave none; the index of a leaf; the height of a block. */
  readonly subject: string
  /**
   * `sound`: nothing to do. `ageing`: its end is near and a renewal is due. `renewed`: its end does not matter any more. `ended`:
   * it ended and nothing covered it in time. `pending`: not there yet, asked again. `weak`: its algorithm is.
   */
  readonly state: 'sound' | 'ageing' | 'renewed' | 'ended' | 'pending' | 'weak'
  readonly until: Date | null
  /** What the background work does next about it, and when at the latest. */
  readonly next: { readonly action: 'renew' | 'ask_again' | 'upgrade' | 'none'; readonly at: Date | null }
}

export type ProofHealth = {
  readonly state: 'sound' | 'attention' | 'ended'
  /** Through stamps and their renewals; null when none holds now. */
  readonly stamped_until: Date | null
  /** Anchored in a block: what is said of it does not end with any certificate. */
  readonly anchored: boolean
  /** A renewal should be made now. */
  readonly renewal_due: boolean
  readonly elements: readonly HealthElement[]
}

/** Renewed this long before the end: a year of failing attempts costs nothing but patience. */
export const renewBeforeMs = 365 * 86_400_000

export function assessProofHealth(facts: HealthFacts, now: Date): ProofHealth {
  const ends = new Map(facts.stamps.map((stamp) => [stamp.file, endOf(stamp, facts.stamps, new Set())]))
  const standing = facts.stamps.filter(({ file }) => (ends.get(file) ?? now) > now)
  const stampedUntil = standing.length === 0 ? null : latest(standing.map(({ file }) => ends.get(file) ?? now))
  const anchored = facts.anchor?.state === 'anchored'
  const renewAt = stampedUntil === null ? null : new Date(stampedUntil.getTime() - renewBeforeMs)
  const renewalDue = (renewAt !== null && renewAt <= now) || standing.some((stamp) => isWeakStill(stamp, facts.stamps))
  const elements: HealthElement[] = facts.stamps.map((stamp) =>
    stampElement(stamp, ends.get(stamp.file) ?? stamp.until, { weak: isWeakStill(stamp, facts.stamps), renewAt, now }),
  )
  if (facts.pending_authorities > 0) {
    const subject = String(facts.pending_authorities)
    elements.push({ kind: 'authorities', subject, state: 'pending', until: null, next: { action: 'ask_again', at: null } })
  }
  if (facts.log !== null)
    elements.push({
      kind: 'log',
      subject: String(facts.log.index),
      state: 'sound',
      until: null,
      next: { action: 'none', at: null },
    })
  if (facts.anchor !== null) elements.push(anchorElement(facts.anchor))
  return {
    state: stampedUntil === null && !anchored ? 'ended' : renewalDue || stampedUntil === null ? 'attention' : 'sound',
    stamped_until: stampedUntil,
    anchored,
    renewal_due: renewalDue,
    elements,
  }
}

/** Weak, and nothing covers it yet. */
function isWeakStill(stamp: StampFacts, all: readonly StampFacts[]): boolean {
  return stamp.weak && endOf(stamp, all, new Set()).getTime() === stamp.until.getTime()
}

/** The end of a stamp, or of the latest stamp that covered it while it was in force. */
function endOf(stamp: StampFacts, all: readonly StampFacts[], seen: ReadonlySet<string>): Date {
  const within = new Set([...seen, stamp.file])
  const renewals = all.filter(
    (other) => !within.has(other.file) && other.covers.includes(stamp.file) && other.at >= stamp.at && other.at <= stamp.until,
  )
  return latest([stamp.until, ...renewals.map((renewal) => endOf(renewal, all, within))])
}

function stampElement(
  stamp: StampFacts,
  end: Date,
  { weak, renewAt, now }: { weak: boolean; renewAt: Date | null; now: Date },
): HealthElement {
  const base = { kind: 'stamp', subject: stamp.file, until: end } as const
  if (end <= now) return { ...base, state: 'ended', next: { action: 'none', at: null } }
  if (weak) return { ...base, state: 'weak', next: { action: 'renew', at: now } }
  if (end > stamp.until) return { ...base, state: 'renewed', next: { action: 'renew', at: renewAt } }
  const ageing = end.getTime() - renewBeforeMs <= now.getTime()
  return { ...base, state: ageing ? 'ageing' : 'sound', next: { action: 'renew', at: renewAt } }
}

function anchorElement(anchor: AnchorFacts): HealthElement {
  return anchor.state === 'pending'
    ? { kind: 'anchor', subject: '', state: 'pending', until: null, next: { action: 'upgrade', at: anchor.next_try } }
    : { kind: 'anchor', subject: String(anchor.block_height), state: 'sound', until: null, next: { action: 'none', at: null } }
}

function latest(instants: readonly Date[]): Date {
  return new Date(Math.max(...instants.map((each) => each.getTime())))
}
