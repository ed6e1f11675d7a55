import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { withDatabase } from '../../../../testing/database.ts'
import { makeListSigner, signList, startListServer, writeList } from '../../../../testing/trusted-lists.ts'
import type { ListServer, ListSigner, ListText } from '../../../../testing/trusted-lists.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { enqueue } from '../../../../platform/jobs/jobs.ts'
import { runWorker } from '../../../../platform/jobs/worker.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { trustedListsState } from '../../contract/trusted-lists.ts'
import { readTrustedLists } from '../../domain/known/trusted-lists.ts'
import { verifierRoutes } from '../routes.ts'
import { openCurrentLists } from './current-lists.ts'
import { shippedLists } from './shipped-lists.ts'
import { trustedListCrontab, updateListsHandler, updateListsJob, updateTrustedLists } from './update-trusted-lists.ts'

const database = withDatabase()
let server: ListServer
let commission: ListSigner
let austria: ListSigner
let now = new Date('2026-11-20T00:00:00Z')
const clock = { now: () => now }

beforeAll(async () => {
  server = await startListServer()
  ;[commission, austria] = (await Promise.all(['Commission', 'Austria'].map(async (name) => await makeListSigner(name)))) as [
    ListSigner,
    ListSigner,
  ]
})
afterAll(async () => await server.close())
beforeEach(async () => {
  await database.db.deleteFrom('trusted_list_reading').execute()
  now = new Date('2026-11-20T00:00:00Z')
})

const journal = { journal: 'C/TEST', url: 'https://journal.example/oj', signers: [] as string[] }

function publish(more: { lotl?: Partial<ListText>; national?: Partial<ListText> } = {}): void {
  const lotl: ListText = {
    kind: 'lotl',
    territory: 'EU',
    // Beyond what is shipped, which nothing older replaces.
    number: 1000,
    issued: '2026-11-01T00:00:00Z',
    next: '2027-05-01T00:00:00Z',
    uris: [journal.url],
    pointers: [
      { territory: 'AT', url: `${server.origin}/at.xml`, signers: [austria] },
      { territory: 'BE', url: `${server.origin}/be.xml`, signers: [austria] },
    ],
    ...more.lotl,
  }
  const national: ListText = {
    kind: 'national',
    territory: 'AT',
    number: 900,
    issued: '2026-10-01T00:00:00Z',
    next: '2027-04-01T00:00:00Z',
    ...more.national,
  }
  server.paths.set('/lotl.xml', signList(writeList(lotl), commission))
  server.paths.set('/at.xml', signList(writeList(national), austria))
}

const deps = (more: { lotlUrl?: string | null } = {}) => ({
  db: database.db,
  clock,
  log: silentLog,
  lotlUrl: `${server.origin}/lotl.xml`,
  allowAddresses: [server.address],
  timeoutMs: 30_000,
  maxBytes: 16 << 20,
  journal: { ...journal, signers: [commission.sha256] },
  ...more,
})

const stateOf = async () => {
  const current = await openCurrentLists(database.db)()
  return { source: current.source, number: current.lists.lotl.sequence_number, outcomes: current.outcomes }
}

test('until the sources answered, the shipped lists stand; then what they serve', async () => {
  expect(await stateOf()).toEqual({ source: 'shipped', number: 390, outcomes: [] })
  publish()
  expect(await updateTrustedLists(deps())).toBe(true)
  expect(await stateOf()).toMatchObject({
    source: 'read',
    number: 1000,
    outcomes: [
      { territory: 'EU', state: 'fresh', flaw: null },
      { territory: 'AT', state: 'fresh', flaw: null },
      { territory: 'BE', state: 'missing', flaw: 'http_status' },
    ],
  })
})

test('the sources are asked once a day, and sooner when they failed', async () => {
  publish()
  expect(await updateTrustedLists(deps())).toBe(true)
  now = new Date('2026-11-20T23:59:59Z')
  expect(await updateTrustedLists(deps())).toBe(false)
  now = new Date('2026-11-21T00:00:00Z')
  server.paths.delete('/lotl.xml')
  expect(await updateTrustedLists(deps())).toBe(true)
  // The last good one stands, and the failure is said.
  expect(await stateOf()).toMatchObject({
    source: 'read',
    number: 1000,
    outcomes: [{ territory: 'EU', state: 'kept', flaw: 'http_status' }],
  })
  now = new Date('2026-11-21T05:59:59Z')
  expect(await updateTrustedLists(deps())).toBe(false)
  now = new Date('2026-11-21T06:00:00Z')
  publish({ lotl: { number: 1001 } })
  expect(await updateTrustedLists(deps())).toBe(true)
  expect(await stateOf()).toMatchObject({ number: 1001, outcomes: [{ flaw: null }, { flaw: null }, { flaw: 'http_status' }] })
})

