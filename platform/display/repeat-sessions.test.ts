import { expect, test } from 'vitest'
import { repeatSessions } from '../../testing/repeat-sessions.ts'

test('sessions that are killed at random, or one of whose programs is, leave no process, folder or socket', async () => {
  const outcome = await repeatSessions({ count: 12, atATime: 3, seed: 5 })
  expect(outcome.up).toBeGreaterThan(0)
  expect(outcome.pictures).toBeGreaterThan(0)
  expect(outcome.processesSeen).toBeGreaterThan(12 * 5)
  expect(outcome).toMatchObject({ sessions: 12, processes: 0, folders: 0, sockets: 0 })
})
