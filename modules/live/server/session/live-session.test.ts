import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { silentLog } from '../../../../platform/log/log.ts'
import { createLiveSession, type SessionParts } from './live-session.ts'
import type { Timeline } from './timeline/timeline.ts'
import type { Viewer } from './viewers/viewer.ts'
import { testViewer } from '../visit/visitor.fixture.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function session(parts: () => SessionParts) {
  const timeline = { add: () => null, ms: () => 0, at: () => '' } as unknown as Timeline
  const picture = { width: 1280, height: 840, pageHeight: 800 }
  return createLiveSession({
    evidenceId: 'test',
    timeline,
    log: silentLog,
    picture,
    device: { kind: 'desktop' },
    parts,
    onTabs: () => undefined,
  })
}

test('C-31: a session whose picture takes long, or never comes, asks for nothing that is not there yet', () => {
  const parts = vi.fn<() => SessionParts>(() => {
    throw new Error('not made yet')
  })
  const running = session(parts)
  vi.advanceTimersByTime(60_000)
  expect(parts).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
  running.stop()
})

test('K-01: viewers are told that it is recorded only while pictures are', () => {
  let recording = true
  const running = session(
    () =>
      ({
        tabs: { live: () => [] },
        shots: { live: () => [] },
        asks: { waiting: () => [] },
        steering: { release: () => Promise.resolve() },
        picture: { join: () => undefined, leave: () => undefined, acknowledge: () => undefined, recording: () => recording },
        countDown: { remaining: () => 1_000, steered: () => undefined },
      }) as unknown as SessionParts,
  )
  const { viewer, messages } = testViewer('viewer-1')
  running.session.join(viewer)
  const told = () =>
    messages.flatMap((one) => (one.type === 'state' ? [one.recording] : one.type === 'welcome' ? [one.state.recording] : []))
  running.phase('capturing')
  expect(told()).toEqual([true, true])
  recording = false
  // At once, not with the next of those that come by themselves.
  running.tell('picture_interrupted', {})
  expect(told()).toEqual([true, true, false])
  recording = true
  vi.advanceTimersByTime(5_000)
  expect(told()).toEqual([true, true, false, true])
  running.phase('completing')
  expect(told().at(-1)).toBe(false)
  running.stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('S-37: a viewer alone is told what is slow, its line, our machine or its device, and when it no longer is; sound is sent to who listens', () => {
  const heard: unknown[] = []
  const running = session(
    () =>
      ({
        tabs: { live: () => [] },
        shots: { live: () => [] },
        asks: { waiting: () => [] },
        steering: { release: () => Promise.resolve() },
        picture: {
          join: () => undefined,
          leave: () => undefined,
          hear: (viewer: Viewer, on: boolean) => void heard.push([viewer.id, on]),
          recording: () => true,
        },
        countDown: { remaining: () => 1_000, steered: () => undefined },
      }) as unknown as SessionParts,
  )
  const [slow, other] = [testViewer('slow'), testViewer('other', { role: 'witness', witness: { id: 'w', label: 'Léa' } })]
  for (const { viewer } of [slow, other]) running.session.join(viewer)
  for (const side of ['line', 'ours', 'device'] as const)
    for (const level of ['full', 'fewer_frames', 'coarser', 'fewer_frames', 'full'] as const)
      running.levelChanged(slow.viewer, level, side)
  const notices = ({ messages }: typeof slow) => messages.flatMap((one) => (one.type === 'notice' ? [one.code] : []))
  expect([notices(slow), notices(other)]).toEqual([
    ['network_slow', 'picture_recovered', 'server_slow', 'picture_recovered', 'device_slow', 'picture_recovered'],
    [],
  ])
  running.session.receive(other.viewer, { type: 'sound', on: false })
  running.session.receive(slow.viewer, { type: 'sound', on: true })
  expect(heard).toEqual([
    ['other', false],
    ['slow', true],
  ])
  running.stop()
})