test('neither an older list of lists nor an older list replaces a newer one, the shipped ones included', async () => {
  publish({ lotl: { number: 389 } })
  await updateTrustedLists(deps())
  expect(await stateOf()).toMatchObject({ source: 'shipped', number: 390, outcomes: [{ flaw: 'rollback' }] })
  now = new Date('2026-11-21T00:00:00Z')
  publish()
  await updateTrustedLists(deps())
  now = new Date('2026-11-22T00:00:00Z')
  publish({ lotl: { number: 1002 }, national: { number: 899 } })
  await updateTrustedLists(deps())
  const { lists } = await openCurrentLists(database.db)()
  expect(lists.lotl.sequence_number).toBe(1002)
  expect(lists.lists).toMatchObject([{ territory: 'AT', sequence_number: 900 }])
  expect((await stateOf()).outcomes[1]).toMatchObject({ territory: 'AT', state: 'kept', flaw: 'rollback' })
})

test('the worker does it as a job of its own, at the hour that its crontab says', async () => {
  publish()
  const worker = await runWorker({
    databaseUrl: database.url,
    jobs: [updateListsJob],
    handlers: [updateListsHandler(deps())],
    crontab: trustedListCrontab,
    concurrency: 1,
    log: silentLog,
  })
  try {
    await enqueue(database.db, updateListsJob, {})
    await vi.waitFor(async () => expect(await stateOf()).toMatchObject({ source: 'read', number: 1000 }), { timeout: 120_000 })
  } finally {
    await worker.stop()
  }
})

test('an installation that reads none asks nobody', async () => {
  const asked = server.asked.length
  expect(await updateTrustedLists(deps({ lotlUrl: null }))).toBe(false)
  expect(server.asked).toHaveLength(asked)
  expect(await stateOf()).toMatchObject({ source: 'shipped' })
})

test('what stands is said with its numbers and dates, and served whole with a validator', async () => {
  const app = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    secret: 's'.repeat(32),
    clock,
    routes: verifierRoutes({ clock, trustedLists: openCurrentLists(database.db) }),
    health: {},
  })
  try {
    const said = async () => trustedListsState.parse((await app.inject({ url: '/verifier/trusted_lists/' })).json())
    const shipped = await said()
    expect(shipped).toMatchObject({ source: 'shipped', journal: 'C/2026/1944', age_days: 108, checked_at: null })
    expect(shipped.lists.find(({ territory }) => territory === 'FR')).toMatchObject({
      sequence_number: 174,
      issued_at: '2026-04-16T13:10:48Z',
      state: 'unread',
      expired: true,
    })
    expect(shipped.lists.find(({ territory }) => territory === 'DE')).toMatchObject({
      sequence_number: null,
      state: 'missing',
      flaw: null,
    })

    const compact = await app.inject({ url: '/verifier/trusted_lists/compact/' })
    expect(compact.headers).toMatchObject({ 'content-type': 'application/json', etag: `"${shipped.compact_sha256}"` })
    expect(readTrustedLists(compact.json())).toEqual(shippedLists().lists)
    const again = await app.inject({
      url: '/verifier/trusted_lists/compact/',
      headers: { 'if-none-match': String(compact.headers.etag) },
    })
    expect(again.statusCode).toBe(304)

    publish()
    await updateTrustedLists(deps())
    expect(await said()).toMatchObject({
      source: 'read',
      checked_at: '2026-11-20T00:00:00.000Z',
      lists: [
        { territory: 'EU', sequence_number: 1000, state: 'fresh' },
        { territory: 'AT', sequence_number: 900, state: 'fresh', expired: false },
        { territory: 'BE', sequence_number: null, state: 'missing', flaw: 'http_status' },
      ],
    })
    expect((await app.inject({ url: '/verifier/trusted_lists/compact/' })).headers.etag).not.toBe(compact.headers.etag)
  } finally {
    await app.close()
  }
})
