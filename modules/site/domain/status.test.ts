import { expect, test } from 'vitest'
import { statusParts } from '../../../kernel/page-status.ts'
import { stateOf, type StatusFacts } from './status.ts'

const now = new Date('2026-11-20T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const well: StatusFacts = {
  queue: { waiting: 3, oldestSeconds: 119 },
  capture: { alive: 2, ready: 2 },
  authorities: { known: 2, answered: 2, at: ago(60) },
  log: { size: 12, headAt: ago(5), uncovered: 1, enteredAt: ago(1) },
  anchoring: { on: true, waiting: 1, oldestAt: ago(600), confirmedAt: null },
  mail: { failed: 0, oldestSeconds: null },
}

test('a part works while nothing that was measured of it says otherwise', () => {
  expect(statusParts.map((part) => stateOf(part, well, now))).toEqual(statusParts.map(() => 'works'))
})

test.each([
  ['queue', { ...well, queue: { waiting: 1, oldestSeconds: 120 } }, 'impaired'],
  ['queue', { ...well, queue: { waiting: 1, oldestSeconds: 1_800 } }, 'fails'],
  ['capture', { ...well, capture: { alive: 2, ready: 1 } }, 'impaired'],
  ['capture', { ...well, capture: { alive: 2, ready: 0 } }, 'fails'],
  ['authorities', { ...well, authorities: { known: 0, answered: 0, at: null } }, 'unmeasured'],
  ['authorities', { ...well, authorities: { known: 2, answered: 1, at: now } }, 'impaired'],
  ['authorities', { ...well, authorities: { known: 2, answered: 0, at: now } }, 'fails'],
  ['log', { ...well, log: { size: 0, headAt: null, uncovered: 0, enteredAt: null } }, 'unmeasured'],
  ['log', { ...well, log: { size: 12, headAt: ago(60), uncovered: 1, enteredAt: ago(11) } }, 'fails'],
  ['anchoring', { ...well, anchoring: { on: false, waiting: 0, oldestAt: null, confirmedAt: null } }, 'off'],
  ['anchoring', { ...well, anchoring: { on: true, waiting: 0, oldestAt: null, confirmedAt: null } }, 'unmeasured'],
  ['anchoring', { ...well, anchoring: { on: true, waiting: 1, oldestAt: ago(3 * 1440 + 1), confirmedAt: now } }, 'impaired'],
  ['mail', { ...well, mail: { failed: 1, oldestSeconds: 10 } }, 'impaired'],
  ['mail', { ...well, mail: { failed: 1, oldestSeconds: 3_600 } }, 'fails'],
] as const)('%s of %j: %s', (part, facts, state) => {
  expect(stateOf(part, facts, now)).toBe(state)
})

test('where the database cannot be asked the site does not work, and of the rest nothing is known', () => {
  expect(statusParts.map((part) => stateOf(part, null, now))).toEqual(['fails', ...statusParts.slice(1).map(() => 'unmeasured')])
})
