import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { z } from 'zod'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { haveServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import type { listCaptureServers } from '../../contract/servers.ts'
import { mayBePinned, type ServerItems } from '../../domain/servers/preflight.ts'
import { haveAccount, haveGroup, setMember } from '../../../../testing/accounts.ts'
import type { Silence, SilenceFound } from '../../domain/servers/silence.ts'
import { captureServerRoutes } from './list-servers.ts'
import { pinManifest, readManifest, readSeenDifference, serverFolder } from './manifest.ts'
import type { ServerMeasurement } from './measure-server.ts'
import { serverIdentity } from './server-identity.ts'
import { startCaptureServer, type CaptureServerDeps } from './start-server.ts'
import { findServerState, listServerStates, pageServers, upsertServer } from './servers-store.ts'
import { watchServers } from './watch-servers.ts'

const database = withDatabase()
/** On a busy machine; what is awaited comes in milliseconds. */
const patience = { timeout: 20_000, interval: 10 }
const data = mkdtempSync(join(tmpdir(), 'probant-servers-'))
afterAll(() => rmSync(data, { recursive: true }))
beforeEach(async () => {
  await sql`truncate capture_server cascade`.execute(database.db)
})

const items: ServerItems = {
  software: 'probant/1.0.0',
  program_sha256: 'a'.repeat(64),
  node: '26.9.0',
  operating_system: 'Debian GNU/Linux 12, 6.1.0',
  machine_sha256: 'b'.repeat(64),
  browser: 'Chromium 156.0.8078.79',
  browser_sha256: 'c'.repeat(64),
  packages: 'bubblewrap 0.8.0, socat 1.7.4',
  image_digest: 'd'.repeat(64),
  dns_servers: '192.0.2.53',
  proxy: 'none',
  public_address: '192.0.2.1',
  isolation: 'namespaces',
}
const measured = (changed: Partial<ServerItems> = {}, clockOffset: number | null = 0.01): ServerMeasurement => ({
  items: { ...items, ...changed },
  clock_offset: clockOffset,
  clock_step: null,
  image: null,
  measured_at: '2026-11-21T10:00:00.000Z',
  clock_measured_at: clockOffset === null ? null : '2026-11-21T09:59:00.000Z',
  public_address_measured_at: '2026-11-21T09:59:00.000Z',
  isolation_measured_at: '2026-11-21T09:59:00.000Z',
  network: { asn: 64496, name: 'EXAMPLE-NET' },
})

const session = { kind: 'static', idle_seconds: 4, page_seconds: 4, heard: [] } as const
const silent: Silence = {
  format: 'probant-silence/1',
  key: 'e'.repeat(64),
  browser: 'Chromium 156.0.8078.79',
  measured_at: '2026-11-21T09:58:00.000Z',
  sessions: [session, { ...session, kind: 'live' }],
}
const talking: Silence = {
  ...silent,
  sessions: [
    { ...session, heard: [{ host: 'www.google.com', port: 443, when: 'page' }] },
    { ...session, kind: 'live' },
  ],
}

/** A process of the server `id`; what it measures is what `machine.now` holds. */
async function start(
  id: string,
  machine: { now: ServerMeasurement; silence?: SilenceFound },
  also: Partial<CaptureServerDeps> = {},
) {
  let becameReady = 0
  const process = await startCaptureServer({
    db: database.db,
    clock: { now: () => new Date('2026-11-21T10:00:00Z') },
    log: silentLog,
    server: { id, name: `Server ${id}`, country: 'FR', city: 'Lyon', kind: 'public' },
    folder: serverFolder(data, id),
    measure: () => Promise.resolve(machine.now),
    measureSilence: () => Promise.resolve(machine.silence ?? silent),
    capacity: 2,
    aliveSeconds: 60,
    pin: 'by-command',
    onReady: () => (becameReady += 1),
    times: { readyMs: 20, setAsideMs: 20, freshMs: 40 },
    ...also,
  })
  onTestFinished(async () => await process.stop())
  return { ...process, becameReady: () => becameReady }
}
const statusOf = async (id: string) => (await findServerState(database.db, id))?.status
const eventsOf = async (id: string) =>
  (await database.db.selectFrom('capture_server_event').select('kind').where('server_id', '=', id).orderBy('id').execute()).map(
    (event) => event.kind,
  )

describe('a capture server', () => {
  test('H-17 H-11 pins its state at its first start, is listed, and stops in order', async () => {
    const server = await start('first', { now: measured() })
    await vi.waitUntil(() => server.isReady(), patience)
    const pinned = await readManifest(serverFolder(data, 'first'), 'first')
    expect(pinned?.manifest).toMatchObject({ pinned_by: 'first_start', replaces: null, items })
    await expect.poll(async () => await statusOf('first'), patience).toBe('ready')
    expect(await findServerState(database.db, 'first')).toMatchObject({
      name: 'Server first',
      country: 'FR',
      capacity: 2,
      running: 0,
      browser: 'Chromium 156.0.8078.79',
      imageDigest: 'd'.repeat(64),
      manifestSha256: pinned?.sha256,
      publicAddress: '192.0.2.1',
      network: { asn: 64496, name: 'EXAMPLE-NET' },
      preflight: { matched: true },
    })
    await server.stop()
    expect(server.isReady()).toBe(false)
    expect(await statusOf('first')).toBe('stopped')
    expect(await eventsOf('first')).toEqual(['registered', 'pinned', 'stopped'])
  })

  test('H-11 is set aside when it differs, takes nothing, and comes back by itself when it matches again', async () => {
    const machine = { now: measured() }
    const server = await start('drifting', machine)
    await vi.waitUntil(() => server.isReady(), patience)
    expect((await server.examine(null))?.pinned.manifest.items).toEqual(items)
    machine.now = measured({ dns_servers: '198.51.100.53' })
    expect(await server.examine(null)).toBeNull()
    expect(server.isReady()).toBe(false)
    expect(await statusOf('drifting')).toBe('set_aside')
    const seen = await readSeenDifference(serverFolder(data, 'drifting'))
    expect(seen?.differences).toEqual([{ item: 'dns_servers', expected: '192.0.2.53', measured: '198.51.100.53' }])
    machine.now = measured()
    await vi.waitUntil(() => server.isReady(), patience)
    await expect.poll(async () => await statusOf('drifting'), patience).toBe('ready')
    expect(server.becameReady()).toBe(2)
    expect(await readSeenDifference(serverFolder(data, 'drifting'))).toBeNull()
    expect(await eventsOf('drifting')).toEqual(['registered', 'pinned', 'set_aside', 'returned'])
  })

  test('H-11 a wrong clock sets it aside; a clock that nobody could compare does not', async () => {
    const machine = { now: measured({}, null) }
    const server = await start('clock', machine)
    await vi.waitUntil(() => server.isReady(), patience)
    machine.now = measured({}, -1.2)
    expect(await server.examine(null)).toBeNull()
    machine.now = measured({}, null)
    await vi.waitUntil(() => server.isReady(), patience)
  })

  test('H-11 an administrator pins the new state: the server takes it up without a restart', async () => {
    const machine = { now: measured() }
    const folder = serverFolder(data, 'upgraded')
    const server = await start('upgraded', machine)
    await vi.waitUntil(() => server.isReady(), patience)
    const before = await readManifest(folder, 'upgraded')
    machine.now = measured({ browser: 'Chromium 157.0.1.2', browser_sha256: 'e'.repeat(64), image_digest: 'f'.repeat(64) })
    expect(await server.examine(null)).toBeNull()
    const seen = await readSeenDifference(folder)
    if (seen === null) throw new Error('nothing was written for the administrator')
    const pin = { serverId: 'upgraded', at: new Date('2026-11-21T11:00:00Z'), by: 'command', items: seen.items } as const
    const after = await pinManifest(folder, pin)
    expect(after.manifest.replaces).toBe(before?.sha256)
    await vi.waitUntil(() => server.isReady(), patience)
    expect((await server.examine(null))?.pinned.sha256).toBe(after.sha256)
    expect(readFileSync(join(folder, `manifest-${String(before?.sha256)}.json`), 'utf8')).toBe(before?.text)
  })

  test('H-11 a restart accepts a changed machine only where the operator allows it, and says so', async () => {
    const changed = { now: measured({ dns_servers: '198.51.100.53' }) }
    const first = await start('moved', { now: measured() })
    await vi.waitUntil(() => first.isReady(), patience)
    await first.stop()
    const strict = await start('moved', changed)
    await expect.poll(async () => await statusOf('moved'), patience).toBe('set_aside')
    await strict.stop()
    const lenient = await start('moved', changed, { pin: 'at-start' })
    await vi.waitUntil(() => lenient.isReady(), patience)
    expect((await readManifest(serverFolder(data, 'moved'), 'moved'))?.manifest.pinned_by).toBe('start')
    const pins = await database.db
      .selectFrom('capture_server_event')
      .select('differences')
      .where('server_id', '=', 'moved')
      .where('kind', '=', 'pinned')
      .orderBy('id')
      .execute()
    expect(pins.map((event) => event.differences)).toContainEqual([
      { item: 'dns_servers', expected: '192.0.2.53', measured: '198.51.100.53' },
    ])
    // Once it runs, what changes is a difference all the same.
    changed.now = measured()
    expect(await lenient.examine(null)).toBeNull()
    // And a wrong clock is accepted by no start.
    await lenient.stop()
    changed.now = measured({}, 90)
    const wrong = await start('moved', changed, { pin: 'at-start' })
    await expect.poll(async () => await statusOf('moved'), patience).toBe('set_aside')
    expect(wrong.isReady()).toBe(false)
  })

  test('H-11 without a browser, or with a manifest that cannot be read, nothing is pinned and nothing captured', async () => {
    const bare = await start('bare', { now: measured({ browser: null, browser_sha256: null }) })
    await expect.poll(async () => await statusOf('bare'), patience).toBe('set_aside')
    expect(await readManifest(serverFolder(data, 'bare'), 'bare')).toBeNull()
    expect(bare.isReady()).toBe(false)
    const broken = await start('broken', { now: measured() })
    await vi.waitUntil(() => broken.isReady(), patience)
    writeFileSync(join(serverFolder(data, 'broken'), 'manifest.json'), '{"format":"probant-capture-server/1"}')
    expect(await broken.examine(null)).toBeNull()
  })

  test('H-11 a browser that speaks by itself, or was not heard out, is set aside with what it said, and nothing is pinned', async () => {
    const machine: Parameters<typeof start>[1] = { now: measured(), silence: talking }
    const server = await start('talking', machine, { pin: 'at-start' })
    await expect.poll(async () => await statusOf('talking'), patience).toBe('set_aside')
    const folder = serverFolder(data, 'talking')
    expect(await readManifest(folder, 'talking')).toBeNull()
    const difference = { item: 'silence', expected: 'no host but that of the page', measured: 'www.google.com:443' }
    expect((await readSeenDifference(folder))?.differences).toEqual([difference])
    expect(mayBePinned([difference])).toBe(false)
    machine.silence = { failed: 'the browser did not start' }
    expect(await server.examine(null)).toBeNull()
    await expect
      .poll(async () => (await readSeenDifference(folder))?.differences[0]?.measured, patience)
      .toBe('not measured: the browser did not start')
    // Another browser came, and is silent: the server is ready, and its captures say what was measured.
    machine.silence = silent
    await vi.waitUntil(() => server.isReady(), patience)
    expect((await readManifest(folder, 'talking'))?.manifest.pinned_by).toBe('first_start')
    expect((await server.examine(null))?.silence).toEqual(silent)
    // One that is exchanged under a server that runs is listened to again.
    machine.now = measured({ browser_sha256: '1'.repeat(64) })
    machine.silence = talking
    expect(await server.examine(null)).toBeNull()
    expect((await readSeenDifference(folder))?.differences.map(({ item }) => item)).toEqual(['browser_sha256', 'silence'])
  })

  test('H-11 a server that stops does not wait until its browser was heard out', async () => {
    const listening = Promise.withResolvers<AbortSignal>()
    const server = await start(
      'stopping',
      { now: measured() },
      {
        measureSilence: async (_items, signal) =>
          await new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error))
            listening.resolve(signal)
          }),
      },
    )
    await listening.promise
    await server.stop()
    expect(await statusOf('stopping')).toBe('stopped')
  })

  test('H-11 the browser that was started is looked at, too', async () => {
    const server = await start('browsers', { now: measured() })
    await vi.waitUntil(() => server.isReady(), patience)
    const preflight = await server.examine(null)
    if (preflight === null) throw new Error('it matched a moment ago')
    const evidenceId = '019aa000-0000-7000-8000-000000000001'
    await sql`insert into evidence (id, token_hash, action, requested_url, locale, status, status_changed_at, created_at)
      values (${evidenceId}, sha256('a'), 'static', 'https://example.org/', 'en', 'queued', now(), now())`.execute(database.db)
    const browser = { product: 'Chromium 156.0.8078.79', profileEntries: 0, isolation: 'namespaces' } as const
    expect(await server.admitBrowser(preflight, browser, evidenceId)).toBe(true)
    expect(await server.admitBrowser(preflight, { ...browser, profileEntries: 3 }, evidenceId)).toBe(false)
    const event = await database.db
      .selectFrom('capture_server_event')
      .selectAll()
      .where('evidence_id', '=', evidenceId)
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({ kind: 'set_aside', differences: [{ item: 'profile', measured: '3 entries' }] })
  })

  test('H-17 is lost when its process falls silent, and ready again when another speaks up', async () => {
    await haveServer(database.db, 'silent', { aliveSeconds: -1 })
    expect(await statusOf('silent')).toBe('lost')
    await haveServer(database.db, 'gone', { status: 'stopped', aliveSeconds: -1 })
    expect(await statusOf('gone')).toBe('stopped')
    const changes: string[] = []
    const watch = await watchServers({ db: database.db, log: silentLog }, () => changes.push('changed'), 10)
    onTestFinished(async () => await watch.stop())
    const heir = await start('silent', { now: measured() })
    await vi.waitUntil(() => heir.isReady(), patience)
    await expect.poll(async () => await statusOf('silent'), patience).toBe('ready')
    await vi.waitUntil(() => changes.length > 0, patience)
  })
})

