import type { SessionTimestamp } from '../outcome/outcome.ts'

/** One answer of a time server. Offsets are our clock minus the other, in seconds. */
export type TimeSample = {
  /** `host:port` as configured. */
  readonly source: string
  readonly address: string | null
  readonly asked_at: string
  readonly offset: number | null
  /** Round trip without the time the server held the request, in seconds. */
  readonly delay: number | null
  /** The true offset lies within this of `offset`: half the delay, and what the server says of its own distance from UTC. */
  readonly uncertainty: number | null
  readonly stratum: number | null
  readonly reference: string | null
  /** The datagram, hexadecimal. */
  readonly reply: string | null
  readonly error: string | null
}

/** `Date` field (RFC 9110 §6.6.1) of one origin of the session: it counts whole seconds. */
export type OriginDate = { readonly origin: string; readonly offset: number }

export type ClockFacts = {
  readonly before: readonly TimeSample[]
  readonly after: readonly TimeSample[]
  readonly origins: readonly OriginDate[]
  /** Tokens of the session that were granted; `embedded` ones come from this very machine and confirm nothing. */
  readonly tokens: readonly { readonly authority: string; readonly offset: number; readonly embedded: boolean }[]
  /** Wall clock minus monotonic clock over the session, in seconds: not zero when the clock was set meanwhile. */
  readonly step: number
  /** What the operating system says of itself; null when it does not. */
  readonly synchronised: boolean | null
}

export type ClockVerdict = {
  readonly result: 'pass' | 'fail' | 'not_measured'
  /** Time servers that answered, of those asked. */
  readonly sources: number
  readonly asked: number
  /** Greatest distance from the time servers of the majority, in seconds; null when none answered. */
  readonly ntp: number | null
  /** Time servers that contradict the majority, or each other where there is none. */
  readonly disagreeing: readonly string[]
  /** Origin whose `Date` is farthest off, and by how much. */
  readonly worstOrigin: OriginDate | null
  readonly tokenOffset: number | null
  readonly outsideTokens: number
}

/** Seconds: what counts as agreement with a time server; and with a source that counts whole seconds or answers late. */
export const clockTolerance = { ntp: 1, coarse: 5 } as const

/** Servers nearer to each other than twice this agree, whatever they claim: a quarter of what is tolerated, in seconds. */
const agreementFloor = clockTolerance.ntp / 4

type Interval = { readonly low: number; readonly high: number; readonly sample: TimeSample }

/** Marzullo's algorithm (RFC 5905 §11.2.1 in small): where most of the intervals meet, and who does not take part. */
export function agreeOnOffset(samples: readonly TimeSample[]): {
  readonly low: number
  readonly high: number
  readonly outside: readonly TimeSample[]
} | null {
  const intervals: Interval[] = samples.flatMap((sample) => {
    if (sample.offset === null) return []
    const width = Math.max(sample.uncertainty ?? 0, agreementFloor)
    return [{ low: sample.offset - width, high: sample.offset + width, sample }]
  })
  let best: { low: number; high: number; count: number } | null = null
  for (const { low } of intervals) {
    const here = intervals.filter((one) => one.low <= low && low <= one.high)
    if (best === null || here.length > best.count)
      best = { low, high: Math.min(...here.map((one) => one.high)), count: here.length }
  }
  if (best === null || best.count * 2 <= intervals.length) return null
  const { low, high } = best
  return { low, high, outside: intervals.filter((one) => one.high < low || high < one.low).map(({ sample }) => sample) }
}

/**
 * Any sign against the clock from a source that can bear it fails the point; it passes by an independent source only: time servers,
 * or a time-stamping authority that is not our own. The dates of origins are compared and stated: the site under dispute is no
 * witness for our clock, and being off it is no proof against it while others confirm it. Pure.
 */
export function judgeClock(facts: ClockFacts): ClockVerdict {
  const moments = [facts.before, facts.after].map((samples) => {
    const answered = samples.filter(({ offset }) => offset !== null)
    return { answered, agreed: agreeOnOffset(answered) }
  })
  const answered = moments.flatMap((moment) => moment.answered)
  const disagreeing = moments.flatMap(({ answered: samples, agreed }) => (agreed === null ? samples : agreed.outside))
  // Servers that contradict each other without a majority: whom to believe is open, unless all of them are near enough.
  const split = moments.some(
    (moment) => moment.agreed === null && moment.answered.some(({ offset }) => Math.abs(offset ?? 0) > clockTolerance.ntp),
  )
  const believed = moments.map(({ answered: samples, agreed }) =>
    samples.filter((sample) => !(agreed?.outside ?? []).includes(sample)),
  )
  // Off for certain: by more than is tolerated whatever their uncertainty, according to every server of the majority.
  const off = moments.some(
    ({ agreed }, i) =>
      agreed !== null &&
      (believed[i] ?? []).every(({ offset, uncertainty }) => Math.abs(offset ?? 0) - (uncertainty ?? 0) > clockTolerance.ntp),
  )
  const farthest = (values: readonly number[]) =>
    values.reduce<number | null>((worst, value) => (worst === null || Math.abs(value) > Math.abs(worst) ? value : worst), null)
  const outside = facts.tokens.filter(({ embedded }) => !embedded)
  const tokenOffset = farthest(outside.map(({ offset }) => offset))
  const worstOrigin = facts.origins.reduce<OriginDate | null>(
    (worst, origin) => (worst === null || Math.abs(origin.offset) > Math.abs(worst.offset) ? origin : worst),
    null,
  )
  const independent = answered.length > 0 || outside.length > 0
  const ownTokens = facts.tokens.filter(({ embedded }) => embedded)
  const originsAgainst =
    facts.origins.filter(({ offset }) => Math.abs(offset) > clockTolerance.coarse).length * 2 > facts.origins.length
  const against =
    Math.abs(facts.step) > clockTolerance.ntp ||
    off ||
    split ||
    outside.some(({ offset }) => Math.abs(offset) > clockTolerance.coarse) ||
    ownTokens.some(({ offset }) => Math.abs(offset) > clockTolerance.coarse) ||
    (!independent && (originsAgainst || facts.synchronised === false))
  return {
    result: against ? 'fail' : independent ? 'pass' : 'not_measured',
    sources: new Set(answered.map(({ source }) => source)).size,
    asked: new Set([...facts.before, ...facts.after].map(({ source }) => source)).size,
    ntp: farthest(believed.flat().map(({ offset }) => offset ?? 0)),
    disagreeing: [...new Set(disagreeing.map(({ source }) => source))],
    worstOrigin,
    tokenOffset,
    outsideTokens: outside.length,
  }
}

/** Tokens that were granted, as offsets of our clock. A token is made after it was asked for: late answers make us seem slow. */
export function tokenOffsets(timestamps: readonly SessionTimestamp[]): ClockFacts['tokens'] {
  return timestamps.flatMap(({ asked_at, gen_time, authority, embedded, error }) => {
    const offset = gen_time === null || error !== null ? Number.NaN : (Date.parse(asked_at) - Date.parse(gen_time)) / 1000
    return Number.isNaN(offset) ? [] : [{ authority: authority ?? '', offset, embedded: embedded !== false }]
  })
}
