import { expect, test } from 'vitest'
import type { LiveOutput, LiveScreenshot } from '../../contract/live.ts'
import {
  activeTab,
  minutesAndSeconds,
  pageArea,
  reduceLive,
  shownArea,
  unseen,
  type LiveChange,
  type LiveView,
} from './live-view.ts'

const said = (message: LiveOutput, at = 0): LiveChange => ({ type: 'said', message, at })
const all = (changes: readonly LiveChange[], from: LiveView = unseen): LiveView => changes.reduce(reduceLive, from)
const shot = (number: number): LiveScreenshot => ({
  number,
  kind: 'viewport',
  ms: 1,
  url: 'https://example.com/',
  thumbnail: 'data:image/jpeg;base64,',
  automatic: false,
})
const welcome: LiveOutput = {
  type: 'welcome',
  role: 'controller',
  state: { phase: 'capturing', remaining_ms: 600_000, recording: true },
  picture: { width: 1280, height: 840, page_height: 800 },
  mobile: null,
  tabs: [
    {
      id: 'a',
      title: 'A',
      url: 'https://a/',
      active: false,
      loading: false,
      back: false,
      forward: false,
      security: 'secure',
      failure: null,
    },
    {
      id: 'b',
      title: 'B',
      url: 'https://b/',
      active: true,
      loading: true,
      back: true,
      forward: false,
      security: 'plain',
      failure: null,
    },
  ],
  screenshots: [shot(1)],
  limits: { tabs: 8, upload_bytes: 10, download_bytes: 10 },
}

test('K-01: the time is counted on the session’s figure from the moment it was heard, and corrected by each state', () => {
  const begun = all([said(welcome, 5_000)])
  expect(begun.endsAt).toBe(605_000)
  expect(activeTab(begun)?.id).toBe('b')
  const later = all([said({ type: 'state', phase: 'capturing', remaining_ms: 119_500, recording: true }, 490_000)], begun)
  expect(later.endsAt).toBe(609_500)
  expect(all([said({ type: 'state', phase: 'completing', remaining_ms: null, recording: false })], later).endsAt).toBeNull()
})

test('minutes and seconds: 0:00 only when it is over', () => {
  expect([600_000, 599_999, 60_000, 59_001, 59_000, 1, 0, -5].map(minutesAndSeconds)).toEqual([
    '10:00',
    '10:00',
    '1:00',
    '1:00',
    '0:59',
    '0:01',
    '0:00',
    '0:00',
  ])
})

test('a screenshot that was asked for is awaited until it comes or fails, and stands once', () => {
  const asked = all([said(welcome), { type: 'screenshot_asked', id: 4 }, { type: 'screenshot_asked', id: 5 }])
  expect(asked.awaited.map(({ id }) => id)).toEqual([4, 5])
  const advanced = all([said({ type: 'screenshot_progress', id: 4, done: 2, of: 6 })], asked)
  expect(advanced.awaited).toEqual([
    { id: 4, done: 2, of: 6 },
    { id: 5, done: 0, of: 0 },
  ])
  const came = all(
    [said({ type: 'screenshot', id: 4, screenshot: shot(2) }), said({ type: 'screenshot', id: null, screenshot: shot(2) })],
    asked,
  )
  expect(came.screenshots.map(({ number }) => number)).toEqual([1, 2])
  const failed = all([said({ type: 'screenshot_failed', id: 5, reason: 'too_soon' })], came)
  expect(failed.awaited).toEqual([])
  expect(failed.events.at(-1)).toMatchObject({ code: 'screenshot_failed.too_soon', grave: false })
  // A refusal stands until it was read.
  for (const reason of ['limit', 'no_answer', 'no_page', 'page_changed'] as const)
    expect(all([said({ type: 'screenshot_failed', id: 5, reason })], came).events.at(-1)?.grave).toBe(true)
})

test('X-42 what a paste came to is said, and whether it was a secret', () => {
  const asked = all([said(welcome), { type: 'paste_asked', id: 1, secret: true }, { type: 'paste_asked', id: 2, secret: false }])
  const codes = all(
    [
      said({ type: 'pasted', id: 1, result: 'pasted' }),
      said({ type: 'pasted', id: 2, result: 'pasted' }),
      said({ type: 'pasted', id: 3, result: 'no_field' }),
      said({ type: 'pasted', id: 3, result: 'refused' }),
    ],
    asked,
  ).events.map(({ code }) => code)
  expect(codes).toEqual(['secret_pasted', 'pasted', 'paste_no_field', 'paste_refused'])
})