test('H-17 a server of a group does not become everybody’s by its settings', async () => {
  await haveServer(database.db, 'kept', { kind: 'dedicated', group: await haveGroup(database.db) })
  const server = { id: 'kept', name: 'Kept', country: null, city: null, kind: 'public' } as const
  await expect(upsertServer(database.db, server)).rejects.toThrow('probant server unassign kept')
  expect(await findServerState(database.db, 'kept')).toMatchObject({ kind: 'dedicated' })
  await sql`update capture_server set owner_group = null where id = 'kept'`.execute(database.db)
  expect(await upsertServer(database.db, server)).toBe(false)
  expect(await findServerState(database.db, 'kept')).toMatchObject({ kind: 'public' })
})

test('H-17 the id of a machine is made once, whoever asks first', async () => {
  const config = loadConfig({ PROBANT_DATA: join(data, 'fresh') })
  const ids = await Promise.all(Array.from({ length: 5 }, async () => (await serverIdentity(config)).id))
  expect(new Set(ids).size).toBe(1)
  expect(ids[0]).toMatch(/^server-[0-9a-f]{8}$/)
  const named = loadConfig({ PROBANT_DATA: join(data, 'fresh'), PROBANT_SERVER_ID: 'paris-1', PROBANT_SERVER_KIND: 'dedicated' })
  expect(await serverIdentity(named)).toEqual({ id: 'paris-1', name: 'paris-1', country: null, city: null, kind: 'dedicated' })
})

