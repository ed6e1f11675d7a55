import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { startOutsideTsa, type OutsideTsa } from '../../../../testing/tsa.ts'
import type { TrustedLists } from '../../../verification/server/index.ts'
import { createTimestampers } from '../timestamps/create-timestampers.ts'
import { openKeyring } from '../keyring/open-keyring.ts'
import { pemOf } from '../certificates/read-certificate.ts'
import type { Timestamper } from '../timestamps/timestamper.ts'
import { listAuthorities } from './authority-store.ts'
import { checkAuthorities } from './check-authorities.ts'
import { listsNaming, type ServiceStatus, type ServiceType } from './lists-naming.test-data.ts'
import { qualifyToken } from './qualify-token.ts'

const database = withDatabase()
const { signal } = new AbortController()
const day = 86_400_000
let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead) }
let dir: string
let tsa: OutsideTsa
let timestampers: readonly Timestamper[]

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'authorities-'))
  tsa = await startOutsideTsa({ name: 'Listed' })
  const real = { now: () => new Date() }
  const keyring = await openKeyring({ dir, clock: real, log: silentLog })
  timestampers = createTimestampers({ urls: [tsa.url], keyring, clock: real, log: silentLog, restMs: 0 })
})
beforeEach(async () => {
  tsa.behave('honest')
  await database.db.deleteFrom('time_authority').execute()
})
afterAll(async () => {
  await tsa.close()
  await rm(dir, { recursive: true })
})

const listsWith = async (type: ServiceType, status: ServiceStatus = 'granted', issuedAgo = 7 * day) =>
  await listsNaming(tsa.caFile, { type, status, issuedAt: new Date(Date.now() - issuedAgo) })

const check = async (lists: TrustedLists, of = timestampers) => {
  await checkAuthorities(
    { db: database.db, clock, log: silentLog, timestampers: of, lists: () => Promise.resolve(lists) },
    signal,
  )
  return (await listAuthorities(database.db)).map(({ name, state, reason, provider, territory }) => [
    name,
    state,
    reason,
    provider,
    territory,
  ])
}

test('E-55 an authority is qualified when the newest list says so of what made its token, and not otherwise', async () => {
  const { url } = tsa
  expect(await check(await listsWith('QTST'))).toEqual([[url, 'qualified', 'granted', 'Horodatage SA', 'FR']])
  for (const [lists, state, reason] of [
    [await listsWith('QTST', 'withdrawn'), 'not_qualified', 'not_granted'],
    [await listsWith('TSA'), 'not_qualified', 'not_qualified_type'],
    [await listsWith('none'), 'not_qualified', 'not_listed'],
  ] as const) {
    await database.db.deleteFrom('time_authority').execute()
    expect((await check(lists)).map(([, ...rest]) => rest.slice(0, 2))).toEqual([[state, reason]])
  }
})

test('one that gives no token that holds is nothing but silent, and is asked again; one that was judged is left for half a day', async () => {
  tsa.behave('altered_signature')
  expect(await check(await listsWith('QTST'))).toEqual([[tsa.url, 'silent', 'sealing.tsa_signature', null, null]])
  tsa.behave('honest')
  expect((await check(await listsWith('QTST')))[0]?.[1]).toBe('qualified')
  const asked = tsa.requests()
  expect((await check(await listsWith('none')))[0]?.[1]).toBe('qualified')
  expect(tsa.requests()).toBe(asked)
  ahead = day
  expect((await check(await listsWith('none')))[0]?.[1]).toBe('not_qualified')
  ahead = 0
  // It is configured no more.
  expect(
    await check(
      await listsWith('QTST'),
      timestampers.filter(({ embedded }) => embedded),
    ),
  ).toEqual([])
})

test('a token that is kept is qualified when a later list says so; the newest list, if older, says it of the service alone', async () => {
  const [timestamper] = timestampers
  if (timestamper === undefined) throw new Error('no authority')
  const token = await timestamper.timestamp(new Uint8Array(32).fill(7), signal)
  const issuers = Buffer.from(pemOf(token.chain))
  const { response, genTime } = token
  const of = (lists: TrustedLists, bytes = response) => qualifyToken({ response: bytes, issuers, genTime }, lists)
  const later = await listsWith('QTST', 'granted', -day)
  expect(of(later)).toEqual({
    state: 'qualified',
    source: { territory: 'FR', number: 1234, issuedAt: later.lists[0]?.issued_at, provider: 'Horodatage SA' },
  })
  expect(of(await listsWith('QTST'))).toMatchObject({ state: 'listed', source: { territory: 'FR' } })
  expect(of(await listsWith('QTST', 'withdrawn', -day))).toEqual({ state: 'not_qualified', source: null })
  expect(of(await listsWith('none', 'granted', -day))).toEqual({ state: 'not_qualified', source: null })
  expect(of(await listsWith('QTST', 'withdrawn'))).toEqual({ state: 'not_established', source: null })
  expect(of(await listsWith('none'))).toEqual({ state: 'not_established', source: null })
  // Whose signature does not hold is nobody's.
  const altered = Buffer.from(response)
  altered.writeUInt8((altered.at(-1) ?? 0) ^ 1, altered.length - 1)
  expect(of(later, altered)).toEqual({ state: 'not_established', source: null })
  expect(of(later, response.subarray(0, 40))).toEqual({ state: 'not_established', source: null })
  expect(qualifyToken({ response, issuers: Buffer.from('no PEM'), genTime }, later).state).toBe('not_established')
})
