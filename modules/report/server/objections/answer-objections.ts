/**
 * The objections that opposing counsel raises against a capture of a web page, and what this capture measured about each. Pure:
 * a point says what a fact says and nothing else; a fact that is absent is a point that was not measured.
 */
import { actionMark, actionsPath, checklistPath, conditionMark, environmentPath, memberMark } from '../content/landmarks.ts'
import {
  type SessionObjectionId,
  pathPoint,
  sessionObjectionIds,
  sessionPoints,
  shotsPoint,
  videoPoint,
  visitorPoint,
  withheldWire,
} from './answer-session-objections.ts'
import type { CaptureFacts, Piece, SealSummary, SessionContent } from '../content/report-content.ts'
import { type Annex, type Point, type PointResult, point } from './point.ts'

export const objectionIds = [
  'address',
  'proxy',
  'personalised',
  'clock',
  'path',
  'retouched',
  'altered',
  'spoofed',
  'operator',
  'backdated',
  'machine',
  'incomplete',
] as const
export type ObjectionId = (typeof objectionIds)[number]

/** `answered`: all of it measured, in favour; `partly`: some; `open`: none; `against`: a measurement supports the objection. */
export type ObjectionState = 'answered' | 'partly' | 'open' | 'against'
export type Objection = {
  readonly id: ObjectionId | SessionObjectionId
  readonly state: ObjectionState
  readonly points: readonly Point[]
}

export function stateOf(points: readonly Pick<Point, 'result'>[]): ObjectionState {
  const has = (result: PointResult): boolean => points.some((point) => point.result === result)
  if (has('fail')) return 'against'
  if (!has('pass')) return has('weak') ? 'partly' : 'open'
  return has('weak') || has('not_measured') ? 'partly' : 'answered'
}

type Evidence = {
  readonly facts: CaptureFacts
  readonly pieces: readonly Piece[]
  readonly seal: SealSummary
  /** null: the page was captured by the robot. */
  readonly session: SessionContent | null
}