test('X-45 the end that was asked for is told once it comes, and so is what did not reach the session', () => {
  const open = [said(welcome), { type: 'connection', state: 'open' }] as const
  expect(all([...open, { type: 'not_sent' }]).events.at(-1)).toMatchObject({ code: 'not_sent' })
  const over = all([...open, said({ type: 'state', phase: 'completing', remaining_ms: null, recording: false })])
  expect(over.state).toMatchObject({ phase: 'completing', recording: false })
})

test('a lost connection drops what was awaited, keeps what is known, and the next welcome has the last word', () => {
  const lost = all([
    said(welcome),
    { type: 'connection', state: 'open' },
    { type: 'screenshot_asked', id: 4 },
    said({ type: 'ask_credentials', id: 9, origin: 'https://a', realm: 'x' }),
    { type: 'connection', state: 'reconnecting' },
  ])
  expect(lost).toMatchObject({ awaited: [], credentials: null, connection: 'reconnecting' })
  expect(lost.tabs).toHaveLength(2)
  expect(lost.screenshots).toHaveLength(1)
  const back = all(
    [said({ ...welcome, role: 'watcher', screenshots: [shot(1), shot(2)] }), { type: 'connection', state: 'open' }],
    lost,
  )
  expect(back).toMatchObject({ role: 'watcher', connection: 'open' })
  expect(back.screenshots).toHaveLength(2)
})

test('that control changed is told to those who neither took nor lost it', () => {
  const changed = said({ type: 'notice', code: 'controller_changed', data: {} })
  const told = (role: 'controller' | 'watcher' | 'witness', ...before: readonly LiveChange[]) =>
    all([said({ ...welcome, role }), ...before, changed]).events.map(({ code }) => code)
  expect(told('watcher', said({ type: 'role', role: 'controller' }))).toEqual(['became_controller'])
  expect(told('controller', said({ type: 'role', role: 'watcher' }))).toEqual(['became_watcher'])
  expect(told('witness')).toEqual(['controller_changed'])
  expect(told('watcher')).toEqual(['controller_changed'])
})

test('who takes or gives up control hears it once', () => {
  const codes = all([
    said(welcome),
    said({ type: 'role', role: 'watcher' }),
    said({ type: 'role', role: 'watcher' }),
    said({ type: 'role', role: 'controller' }),
  ]).events.map(({ code }) => code)
  expect(codes).toEqual(['became_watcher', 'became_controller'])
})

test('H-49: whoever comes late hears of the little time that is left, once', () => {
  const left = (remaining_ms: number) => said({ ...welcome, state: { phase: 'capturing', remaining_ms, recording: true } })
  const told = (...changes: readonly LiveChange[]) => all(changes).events.map(({ code, grave }) => [code, grave])
  expect(told(left(130_000))).toEqual([])
  expect(told(left(110_000), left(80_000))).toEqual([['under_two_minutes', false]])
  expect(told(left(80_000), left(20_000))).toEqual([
    ['under_two_minutes', false],
    ['under_thirty_seconds', true],
  ])
  expect(told(left(130_000), said({ type: 'notice', code: 'two_minutes', data: {} }), left(90_000))).toEqual([
    ['two_minutes', false],
  ])
})

test('C-33: what a page wants no more is asked no more, and nothing else', () => {
  const asked = all([
    said({ type: 'ask_credentials', id: 4, origin: 'https://x.test', realm: 'r' }),
    said({ type: 'ask_files', id: 5, multiple: false, accept: '' }),
    said({ type: 'ask_ended', id: 4 }),
  ])
  expect([asked.credentials, asked.files?.id]).toEqual([null, 5])
  expect(reduceLive(asked, said({ type: 'ask_ended', id: 5 })).files).toBeNull()
})

test('events are bounded, each with a key of its own, and remain known when they are seen', () => {
  let view = unseen
  for (let i = 0; i < 300; i += 1) view = reduceLive(view, said({ type: 'notice', code: 'popup_blocked', data: { count: i } }))
  expect(view.events.length).toBeLessThanOrEqual(50)
  expect(new Set(view.events.map(({ key }) => key)).size).toBe(view.events.length)
  const last = view.events.at(-1)
  expect(last?.data).toEqual({ count: 299 })
  const after = reduceLive(view, { type: 'seen', key: last?.key ?? 0 }).events
  expect(after.filter(({ seen }) => seen)).toEqual([{ ...last, seen: true }])
})

test('of an emulated phone its screen alone is shown; else the page with the strip, and pointing counts on the page', () => {
  const desktop = all([said(welcome)])
  expect(shownArea(desktop)).toEqual({ width: 1280, height: 840 })
  expect(pageArea(desktop)).toEqual({ width: 1280, height: 800 })
  const phone = all([said({ ...welcome, mobile: { width: 390, height: 844 } })])
  expect(shownArea(phone)).toEqual({ width: 390, height: 800 })
  expect(pageArea(phone)).toEqual({ width: 390, height: 800 })
})
