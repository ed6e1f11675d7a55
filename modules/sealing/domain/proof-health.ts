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
  | { readonly state: 'pending'; readonly network: 'main' | 'test'; readonly since: Date; readonly next_try: Date | null }
  | {
      readonly state: 'anchored'
      /** A block of a test network costs nothing to make: it dates nothing. */
      readonly network: 'main' | 'test'
      readonly block_height: number
      readonly block_time: Date
      readonly header_source: string
    }

export type HealthFacts = {
  readonly stamps: readonly StampFacts[]
  /** `each`: every time stamp is renewed before its own end; else, or absent, all at once before the last of them ends. */
  readonly renewed?: 'each' | 'together'
  /** Authorities that gave no token when asked. */
  readonly pending_authorities: number
  /** When those are asked again; null when they were given up. */
  readonly ask_again_at?: Date | null
  readonly log: { readonly index: number; readonly logged_at: Date; readonly cosignatures: number } | null
  readonly anchor: AnchorFacts | null
}

export type HealthElement = {
  readonly kind: 'stamp' | 'authorities' | 'log' | 'anchor'
  /** File of a stamp; how many authorities gave none; the index of a leaf; the height of a block. */
  readonly subject: string
  /**
   * `sound`: nothing to do. `ageing`: its end is near and a renewal is due. `renewed`: its end does not matter any more. `ended`:
   * it ended and nothing covered it in time. `pending`: not there yet, asked again. `given_up`: asked no more. `weak`: its algorithm is.
   * `test`: in a test network.
   */
  readonly state: 'sound' | 'ageing' | 'renewed' | 'ended' | 'pending' | 'given_up' | 'weak' | 'test'
  readonly until: Date | null
  /** What the background work does next about it, and when at the latest. */
  readonly next: { readonly action: 'renew' | 'ask_again' | 'upgrade' | 'none'; readonly at: Date | null }
}

export type ProofHealth = {
  readonly state: 'sound' | 'attention' | 'ended'
  /** Through stamps and their renewals; null when none holds now. */
  readonly stamped_until: Date | null
  /** Anchored in a block of the main chain: what is said of it does not end with any certificate. */
  readonly anchored: boolean
  /** A renewal should be made now. */
  readonly renewal_due: boolean
  /** When it should be; null when no stamp holds that could be renewed. */
  readonly renew_at: Date | null
  readonly elements: readonly HealthElement[]
}

/** Renewed this long before the end, or for the last third of a shorter life: a year of failing attempts costs nothing but patience. */
export const renewBeforeMs = 365 * 86_400_000

/** From so long before the end on a stamp of the platform's own authority is better than none, though others are configured. */
export const urgentMs = 30 * 86_400_000

/** Renewals that fail are tried again every day: only what fails for longer than that is its owner's business. */
export const renewalGraceMs = 7 * 86_400_000

/** When a stamp that holds from `at` until `until` should be renewed. */
function renewalOf({ at, until }: Pick<StampFacts, 'at' | 'until'>): Date {
  return new Date(until.getTime() - Math.min(renewBeforeMs, Math.floor((until.getTime() - at.getTime()) / 3)))
}

export function assessProofHealth(facts: HealthFacts, now: Date): ProofHealth {
  const ends = lastStamps(facts.stamps)
  // A renewal dates what it carries: one that came too late carries nothing.
  const lasts = facts.stamps.filter(({ covers }) => covers.length === 0).flatMap(({ file }) => ends.get(file) ?? [])
  const standing = lasts.filter(({ until }) => until > now)
  const last = standing.toSorted((a, b) => b.until.getTime() - a.until.getTime())[0] ?? null
  const anchored = facts.anchor?.state === 'anchored' && facts.anchor.network === 'main'
  const weak = facts.stamps.filter((stamp) => stamp.until > now && isWeakStill(stamp, facts.stamps))
  const isEach = facts.renewed === 'each'
  const renewals = (isEach ? standing : last === null ? [] : [last]).map((stamp) => renewalOf(stamp).getTime())
  const renewAt = last === null ? null : weak.length > 0 ? now : new Date(Math.min(...renewals))
  const renewalDue = renewAt !== null && renewAt <= now
  const elements: HealthElement[] = facts.stamps.map((stamp) => {
    const end = ends.get(stamp.file) ?? stamp
    return stampElement(stamp, end, { weak: weak.includes(stamp), renewAt: isEach ? renewalOf(end) : renewAt, now })
  })
  if (facts.pending_authorities > 0) elements.push(authoritiesElement(facts.pending_authorities, facts.ask_again_at))
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
    state: last === null && !anchored ? 'ended' : renewalDue || last === null ? 'attention' : 'sound',
    stamped_until: last?.until ?? null,
    anchored,
    renewal_due: renewalDue,
    renew_at: renewAt,
    elements,
  }
}

const covered = (stamp: StampFacts, by: StampFacts): boolean =>
  by.covers.includes(stamp.file) && by.at >= stamp.at && by.at <= stamp.until

/** Weak, and nothing stronger covers it yet. */
function isWeakStill(stamp: StampFacts, all: readonly StampFacts[]): boolean {
  return stamp.weak && !all.some((other) => !other.weak && covered(stamp, other))
}

/**
 * For each stamp, itself, or the one with the latest end of those that covered it, or its cover, while that was in force. Repeated
 * until nothing changes, at most once for each stamp: files may say that they cover each other.
 */
function lastStamps(all: readonly StampFacts[]): ReadonlyMap<string, StampFacts> {
  const lasts = new Map(all.map((stamp) => [stamp.file, stamp]))
  const further = (stamp: StampFacts): StampFacts =>
    all
      .filter((other) => other.file !== stamp.file && covered(stamp, other))
      .map((other) => lasts.get(other.file) ?? other)
      .reduce((last, other) => (other.until > last.until ? other : last), lasts.get(stamp.file) ?? stamp)
  for (let round = 0, changed = true; changed && round < all.length; round += 1) {
    changed = false
    for (const stamp of all) {
      const last = further(stamp)
      if (last === lasts.get(stamp.file)) continue
      lasts.set(stamp.file, last)
      changed = true
    }
  }
  return lasts
}

function stampElement(
  stamp: StampFacts,
  { until: end, file }: StampFacts,
  { weak, renewAt, now }: { weak: boolean; renewAt: Date | null; now: Date },
): HealthElement {
  const base = { kind: 'stamp', subject: stamp.file, until: end } as const
  if (end <= now) return { ...base, state: 'ended', next: { action: 'none', at: null } }
  if (weak) return { ...base, state: 'weak', next: { action: 'renew', at: now } }
  if (file !== stamp.file) return { ...base, state: 'renewed', next: { action: 'renew', at: renewAt } }
  return { ...base, state: renewalOf(stamp) <= now ? 'ageing' : 'sound', next: { action: 'renew', at: renewAt } }
}

function authoritiesElement(count: number, askAgainAt: Date | null | undefined): HealthElement {
  const base = { kind: 'authorities', subject: String(count), until: null } as const
  return askAgainAt === null
    ? { ...base, state: 'given_up', next: { action: 'none', at: null } }
    : { ...base, state: 'pending', next: { action: 'ask_again', at: askAgainAt ?? null } }
}

function anchorElement(anchor: AnchorFacts): HealthElement {
  if (anchor.state === 'pending')
    return { kind: 'anchor', subject: '', state: 'pending', until: null, next: { action: 'upgrade', at: anchor.next_try } }
  const state = anchor.network === 'main' ? 'sound' : 'test'
  return { kind: 'anchor', subject: String(anchor.block_height), state, until: null, next: { action: 'none', at: null } }
}
