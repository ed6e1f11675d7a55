import { expect, test } from 'vitest'
import type { Timeline } from './timeline.ts'
import { createViewers } from './viewers.ts'
import { testViewer } from './visitor.fixture.ts'

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
  viewers.leave(one, 13_500)
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
  viewers.leave(one, 3_900)
  expect(lines.at(-1)).toEqual(['viewer', { act: 'leaves', viewer: 1 }])
  clock.ms = 41_000
  expect(viewers.facts().absences.at(-1)).toEqual({ from_ms: 40_000, to_ms: 41_000 })
})