test('C-59 E-60 H-17 GET /servers/ lists the public ones, without a token, and nothing secret; members see their group’s', async () => {
  await haveServer(database.db, 'alpha', { capacity: 3 })
  await haveServer(database.db, 'beta', { status: 'set_aside' })
  const differs = [
    { item: 'dns_servers', expected: '10.9.8.7', measured: '10.9.8.6' },
    { item: 'silence', expected: 'no host but that of the page', measured: 'www.google.com:443, a.example:443' },
  ]
  await sql`update capture_process set differences = ${JSON.stringify(differs)} where server_id = 'beta'`.execute(database.db)
  await haveServer(database.db, 'gamma', { aliveSeconds: -1 })
  await haveServer(database.db, 'nobodys', { kind: 'dedicated' })
  const group = await haveGroup(database.db)
  await haveServer(database.db, 'theirs', { kind: 'dedicated', group })
  const routes = captureServerRoutes({ db: database.db })
  const server = await createHttpServer({ config: loadConfig({}), log: silentLog, secret: 's'.repeat(32), routes, health: {} })
  onTestFinished(async () => await server.close())
  await server.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${String((server.server.address() as AddressInfo).port)}`
  type Body = z.infer<typeof listCaptureServers.response>
  const get = async (query: string) => (await (await fetch(`${origin}/servers/${query}`)).json()) as Body
  const all = await get('')
  expect(all).toMatchObject({ count: 3, next: null, previous: null })
  expect(all.results.map(({ id, status, kind, load }) => [id, status, kind, load])).toEqual([
    ['alpha', 'ready', 'public', { running: 0, capacity: 3 }],
    ['beta', 'set_aside', 'public', { running: 0, capacity: 0 }],
    ['gamma', 'lost', 'public', { running: 0, capacity: 0 }],
  ])
  expect(JSON.stringify(all)).not.toMatch(/owner|process|hostname|10\.9\.8/)
  expect(all.results.map(({ reason }) => reason)).toEqual([
    null,
    { differs: ['dns_servers', 'silence'], heard: ['www.google.com:443', 'a.example:443'] },
    null,
  ])
  expect((await get('?page_size=2&page=2')).results.map(({ id }) => id)).toEqual(['gamma'])
  expect((await get('?status=ready')).results.map(({ id }) => id)).toEqual(['alpha'])
  expect((await get('?kind=dedicated')).count).toBe(0)
  expect((await get('?country=DE')).count).toBe(0)
  expect((await get('?search=SERVER%20BE')).results.map(({ id }) => id)).toEqual(['beta'])
  expect((await get('?search=%25')).count).toBe(0)
  expect((await get('?ordering=-name')).results[0]?.id).toBe('gamma')
  expect((await get('?ordering=load')).results[0]?.id).toBe('alpha')
  expect((await fetch(`${origin}/servers/?ordering=owner_group`)).status).toBe(400)
  expect(await listServerStates(database.db)).toHaveLength(5)
  // Its group's are its members' too, and nobody else's.
  const [member, stranger] = [await haveAccount(database.db), await haveAccount(database.db)]
  await setMember(database.db, member, group, 'member')
  const query = { kind: null, status: null, country: null, search: null, limit: 10, offset: 0 } as const
  const listed = async (accountId: string | null) =>
    (await pageServers(database.db, { ...query, ordering: { by: 'name', direction: 'asc' } }, { accountId })).rows.map(
      ({ id }) => id,
    )
  expect(await listed(member)).toEqual(['alpha', 'beta', 'gamma', 'theirs'])
  expect(await listed(stranger)).toEqual(['alpha', 'beta', 'gamma'])
  expect(await listed(null)).toEqual(['alpha', 'beta', 'gamma'])
})
