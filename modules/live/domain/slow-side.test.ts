import { array, assert, integer, property, record, tuple } from '../../../testing/fast-check.ts'
import { expect, test } from 'vitest'
import { recentMost, slowSide, type PictureDelay } from './slow-side.ts'

const ms = integer({ min: 0, max: 60_000 })
const delay = record({ took: ms, least: ms, ours: ms, held: ms })

test('S-37: who is slow is who took the most of the delay, and never the visitor where that was not measured', () => {
  expect(slowSide({ took: 900, least: 80, ours: 5, held: 12 })).toBe('line')
  expect(slowSide({ took: 900, least: 1, ours: 700, held: 12 })).toBe('ours')
  expect(slowSide({ took: 900, least: 1, ours: 20, held: 800 })).toBe('device')
  expect(slowSide({ took: 0, least: 0, ours: 0, held: 0 })).toBe('ours')
  assert(
    property(delay, (given: PictureDelay) => {
      const side = slowSide(given)
      const line = given.took - given.least - given.ours - given.held
      if (side === 'line') expect(line).toBeGreaterThan(Math.max(given.ours, given.held))
      if (side === 'device') expect(given.held).toBeGreaterThan(given.ours)
      // What is not there is not to blame.
      if (given.held === 0) expect(side).not.toBe('device')
      if (given.took <= given.least) expect(side).not.toBe('line')
    }),
    { seed: 305, numRuns: 500 },
  )
})

test('more of one part never takes the blame from it', () => {
  assert(
    property(delay, ms, (given, more) => {
      const side = slowSide(given)
      const grown = { line: { took: given.took + more }, ours: { ours: given.ours + more }, device: { held: given.held + more } }[
        side
      ]
      expect(slowSide({ ...given, ...grown })).toBe(side)
    }),
    { seed: 305, numRuns: 500 },
  )
})

test('of what was measured, the largest of the last seconds counts', () => {
  assert(
    property(array(tuple(integer({ min: 0, max: 500 }), integer({ min: 0, max: 900 })), { maxLength: 60 }), (steps) => {
      const recent = recentMost(2_000)
      const all: { at: number; value: number }[] = []
      let now = 0
      for (const [step, value] of steps) {
        now += step
        recent.add(value, now)
        all.push({ at: now, value })
        expect(recent.most(now)).toBe(Math.max(...all.filter(({ at }) => at > now - 2_000).map((one) => one.value)))
      }
      expect(recent.most(now + 2_000)).toBe(0)
    }),
    { seed: 305, numRuns: 200 },
  )
})
