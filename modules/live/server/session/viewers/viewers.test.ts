import { expect, test } from 'vitest'
import type { Timeline } from '../timeline/timeline.ts'
import { createViewers } from './viewers.ts'
import { testViewer } from '../../visit/visitor.fixture.ts'

function played() {
  const clock = { ms: 0 }
  const lines: unknown[] = []
  const timeline = {
    add: (type: string, data: unknown) => void lines.push([type, data]),
    ms: () => clock.ms,
    at: String,
  } as unknown as Timeline
  return { clock, lines, viewers: createViewers({ timeline, controllerChanged: () => undefined }) }
}

test('C-31: somebody whose connection died without a word was there until the last sign of it', () => {
  const { clock, lines, viewers } = played()
  const one = testViewer('one').viewer
  clock.ms = 1_000
  viewers.join(one)
  clock.ms = 40_000
  viewers.leave(one, { silentMs: 13_500 })
  expect(lines.at(-1)).toEqual(['viewer', { act: 'leaves', viewer: 1, last_sign_ms: 26_500 }])
  clock.ms = 50_000
  expect(viewers.facts().absences).toEqual([
    { from_ms: 0, to_ms: 1_000 },
    { from_ms: 26_500, to_ms: 50_000 },
  ])
})

test('C-31: who goes in order was there until then', () => {
  const { clock, lines, viewers } = played()
  const one = testViewer('one').viewer
  viewers.join(one)
  clock.ms = 40_000
  viewers.leave(one, { silentMs: 3_900 })
  expect(lines.at(-1)).toEqual(['viewer', { act: 'leaves', viewer: 1 }])
  clock.ms = 41_000
  expect(viewers.facts().absences.at(-1)).toEqual({ from_ms: 40_000, to_ms: 41_000 })
})

test('C-31: who lost the right to be here is told so in the timeline, and who steered before him steers again', () => {
  const { clock, lines, viewers } = played()
  const [one, two, three] = [testViewer('one'), testViewer('two'), testViewer('three')]
  for (const { viewer } of [one, two, three]) viewers.join(viewer)
  expect(viewers.controller()).toBe(three.viewer)
  viewers.takeControl(one.viewer)
  viewers.takeControl(two.viewer)
  clock.ms = 40_000
  viewers.leave(two.viewer, { shutOut: true })
  expect(lines.slice(-2)).toEqual([
    ['viewer', { act: 'shut_out', viewer: 2 }],
    ['viewer', { act: 'controls', viewer: 1 }],
  ])
  expect([viewers.controller(), viewers.roleOf(three.viewer)]).toEqual([one.viewer, 'watcher'])
  // Of nobody's going but the first viewer's late coming is anything an absence.
  expect(viewers.facts().absences).toEqual([{ from_ms: 0, to_ms: 0 }])
  // Nobody who is here has steered: nobody steers.
  viewers.leave(three.viewer)
  viewers.leave(one.viewer, { shutOut: true })
  expect(viewers.controller()).toBeNull()
})
