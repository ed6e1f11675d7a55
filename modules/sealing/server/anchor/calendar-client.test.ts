import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRegtest } from '../../../../testing/bitcoin/start-regtest.ts'
import type { Regtest } from '../../../../testing/bitcoin/start-regtest.ts'
import { startCalendar } from '../../../../testing/calendar/start-calendar.ts'
import type { Calendar, CalendarBehaviour } from '../../../../testing/calendar/start-calendar.ts'
import { attestationsOf } from '../../../verification/domain/opentimestamps/tree.ts'
import { askUpgrade, submitDigest } from './calendar-client.ts'
import type { CalendarRules } from './calendar-client.ts'

let regtest: Regtest
let calendar: Calendar
beforeAll(async () => {
  regtest = await startRegtest()
  calendar = await startCalendar(regtest)
})
afterAll(async () => {
  await calendar.close()
  await regtest.close()
})

const digest = new Uint8Array(createHash('sha256').update('a checkpoint').digest())
const rules = (more: Partial<CalendarRules> = {}): CalendarRules => ({
  calendars: [calendar.url],
  allowAddresses: [calendar.address],
  timeoutMs: 60_000,
  ...more,
})

test('a digest is handed over, stays pending, and is led to the Merkle root of a block', async () => {
  calendar.behave('honest')
  const promised = attestationsOf(await submitDigest(calendar.url, digest, rules()))
  expect(promised.map(({ attestation }) => attestation)).toEqual([{ kind: 'pending', uri: calendar.url }])
  const commitment = promised[0]?.message ?? new Uint8Array()
  expect(await askUpgrade(calendar.url, commitment, rules())).toBeNull()
  await calendar.stamp()
  expect(await askUpgrade(calendar.url, commitment, rules())).toBeNull()
  await regtest.mine()
  const tree = await askUpgrade(calendar.url, commitment, rules())
  const [attested] = tree === null ? [] : attestationsOf(tree)
  expect(attested?.attestation).toEqual({ kind: 'bitcoin', height: regtest.height() })
  const header = await regtest.header(regtest.height())
  expect(Buffer.from(attested?.message ?? []).equals(header.subarray(36, 68))).toBe(true)
})

describe('a calendar that misbehaves is refused by name', () => {
  const cases: readonly (readonly [CalendarBehaviour, string])[] = [
    ['huge', 'sealing.anchor_too_large'],
    ['error_500', 'sealing.anchor_status'],
    ['redirect', 'sealing.anchor_redirect'],
    ['garbage', 'sealing.anchor_malformed'],
    ['truncated', 'sealing.anchor_malformed'],
    ['stranger', 'sealing.anchor_stranger'],
    ['no_promise', 'sealing.anchor_no_promise'],
  ]
  test.each(cases)('%s', async (behaviour, code) => {
    calendar.behave(behaviour)
    await expect(submitDigest(calendar.url, digest, rules())).rejects.toMatchObject({ code })
  })
  test.each(['slow', 'stalling_body'] as const)('%s', async (behaviour) => {
    calendar.behave(behaviour)
    await expect(submitDigest(calendar.url, digest, rules({ timeoutMs: 50 }))).rejects.toMatchObject({
      code: 'sealing.anchor_timeout',
    })
  })
})

test('an address that is private is not called unless it was allowed', async () => {
  const before = calendar.requests()
  await expect(submitDigest(calendar.url, digest, rules({ allowAddresses: [] }))).rejects.toMatchObject({
    code: 'sealing.anchor_private_address',
  })
  await expect(submitDigest('http://localhost:1', digest, rules())).rejects.toMatchObject({
    code: 'sealing.anchor_private_address',
  })
  expect(calendar.requests()).toBe(before)
})

test('an address with credentials, of another scheme or where nobody listens is refused by name', async () => {
  for (const url of ['ftp://example.org', 'http://user:secret@127.0.0.1:1'])
    await expect(submitDigest(url, digest, rules())).rejects.toMatchObject({ code: 'sealing.anchor_address' })
  await expect(submitDigest('http://127.0.0.1:1', digest, rules({ allowAddresses: ['127.0.0.1:1'] }))).rejects.toMatchObject({
    code: 'sealing.anchor_unreachable',
  })
})
