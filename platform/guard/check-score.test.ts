import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOutsideServices, type OutsideServices, type Verdict } from '../../testing/outside/outside-services.ts'
import { silentLog } from '../log/log.ts'
import { isScoredWell, scoredAction } from './check-score.ts'

let peer: OutsideServices
beforeAll(async () => (peer = await startOutsideServices()))
afterAll(async () => await peer.close())

const now = new Date('2026-03-01T10:00:00.000Z')
const deps = { clock: { now: () => now }, log: silentLog, ownsHost: (host: string) => host === 'probant.example' }
const well: Verdict = {
  success: true,
  score: 0.9,
  action: scoredAction,
  hostname: 'probant.example',
  challenge_ts: '2026-03-01T09:59:30Z',
}

async function judged(verdict: Verdict | null): Promise<boolean> {
  peer.judge(verdict)
  const service = { secret: 'the-secret', least: 0.5, verify: `${peer.origin}/siteverify` }
  return await isScoredWell(deps, service, 'a token')
}

test('T-01 H-41: a token is worth what siteverify says of it, for this action, on this host, now', async () => {
  expect(await judged(well)).toBe(true)
  expect(await judged({ ...well, score: 0.5 })).toBe(true)
  const [asked] = peer.of('/siteverify')
  // Secret and token, and nothing of the visitor.
  expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({ secret: 'the-secret', response: 'a token' })
})

test.each<[string, Verdict | null]>([
  ['a low score', { ...well, score: 0.49 }],
  ['no score', { ...well, score: undefined }],
  ['another action', { ...well, action: 'login' }],
  ['no action', { ...well, action: undefined }],
  ['another host', { ...well, hostname: 'probant.example.evil.example' }],
  ['an old token', { ...well, challenge_ts: '2026-03-01T09:54:59Z' }],
  ['no instant', { ...well, challenge_ts: undefined }],
  ['a refusal', { success: false, 'error-codes': ['timeout-or-duplicate'] }],
  ['an answer of another kind', { success: 'yes' }],
  ['no answer', null],
])('T-01: %s has the visitor work instead', async (_, verdict) => {
  expect(await judged(verdict)).toBe(false)
})

test('T-01: nobody there has the visitor work instead', async () => {
  const gone = await startOutsideServices()
  await gone.close()
  expect(await isScoredWell(deps, { secret: 's', least: 0.5, verify: `${gone.origin}/siteverify` }, 'a token')).toBe(false)
})
