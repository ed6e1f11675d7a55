/** Objections that are raised against a session that a visitor steered, and what it measured about each. Pure. */
import type { Piece, SessionContent } from '../content/report-content.ts'
import { totalMs, wasSteered } from '../content/session-facts.ts'
import { type Point, point } from './point.ts'

export const sessionObjectionIds = ['steered', 'cut', 'masked', 'unattended'] as const
export type SessionObjectionId = (typeof sessionObjectionIds)[number]

const seconds = (ms: number): number => Math.ceil(ms / 100) / 10

/** What the visitor did, as the timeline counts it. */
function inputPoints({ timeline }: SessionContent): readonly Point[] {
  if (timeline.state !== 'read') return [point('not_measured', 'session_inputs_uncounted')]
  const { clicks, touches, keys, texts, pastes, masked_inputs: masked } = timeline.counts
  const values = { clicks: clicks + touches, keys: keys + texts, pastes, masked }
  const inputs = point(timeline.leftOut === 0 ? 'pass' : 'weak', 'session_inputs', values, { path: timeline.path })
  return timeline.leftOut === 0 ? [inputs] : [inputs, point('weak', 'session_left_out', { count: timeline.leftOut })]
}

/** The path that was followed: of the objection that it was not followed from a clean start, too. */
export function pathPoint({ facts }: SessionContent): Point {
  const { navigations } = facts
  const typed = navigations.filter((one) => one.cause === 'address').length
  return navigations.length === 0
    ? point('not_measured', 'session_no_pages')
    : point('pass', 'session_pages', { count: navigations.length, typed }, { path: facts.timeline.path })
}

/** Who acted in the browser. */
export const visitorPoint = ({ facts }: SessionContent): Point =>
  point('stated', wasSteered(facts) ? 'session_visitor' : 'session_nobody', {}, { path: facts.timeline.path })

/** The images that the browser took. */
export function shotsPoint({ facts }: SessionContent, pieces: readonly Pick<Piece, 'path'>[]): Point {
  const held = new Set(pieces.map(({ path }) => path))
  const count = facts.screenshots.filter(({ paths }) => paths.length > 0 && paths.every((path) => held.has(path))).length
  return count === 0
    ? point('not_measured', 'images_none')
    : point('pass', 'shots', { count }, { path: 'manifest.json' }, { path: facts.timeline.path })
}

/** The record of the traffic, when a secret passed in it unencrypted; null when it was not withheld. */
export function withheldWire({ facts: { withheld = [] } }: SessionContent): Point | null {
  const record = withheld.find(({ path }) => path === 'capture/network.pcap')
  return record === undefined ? null : point('not_measured', 'wire_withheld', { sha256: record.sha256 })
}

export function videoPoint({ facts: { video } }: SessionContent): Point {
  return video === null
    ? point('not_measured', 'video_absent')
    : point('pass', 'video', { frames: video.frames, chain: video.chain }, { path: video.path })
}

function wholePoints({ facts: { video } }: SessionContent): readonly Point[] {
  if (video === null) return []
  const { gaps, frames_dropped: dropped, sound } = video
  return [
    ...(gaps.length === 0 && dropped === 0 ? [point('pass', 'video_whole')] : []),
    ...(gaps.length > 0 ? [point('weak', 'video_gaps', { count: gaps.length, seconds: seconds(totalMs(gaps)) })] : []),
    ...(dropped > 0 ? [point('weak', 'video_dropped', { count: dropped })] : []),
    ...(sound === null ? [point('not_measured', 'video_silent')] : []),
  ]
}

function handPoints({ facts }: SessionContent): readonly Point[] {
  const { hand_overs: hands } = facts
  const devices = new Set(hands.map(({ viewer }) => viewer)).size
  // Before the first device comes nobody is away.
  const absences = facts.absences.filter(({ from_ms }) => from_ms > 0)
  const absent = absences.length > 0
  return [
    ...(devices === 1 && hands.length === 1 && !absent ? [point('pass', 'one_device')] : []),
    ...(devices !== 1 || hands.length !== 1 || absent
      ? [point('stated', 'devices', { devices, count: Math.max(0, hands.length - 1) })]
      : []),
    ...(absent ? [point('weak', 'absent', { count: absences.length, seconds: seconds(totalMs(absences)) })] : []),
  ]
}

/** @param dated what dates the record while the session ran, as every capture measures it. */
export function sessionPoints(
  session: SessionContent,
  dated: readonly Point[],
): Readonly<Record<SessionObjectionId, readonly Point[]>> {
  const { facts } = session
  const { witnesses, secrets, timeline, withheld = [] } = facts
  const signed = witnesses.filter((one) => one.countersigned !== null).length
  const chained = point('pass', 'timeline', { entries: timeline.entries, head: timeline.head }, { path: timeline.path })
  const watched =
    witnesses.length === 0
      ? point('not_measured', 'session_unwitnessed')
      : point('stated', 'session_witnessed', { count: witnesses.length, signed })
  return {
    steered: [visitorPoint(session), ...inputPoints(session), pathPoint(session), watched],
    cut: [videoPoint(session), ...wholePoints(session), chained, ...dated],
    masked: [
      secrets.length === 0 ? point('pass', 'masked_nothing') : point('weak', 'masked_listed', { count: secrets.length }),
      ...(withheld.length > 0 ? [point('weak', 'withheld', { count: withheld.length })] : []),
      chained,
    ],
    unattended: [...handPoints(session), watched],
  }
}
