type Range = { readonly from_ms: number; readonly to_ms: number }

/** As much of a session's facts as is warned of. */
export type SessionFacts = {
  readonly ended_by: string
  readonly duration_ms: number
  readonly video: { readonly gaps: readonly Range[] } | null
  readonly timeline: { readonly entries: number }
  readonly absences: readonly Range[]
  readonly hand_overs: readonly { readonly ms: number; readonly viewer: number }[]
  readonly crashes: readonly { readonly ms: number; readonly what: string; readonly recovered: boolean }[]
}

/** Words of each are in the capture's messages, as those of every warning before anyone agrees. */
export type SessionWarning = {
  readonly code:
    | 'session_ended'
    | 'recording_missing'
    | 'recording_gaps'
    | 'page_crashed'
    | 'sound_lost'
    | 'timeline_full'
    | 'visitor_absent'
    | 'session_certificates'
    | 'session_refused'
  readonly data: Readonly<Record<string, string | number>>
}

/** What a visitor was refused during a session, by kind: how often. */
export type SessionRefusals = {
  readonly tabs: number
  readonly popups: number
  /** Downloads that were not kept. */
  readonly files: number
  /** Files that a page asked for and that were not taken. */
  readonly uploads: number
  readonly addresses: number
}

/** A site whose certificate the browser did not accept: `passed` when the visitor went on from its warning. */
export type RefusedCertificate = { readonly host: string; readonly error: string; readonly passed: boolean }

const seconds = (ranges: readonly Range[]): number =>
  Math.ceil(ranges.reduce((sum, { from_ms, to_ms }) => sum + Math.max(0, to_ms - from_ms), 0) / 1000)

/** What anyone should know of a session before agreeing to it, in a fixed order, each with the figures it rests on. Pure. */
export function sessionWarnings(
  facts: SessionFacts,
  also: {
    readonly refused: SessionRefusals
    readonly certificates: readonly RefusedCertificate[]
    /** Lines that the timeline had no room for. */
    readonly timelineDropped: number
    /** Whether the page in front could be read at the end. */
    readonly seen: boolean
  },
): readonly SessionWarning[] {
  const warnings: SessionWarning[] = []
  const warn = (code: SessionWarning['code'], data: SessionWarning['data'] = {}) => warnings.push({ code, data })
  const { video, crashes } = facts
  // Before the first viewer is there, nobody has gone: that its page was opened meanwhile is in the timeline.
  const first = facts.hand_overs[0]
  const absences = facts.absences.filter(({ from_ms, to_ms }) => from_ms > 0 || first === undefined || to_ms > first.ms)
  const { tabs, popups, files, uploads, addresses } = also.refused

  if (facts.ended_by !== 'visitor')
    warn('session_ended', { why: facts.ended_by, minutes: Math.round(facts.duration_ms / 60_000) })
  if (video === null) warn('recording_missing', { seen: also.seen ? 1 : 0 })
  else if (video.gaps.length > 0) warn('recording_gaps', { count: video.gaps.length, seconds: seconds(video.gaps) })
  const pages = crashes.filter(({ what }) => what === 'page')
  if (pages.length > 0)
    warn('page_crashed', { count: pages.length, unrecovered: pages.filter(({ recovered }) => !recovered).length })
  const sound = crashes.find(({ what }) => what === 'sound')
  if (sound !== undefined) warn('sound_lost', { second: Math.floor(sound.ms / 1000) })
  if (also.timelineDropped > 0) warn('timeline_full', { count: also.timelineDropped, entries: facts.timeline.entries })
  if (absences.length > 0) warn('visitor_absent', { count: absences.length, seconds: seconds(absences) })
  const certificate = also.certificates.find(({ passed }) => passed) ?? also.certificates[0]
  if (certificate !== undefined) {
    const passed = also.certificates.filter((one) => one.passed).length
    warn('session_certificates', { count: also.certificates.length, passed, first: certificate.host, error: certificate.error })
  }
  if (tabs + popups + files + uploads + addresses > 0) warn('session_refused', { tabs, popups, files, uploads, addresses })
  return warnings
}