function pointsOf({
  facts,
  pieces,
  seal,
  session,
}: Evidence): Readonly<Record<ObjectionId | SessionObjectionId, readonly Point[]>> {
  const pieceOf = (role: Piece['role']): Piece | null =>
    pieces.find((piece) => piece.role === role && !piece.path.startsWith('capture/vantage-2/')) ?? null
  const annexOf = (piece: Piece | null, rest: Omit<Annex, 'path'> = {}): Annex[] =>
    piece === null ? [] : [{ path: piece.path, ...rest }]

  const condition = (id: string): Point => {
    const line = facts.checklist.find((one) => one.id === id)
    if (line === undefined) return point('not_measured', 'no_condition', { id })
    return {
      result: line.result,
      words: 'condition',
      values: {},
      condition: line,
      annexes: [
        ...(line.evidence_path === null ? [] : [{ path: line.evidence_path }]),
        { path: checklistPath, text: conditionMark(id) },
      ],
    }
  }

  const { certificate, vantage, server } = facts
  const certificatePoint =
    certificate === null
      ? point('not_measured', 'certificate_absent')
      : certificate.error === null
        ? point(
            'pass',
            'certificate_accepted',
            { subject: certificate.subject, issuer: certificate.issuer, sha256: certificate.sha256 },
            ...annexOf(pieceOf('certificates')),
          )
        : point('fail', 'certificate_refused', { error: certificate.error }, ...annexOf(pieceOf('certificates')))
  const addressPoint =
    facts.server_address === null
      ? point('not_measured', 'server_unknown')
      : point(
          'pass',
          'server',
          { address: facts.server_address },
          ...annexOf(pieceOf('dns'), { field: 'connections[].remote_address' }),
        )
  const isolationPoint =
    facts.isolation === 'namespaces'
      ? point('pass', 'isolated', {}, { path: environmentPath, text: memberMark('isolation') })
      : point('fail', 'not_isolated', {}, { path: environmentPath, text: memberMark('isolation') })
  const wirePoint =
    pieceOf('pcap') === null
      ? ((session === null ? null : withheldWire(session)) ?? point('not_measured', 'wire_absent'))
      : point('pass', 'wire', {}, ...annexOf(pieceOf('pcap')))

  const answered = facts.timestamps.filter((stamp) => stamp.path !== null)
  const independent = answered.filter((stamp) => stamp.embedded === false)
  // Beyond three, the folder that holds them all.
  const stampAnnexes =
    answered.length > 3
      ? [{ path: (answered[0]?.path ?? '').replace(/[^/]*$/, '') }]
      : answered.map((stamp) => ({ path: stamp.path ?? '' }))
  const sessionPoint =
    facts.timestamps.length === 0
      ? point('not_measured', 'session_none')
      : answered.length === 0
        ? point('not_measured', 'session_unanswered', { asked: facts.timestamps.length })
        : independent.length > 0
          ? point('pass', 'session_independent', { count: independent.length, asked: facts.timestamps.length }, ...stampAnnexes)
          : point('weak', 'session_embedded', { count: answered.length, asked: facts.timestamps.length }, ...stampAnnexes)

  const outside = seal.timestamps.find((stamp) => !stamp.embedded)
  const stamp = outside ?? seal.timestamps[0]
  const sealPoint =
    stamp === undefined
      ? point('not_measured', 'seal_undated')
      : point(
          outside === undefined ? 'weak' : 'pass',
          outside === undefined ? 'seal_embedded' : 'seal_independent',
          { authority: stamp.authority, at: stamp.gen_time, serial: stamp.serial },
          { path: stamp.file },
        )
  const gap = stamp === undefined ? Number.NaN : (Date.parse(stamp.gen_time) - Date.parse(facts.finished_at)) / 1000
  const gapPoints = Number.isFinite(gap)
    ? [point(gap < -5 ? 'fail' : 'stated', gap < -5 ? 'seal_before_end' : 'seal_gap', { seconds: Math.abs(Math.round(gap)) })]
    : []

  const robotPoint =
    session !== null
      ? visitorPoint(session)
      : facts.scenario === null && facts.cookie_banner === null
        ? point('stated', 'robot_nothing', {}, ...annexOf(pieceOf('action_log')))
        : point(
            'stated',
            'robot_acted',
            { steps: facts.scenario?.steps.length ?? 0, banner: facts.cookie_banner === null ? 0 : 1 },
            ...annexOf(pieceOf('action_log')),
            ...annexOf(pieceOf('scenario')),
          )
  const comparePoint =
    pieceOf('source') === null || pieceOf('dom') === null
      ? point('not_measured', 'source_or_dom_absent')
      : point('pass', 'source_and_dom', {}, ...annexOf(pieceOf('source')), ...annexOf(pieceOf('dom')))

  const compared = (item: NonNullable<CaptureFacts['vantage']>['comparisons'][number]['item']): Point[] => {
    const found = vantage?.state === 'captured' ? vantage.comparisons.find((one) => one.item === item) : undefined
    if (found === undefined || found.result === 'not_compared') return []
    return [point(found.result === 'same' ? 'pass' : 'weak', `second_${found.result}`, { item })]
  }
  const secondPoint =
    vantage === null
      ? point('not_measured', 'second_none')
      : vantage.state === 'failed'
        ? point('not_measured', 'second_failed')
        : point('pass', 'second', { name: vantage.server.name })
  const preflightPoint =
    server === null
      ? point('not_measured', 'server_unregistered')
      : point(
          'pass',
          'preflight',
          { name: server.name, at: server.preflight_at, sha256: server.manifest_sha256 },
          ...annexOf(pieceOf('preflight')),
        )

  // A statement helps nobody's answer: it is a fact that the installation made it, or did not.
  const operatorPoint =
    facts.operator === undefined || facts.operator === null
      ? point('stated', 'operator_unstated')
      : point(
          'stated',
          'operator_stated',
          { operator: facts.operator },
          { path: environmentPath, text: memberMark('operator_as_stated') },
        )

  const images = facts.images.length
  const imagePoint =
    images === 0
      ? point('not_measured', 'images_none')
      : point(
          'pass',
          'images',
          { count: images },
          { path: 'manifest.json' },
          { path: actionsPath, text: actionMark('screenshot') },
        )
  const { coverage } = facts.quality
  const whole = coverage.percent === 100 && coverage.missing_images === 0
  const coveragePoint = point(
    whole ? 'pass' : 'fail',
    'coverage',
    { percent: coverage.percent, height: coverage.page_height, missing: coverage.missing_images, images: coverage.images },
    { path: actionsPath, text: actionMark('screenshot') },
  )
  const { failed, total } = facts.resources
  const failedPoints = failed > 0 ? [point('weak', 'requests_failed', { failed, total }, ...annexOf(pieceOf('har')))] : []
  // What a check found about the page itself bears on this objection, whatever the rows and the bytes say.
  const checkedPoints = facts.quality.verdict === 'good' ? [] : [point('weak', 'to_be_checked')]
  const losses = facts.completeness.losses.length
  const completenessPoint =
    facts.completeness.state === 'complete'
      ? point('pass', 'complete', {}, ...annexOf(pieceOf('har')), ...annexOf(pieceOf('wacz')))
      : point('fail', 'incomplete', { count: losses }, ...annexOf(pieceOf('har')), ...annexOf(pieceOf('wacz')))

  return {
    address: [addressPoint, certificatePoint, condition('dns'), ...compared('final_url'), ...compared('server_address')],
    proxy: [condition('proxy'), isolationPoint, wirePoint, certificatePoint],
    personalised: [
      condition('empty_profile'),
      condition('no_saved_data'),
      condition('visited_first'),
      ...compared('visible_text'),
    ],
    clock: [condition('clock'), sealPoint, ...gapPoints],
    path: [
      condition('visited_first'),
      condition('path'),
      condition('start_time'),
      ...(session === null ? [] : [pathPoint(session)]),
    ],
    retouched: [
      ...(session === null ? [imagePoint] : [shotsPoint(session, pieces), videoPoint(session)]),
      sessionPoint,
      ...compared('image'),
    ],
    altered: [condition('browser'), robotPoint, comparePoint],
    spoofed: [certificatePoint, condition('dns'), wirePoint, ...compared('certificate')],
    operator: [operatorPoint, sessionPoint, sealPoint, secondPoint, preflightPoint],
    backdated: [sealPoint, ...gapPoints, sessionPoint],
    machine: [operatorPoint, condition('machine'), condition('operating_system'), preflightPoint],
    incomplete: [completenessPoint, coveragePoint, ...failedPoints, ...checkedPoints, condition('network_record')],
    ...(session === null ? { steered: [], cut: [], masked: [], unattended: [] } : sessionPoints(session, [sessionPoint])),
  }
}

export function answerObjections(evidence: Evidence): readonly Objection[] {
  const points = pointsOf(evidence)
  const ids = evidence.session === null ? objectionIds : [...objectionIds, ...sessionObjectionIds]
  return ids.map((id) => ({ id, state: stateOf(points[id]), points: points[id] }))
}
