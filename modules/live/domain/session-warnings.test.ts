import { describe, expect, test } from 'vitest'
import { createMessages } from '../../../platform/messages/messages.ts'
import { gradeQuality } from '../../capture/domain/quality/grade-quality.ts'
import type { InteractiveFacts } from '../../capture/domain/outcome/interactive-facts.ts'
import { sessionWarnings, type RefusedCertificate } from './session-warnings.ts'

const video: NonNullable<InteractiveFacts['video']> = {
  path: 'capture/session.mp4',
  media_type: 'video/mp4',
  width: 1280,
  height: 840,
  page_height: 800,
  codec: 'avc1',
  frames: 100,
  duration_ms: 4000,
  chain: '00',
  sound: null,
  gaps: [],
  frames_dropped: 0,
}
const quiet: InteractiveFacts = {
  ended_by: 'visitor',
  began_at: '2026-11-21T10:00:00.000Z',
  duration_ms: 600_000,
  device: { kind: 'desktop' },
  video,
  timeline: { path: 'capture/timeline.jsonl', entries: 12, head: '00' },
  navigations: [],
  screenshots: [],
  key_frames: [],
  downloads: [],
  uploads: [],
  secrets: [],
  absences: [],
  hand_overs: [],
  witnesses: [],
  crashes: [],
}
const nothing = {
  refused: { tabs: 0, popups: 0, files: 0, uploads: 0, addresses: 0 },
  certificates: [] as readonly RefusedCertificate[],
  timelineDropped: 0,
  seen: true,
}
const page = {
  pageHeight: 800,
  capturedHeight: 800,
  stillGrowing: false,
  images: { total: 0, missing: [] },
  innerScroll: { visible: 0, height: 0 },
  complete: true,
  visited: true,
}

describe('C-30: what is said of a session', () => {
  test('a session that its visitor ended, recorded whole, has no warning', () => {
    expect(sessionWarnings(quiet, nothing)).toEqual([])
  })

  test.each<[string, Partial<InteractiveFacts>, Partial<typeof nothing>, Record<string, string | number>, string]>([
    ['session_ended', { ended_by: 'time' }, {}, { why: 'time', minutes: 10 }, 'good'],
    ['session_ended', { ended_by: 'viewer_gone' }, {}, { why: 'viewer_gone' }, 'good'],
    ['session_ended', { ended_by: 'operator' }, {}, { why: 'operator' }, 'good'],
    ['session_ended', { ended_by: 'browser_gone' }, {}, { why: 'browser_gone' }, 'doubtful'],
    ['recording_missing', { video: null }, {}, { seen: 1 }, 'doubtful'],
    ['recording_missing', { video: null }, { seen: false }, { seen: 0 }, 'poor'],
    [
      'recording_gaps',
      { video: { ...video, gaps: [{ from_ms: 1000, to_ms: 2500, reason: 'encoder_ended' }] } },
      {},
      { count: 1, seconds: 2 },
      'doubtful',
    ],
    ['page_crashed', { crashes: [{ ms: 5, what: 'page', recovered: true }] }, {}, { count: 1, unrecovered: 0 }, 'good'],
    ['page_crashed', { crashes: [{ ms: 5, what: 'page', recovered: false }] }, {}, { count: 1, unrecovered: 1 }, 'doubtful'],
    ['sound_lost', { crashes: [{ ms: 5900, what: 'sound', recovered: false }] }, {}, { second: 5 }, 'doubtful'],
    ['timeline_full', {}, { timelineDropped: 7 }, { count: 7, entries: 12 }, 'doubtful'],
    ['visitor_absent', { absences: [{ from_ms: 0, to_ms: 61_000 }] }, {}, { count: 1, seconds: 61 }, 'good'],
    [
      'session_refused',
      {},
      { refused: { tabs: 1, popups: 2, files: 0, uploads: 0, addresses: 1 } },
      { tabs: 1, popups: 2, files: 0, uploads: 0, addresses: 1 },
      'good',
    ],
    [
      'session_refused',
      {},
      { refused: { tabs: 0, popups: 0, files: 0, uploads: 1, addresses: 0 } },
      { tabs: 0, popups: 0, files: 0, uploads: 1, addresses: 0 },
      'good',
    ],
    [
      'session_certificates',
      {},
      { certificates: [{ host: 'a.example', error: 'ERR_CERT_DATE_INVALID', passed: false }] },
      { count: 1, passed: 0, first: 'a.example', error: 'ERR_CERT_DATE_INVALID' },
      'good',
    ],
    [
      'session_certificates',
      {},
      {
        certificates: [
          { host: 'a.example', error: 'ERR_CERT_DATE_INVALID', passed: false },
          { host: 'b.example', error: 'ERR_CERT_AUTHORITY_INVALID', passed: true },
        ],
      },
      { count: 2, passed: 1, first: 'b.example', error: 'ERR_CERT_AUTHORITY_INVALID' },
      'doubtful',
    ],
  ])('%s %o %o', (code, facts, also, data, verdict) => {
    const warnings = sessionWarnings({ ...quiet, ...facts }, { ...nothing, ...also })
    expect(warnings).toEqual([{ code, data: expect.objectContaining(data) as unknown }])
    expect(gradeQuality(warnings, page).verdict).toBe(verdict)
    for (const locale of ['en', 'fr'] as const)
      for (const warning of warnings)
        expect(createMessages(locale).format(`capture.warning.${warning.code}`, warning.data)).not.toMatch(
          /^$|[{}]|undefined|null|NaN/,
        )
  })

  test('C-31: the moment until the first viewer is there is no absence; whoever never came, or went, is', () => {
    const said = (absences: InteractiveFacts['absences'], first?: number) =>
      sessionWarnings({ ...quiet, absences, hand_overs: first === undefined ? [] : [{ ms: first, viewer: 1 }] }, nothing).map(
        ({ code, data }) => [code, data['count'], data['seconds']],
      )
    expect(said([{ from_ms: 0, to_ms: 800 }], 800)).toEqual([])
    expect(said([{ from_ms: 0, to_ms: 60_000 }])).toEqual([['visitor_absent', 1, 60]])
    const went = [
      { from_ms: 0, to_ms: 800 },
      { from_ms: 5_000, to_ms: 9_000 },
    ]
    expect(said(went, 800)).toEqual([['visitor_absent', 1, 4]])
  })

  test('the last page is judged as what it is: a login page is none the worse, an error page is to be checked', () => {
    const login = [{ code: 'login_wall' as const, data: { signal: 'password_field' } }]
    expect(gradeQuality(login, page)).toMatchObject({ verdict: 'good', advice: [] })
    expect(gradeQuality(login, { ...page, visited: false })).toMatchObject({ verdict: 'poor', advice: ['interactive'] })
    const missing = [{ code: 'http_error' as const, data: { status: 404 } }]
    expect(gradeQuality(missing, page)).toMatchObject({ verdict: 'doubtful', advice: [] })
    expect(gradeQuality(missing, { ...page, visited: false })).toMatchObject({ verdict: 'poor', advice: ['check_address'] })
    expect(gradeQuality([], { ...page, pageHeight: 0, capturedHeight: 0 }).coverage.percent).toBe(0)
  })
})
