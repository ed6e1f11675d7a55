import { expect, test } from 'vitest'
import { evidenceSession } from '../../contract/session-review.ts'
import { presentSession } from './present-session.ts'
import { emptySession, fullSession, sessionFacts } from '../../../report/server/sample-session.test-data.ts'

test('K-01: what a session measured is given out whole, in the contract’s shape, with links to pieces that there are', () => {
  const facts = sessionFacts(fullSession)
  const shown = presentSession(facts, (path) => `https://x.test/${path}`)
  expect(evidenceSession.parse(shown)).toEqual(shown)
  const { interactive } = facts
  if (shown === null || interactive === null || interactive.video === null) throw new Error('a session without its facts')
  expect(shown.video).toMatchObject({ url: `https://x.test/${interactive.video.path}`, frames: interactive.video.frames })
  expect(shown.navigations).toBe(interactive.navigations.length)
  expect(shown.screenshots.flatMap(({ images }) => images.map(({ path }) => path))).toEqual(
    interactive.screenshots.flatMap(({ paths }) => paths),
  )
  for (const part of ['absences', 'hand_overs', 'crashes'] as const) expect(shown[part]).toEqual(interactive[part])
  expect(shown.witnesses.map(({ label }) => label)).toEqual(interactive.witnesses.map(({ label }) => label))
  expect(JSON.stringify(shown.secrets)).not.toContain('value')
})

test('K-01: what there is no piece of has no link, and facts without a session are none', () => {
  const shown = presentSession(sessionFacts(fullSession), () => null)
  expect(shown?.video?.url).toBeNull()
  expect(shown?.screenshots.flatMap(({ images }) => images)).toEqual([])
  expect(shown?.downloads.map(({ url }) => url).filter((url) => url !== null)).toEqual([])
  expect(presentSession(sessionFacts(emptySession), () => null)?.witnesses).toEqual([])
  expect(presentSession({ ...sessionFacts(emptySession), interactive: null }, () => null)).toBeNull()
})
