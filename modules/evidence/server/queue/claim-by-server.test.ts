import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { listen } from '../../../../platform/db/listen.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { haveServer, type TestServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { CaptureFailure, serverFolder, startCaptureServer, type CaptureServerProcess } from '../../../capture/server/index.ts'
import type { ServerItems } from '../../../capture/domain/servers/preflight.ts'
import { haveAccount, haveGroup } from '../../../../testing/accounts.ts'
import { startCaptureLoop, type CaptureLoop } from '../capture/capture-loop.ts'
import type { Capture } from '../capture/capture-loop-deps.ts'
import { evidenceChannel } from '../record/evidence-changes.ts'
import { listFiles } from '../files/file-store.ts'
import {
  claimNext,
  failUnserved,
  failWithdrawn,
  findWaiting,
  recordProgress,
  releaseExpiredLeases,
  renewLease,
  requeueCapture,
} from './lease-store.ts'
import { presentPhase } from '../present/present-evidence.ts'
import { sampleFacts } from '../sample-facts.test-data.ts'
import { queuePosition } from './queue-store.ts'
import { insertVantage } from '../vantage/vantage-store.ts'
import { findEvidence, insertEvidence, type EvidenceRecord } from '../record/store.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-claims-'))
afterAll(() => rmSync(folder, { recursive: true }))
const patience = { timeout: 20_000, interval: 10 }

beforeEach(async () => {
  await sql`truncate evidence, capture_server cascade`.execute(database.db)
})

let instants = Date.now()
async function queue(
  askedServer: string | null = null,
  { country = null, group = null }: { country?: string | null; group?: string | null } = {},
): Promise<EvidenceRecord> {
  const owner = group === null ? null : await haveAccount(database.db)
  return await insertEvidence(database.db, {
    id: randomUUIDv7(),
    tokenHash: randomBytes(32),
    action: 'static',
    requestedUrl: 'https://example.org/',
    locale: 'en',
    // No two at the same instant: the order is what is tested.
    now: new Date((instants += 1)),
    askedServer,
    askerCountry: country,
    ownership: owner === null ? null : { ownerId: owner, createdBy: owner, groupId: group },
  })
}
const claim = async (server: TestServer) => (await claimNext(database.db, server, 30))?.id ?? null
/** As if it had begun to wait that long ago. */
async function waits(seconds: number): Promise<void> {
  await sql`update evidence set queued_at = clock_timestamp() - make_interval(secs => ${seconds})`.execute(database.db)
}
const find = async (id: string): Promise<EvidenceRecord> => {
  const record = await findEvidence(database.db, id)
  if (record === null) throw new Error('the evidence is gone')
  return record
}
const phaseOf = async (id: string) => await presentPhase({ db: database.db }, await find(id))
const blobs = createFolderBlobStore(join(folder, 'blobs'))

describe('the claim', () => {
  test('H-17 honours the choice: that server and no other, however long it takes', async () => {
    const [paris, berlin] = [await haveServer(database.db, 'paris'), await haveServer(database.db, 'berlin')]
    const asked = await queue('paris')
    await waits(3600)
    expect(await claim(berlin)).toBeNull()
    expect(await claim(paris)).toBe(asked.id)
    const claimed = await database.db.selectFrom('evidence').select('server_id').executeTakeFirstOrThrow()
    expect(claimed.server_id).toBe('paris')
  })

  test('H-17 a dedicated server takes what asks for it and nothing else', async () => {
    const group = await haveGroup(database.db)
    const ours = await haveServer(database.db, 'ours', { kind: 'dedicated', group })
    const anybody = await queue()
    await waits(3600)
    expect(await claim(ours)).toBeNull()
    const wanted = await queue('ours', { group })
    expect(await claim(ours)).toBe(wanted.id)
    expect(await claim(await haveServer(database.db, 'public'))).toBe(anybody.id)
  })

  test('a glance sees whatever a claim would find, of each kind', async () => {
    const nothing = { static: false, interactive: false, second: false }
    const group = await haveGroup(database.db)
    const [paris, berlin] = [await haveServer(database.db, 'paris'), await haveServer(database.db, 'berlin')]
    const ours = await haveServer(database.db, 'ours', { kind: 'dedicated', group })
    const glances = async () =>
      await Promise.all([paris, berlin, ours].map(async (server) => await findWaiting(database.db, server)))
    expect(await glances()).toEqual([nothing, nothing, nothing])
    const named = await queue('paris')
    expect(await glances()).toEqual([{ ...nothing, static: true }, nothing, nothing])
    await database.db.transaction().execute(async (tx) => await insertVantage(tx, named.id, null))
    expect(await claim(paris)).toBe(named.id)
    expect(await glances()).toEqual([paris, berlin, ours].map(() => ({ ...nothing, second: true })))
    await sql`truncate evidence_vantage`.execute(database.db)
    await queue()
    expect(await glances()).toEqual([{ ...nothing, static: true }, { ...nothing, static: true }, nothing])
    await sql`update evidence set action = 'interactive' where status = 'queued'`.execute(database.db)
    await queue('ours', { group })
    expect(await glances()).toEqual([
      { ...nothing, interactive: true },
      { ...nothing, interactive: true },
      { ...nothing, static: true },
    ])
  })

  test('H-17 what may not have a dedicated server is not taken by it, and ends by name; what is under way goes on', async () => {
    const [group, others] = [await haveGroup(database.db), await haveGroup(database.db)]
    const ours = await haveServer(database.db, 'ours', { kind: 'dedicated', group, capacity: 9 })
    const [begun, waiting, theirs] = [
      await queue('ours', { group }),
      await queue('ours', { group }),
      await queue('ours', { group: others }),
    ]
    const elsewhere = await queue()
    expect(await claim(ours)).toBe(begun.id)
    await haveServer(database.db, 'ours', { kind: 'dedicated', group: others, capacity: 9 })
    // Taken from one group and given to another: only the other's is taken.
    expect(await claim(ours)).toBe(theirs.id)
    expect(await claim(ours)).toBeNull()
    expect(await failWithdrawn(database.db, 'another')).toEqual([])
    expect(await failWithdrawn(database.db)).toEqual([waiting.id])
    expect(await find(waiting.id)).toMatchObject({
      status: 'failed',
      failure: { code: 'server_withdrawn', data: { server: 'ours' } },
    })
    const { expiresAt } = await find(waiting.id)
    expect(expiresAt?.getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    for (const { id } of [begun, theirs]) expect((await find(id)).status).toBe('preparing')
    expect((await find(elsewhere.id)).status).toBe('queued')
    // Given back after it was taken away, it is nobody's to take.
    const held = await find(begun.id)
    expect(await requeueCapture(database.db, begun.id, held.fence, false)).toBe(true)
    expect(await claim(ours)).toBeNull()
    expect(await failWithdrawn(database.db, 'ours')).toEqual([begun.id])
    // Nobody's: not even that of an asker without group.
    const nobodys = await haveServer(database.db, 'nobodys', { kind: 'dedicated' })
    const stranger = await queue('nobodys')
    expect(await claim(nobodys)).toBeNull()
    expect(await failWithdrawn(database.db)).toEqual([stranger.id])
  })

  describe('H-17 automatic prefers the country of the asker’s account', () => {
    const servers = async () => ({
      paris: await haveServer(database.db, 'paris', { capacity: 4, country: 'FR' }),
      lyon: await haveServer(database.db, 'lyon', { capacity: 4, country: 'FR' }),
      berlin: await haveServer(database.db, 'berlin', { capacity: 4, country: 'DE' }),
    })
    /** However slow this machine is: they have only just begun to wait. */
    const hasJustBegun = async () => await waits(-3600)

    test('as long as a server of it is free, however much less busy another is; there, the less busy', async () => {
      const { paris, lyon, berlin } = await servers()
      for (let i = 0; i < 3; i += 1) {
        await queue('paris')
        expect(await claim(paris)).not.toBeNull()
      }
      await queue('lyon')
      expect(await claim(lyon)).not.toBeNull()
      const { id } = await queue(null, { country: 'FR' })
      await hasJustBegun()
      expect(await claim(berlin)).toBeNull()
      expect(await claim(paris)).toBeNull()
      expect(await claim(lyon)).toBe(id)
    })

    test('of no wish, or of a country where no server stands, the least busy of all takes it', async () => {
      const { paris, lyon, berlin } = await servers()
      for (const server of [paris, lyon]) {
        await queue(server.server.id)
        expect(await claim(server)).not.toBeNull()
      }
      for (const country of [null, 'BE']) {
        const { id } = await queue(null, { country })
        await hasJustBegun()
        expect(await claim(paris)).toBeNull()
        expect(await claim(berlin)).toBe(id)
        await sql`delete from evidence where id = ${id}::uuid`.execute(database.db)
      }
    })

    test('it never waits for one: full, set aside, lost or stopped there, it is taken elsewhere at once', async () => {
      const berlin = await haveServer(database.db, 'berlin', { capacity: 4, country: 'DE' })
      await haveServer(database.db, 'unstated', { kind: 'public', country: null, capacity: 4 })
      for (const state of [
        { capacity: 1 },
        { status: 'set_aside' },
        { status: 'starting' },
        { status: 'stopped', aliveSeconds: -1 },
        { aliveSeconds: -1 },
        { kind: 'dedicated' },
      ] as const) {
        const paris = await haveServer(database.db, 'paris', { country: 'FR', capacity: 4, ...state })
        if ('capacity' in state) {
          await queue('paris')
          expect(await claim(paris)).not.toBeNull()
        }
        const { id } = await queue(null, { country: 'FR' })
        await hasJustBegun()
        expect([state, await claim(berlin)]).toEqual([state, id])
        await sql`delete from evidence`.execute(database.db)
      }
    })

    test('one that is free and does not react costs two seconds; and what is not of its country goes past meanwhile', async () => {
      const { berlin } = await servers()
      const french = await queue(null, { country: 'FR' })
      const german = await queue(null, { country: 'DE' })
      await hasJustBegun()
      expect(await claim(berlin)).toBe(german.id)
      expect(await claim(berlin)).toBeNull()
      await sql`update evidence set queued_at = clock_timestamp() - interval '3 seconds' where id = ${french.id}::uuid`.execute(
        database.db,
      )
      expect(await claim(berlin)).toBe(french.id)
    })

    test('live sessions have their own room', async () => {
      const { paris, berlin } = await servers()
      await sql`update capture_process set interactive_capacity = 1 where server_id in ('paris', 'berlin')`.execute(database.db)
      const ask = async () =>
        await insertEvidence(database.db, {
          id: randomUUIDv7(),
          tokenHash: randomBytes(32),
          action: 'interactive',
          requestedUrl: 'https://example.org/',
          locale: 'fr',
          now: new Date((instants += 1)),
          askerCountry: 'FR',
        })
      const session = async (server: TestServer) => (await claimNext(database.db, server, 30, 'interactive'))?.id ?? null
      const first = await ask()
      await hasJustBegun()
      expect(await session(berlin)).toBeNull()
      expect(await session(paris)).toBe(first.id)
      const second = await ask()
      await hasJustBegun()
      expect(await session(berlin)).toBe(second.id)
    })
  })

  test('the oldest of both kinds comes first', async () => {
    const paris = await haveServer(database.db, 'paris', { capacity: 9 })
    const ids = [await queue(), await queue('paris'), await queue(), await queue('paris')].map(({ id }) => id)
    for (const id of ids) expect(await claim(paris)).toBe(id)
    expect(await claim(paris)).toBeNull()
  })

  test('H-17 automatic is the least loaded; after a moment whoever is free', async () => {
    const busy = await haveServer(database.db, 'busy', { capacity: 4 })
    const idle = await haveServer(database.db, 'idle', { capacity: 2 })
    await queue('busy')
    expect(await claim(busy)).not.toBeNull()
    const [first, second] = [await queue(), await queue()]
    // However slow this machine is: they have only just begun to wait.
    await waits(-3600)
    expect(await claim(busy)).toBeNull()
    expect(await claim(idle)).toBe(first.id)
    // Now a quarter is less than a half.
    expect(await claim(idle)).toBeNull()
    expect(await claim(busy)).toBe(second.id)
    const third = await queue()
    await haveServer(database.db, 'idle', { status: 'set_aside' })
    expect(await claim(busy)).toBe(third.id)
    const fourth = await queue()
    await haveServer(database.db, 'idle', { capacity: 8 })
    await waits(-3600)
    expect(await claim(busy)).toBeNull()
    await sql`update evidence set queued_at = clock_timestamp() - interval '3 seconds' where id = ${fourth.id}::uuid`.execute(
      database.db,
    )
    expect(await claim(busy)).toBe(fourth.id)
  })

  test('the place in the queue counts what could be taken before', async () => {
    await haveServer(database.db, 'paris')
    await haveServer(database.db, 'berlin')
    await queue('berlin')
    await queue()
    expect(await queuePosition(database.db, await queue('paris'))).toBe(2)
    // Of the two that name a server, one is taken between the two that name none.
    expect(await queuePosition(database.db, await queue())).toBe(3)
  })
})

describe('a try', () => {
  test('counts when the browser died, not when the server stopped in order or was set aside', async () => {
    const paris = await haveServer(database.db, 'paris')
    const { id } = await queue()
    for (const [counts, attempts] of [
      [false, 0],
      [true, 1],
      [false, 1],
    ] as const) {
      const claimed = await claimNext(database.db, paris, 30)
      expect(await requeueCapture(database.db, id, claimed?.fence ?? 0, counts)).toBe(true)
      expect((await find(id)).attempts).toBe(attempts)
    }
  })

  test('S-32 S-33 a claimed evidence is pending until its server has been checked; given back, it waits again', async () => {
    const paris = await haveServer(database.db, 'paris')
    const { id } = await queue()
    expect(await phaseOf(id)).toMatchObject({ name: 'waiting_environment', reason: 'queue', queue_position: 1 })
    const claimed = await claimNext(database.db, paris, 30)
    expect(await phaseOf(id)).toMatchObject({ name: 'pending', reason: null, queue_position: null, step: 'preflight' })
    await recordProgress(database.db, id, claimed?.fence ?? 0, { phase: 'preparing', step: 'browser' })
    expect(await phaseOf(id)).toMatchObject({ name: 'preparing', step: 'browser' })
    await requeueCapture(database.db, id, claimed?.fence ?? 0, false)
    expect(await phaseOf(id)).toMatchObject({ name: 'waiting_environment', step: null })
  })

  test('a renewed lease is no news: neither the version grows nor is anybody told', async () => {
    const paris = await haveServer(database.db, 'paris')
    const { id } = await queue()
    const claimed = await claimNext(database.db, paris, 30)
    const heard: string[] = []
    const listener = await listen(database.url, evidenceChannel, (payload) => heard.push(payload))
    onTestFinished(async () => await listener.close())
    const before = (await find(id)).version
    const lease = async () =>
      (await database.db.selectFrom('evidence').select('lease_until').executeTakeFirstOrThrow()).lease_until
    const until = await lease()
    expect(await renewLease(database.db, id, claimed?.fence ?? 0, 60)).toBe(true)
    expect(Number(await lease())).toBeGreaterThan(Number(until))
    expect((await find(id)).version).toBe(before)
    // Notifications come in order: what follows shows that nothing came before.
    await recordProgress(database.db, id, claimed?.fence ?? 0, { phase: 'capturing', step: 'load' })
    await vi.waitUntil(() => heard.length > 0, patience)
    expect((await find(id)).version).toBe(before + 1)
    await sql`select pg_notify('evidence', 'end')`.execute(database.db)
    await vi.waitUntil(() => heard.includes('end'), patience)
    expect(heard).toEqual([id, 'end'])
  })
})

describe('a wait that nobody serves', () => {
  test.each([
    ['S-32 starting', { status: 'starting' }, 'starting'],
    ['S-32 mismatch', { status: 'set_aside' }, 'mismatch'],
    ['S-32 lost', { aliveSeconds: -1 }, 'lost'],
  ] as const)('%s: the reason is said', async (_name, state, reason) => {
    await haveServer(database.db, 'paris', state)
    const { id } = await queue('paris')
    await haveServer(database.db, 'berlin')
    expect((await phaseOf(id)).reason).toBe(reason)
  })

  test('H-17 ends after a bounded time, with a code of its own, for exactly those that wait for it', async () => {
    await haveServer(database.db, 'paris', { aliveSeconds: -100 })
    await haveServer(database.db, 'berlin', { status: 'set_aside', aliveSeconds: -100 })
    await haveServer(database.db, 'madrid')
    const [lost, differing, served, automatic] = [
      await queue('paris'),
      await queue('berlin'),
      await queue('madrid'),
      await queue(),
    ]
    await waits(200)
    expect(await failUnserved(database.db, 300)).toEqual([])
    // Not ready for 100 seconds: its wait counts from then.
    await waits(1000)
    expect(await failUnserved(database.db, 300)).toEqual([])
    expect((await failUnserved(database.db, 60)).toSorted()).toEqual([lost.id, differing.id].toSorted())
    expect(await find(lost.id)).toMatchObject({ status: 'failed', failure: { code: 'no_server', data: { server: 'paris' } } })
    for (const { id } of [served, automatic]) expect((await find(id)).status).toBe('queued')
    await haveServer(database.db, 'madrid', { aliveSeconds: -100 })
    expect((await failUnserved(database.db, 60)).toSorted()).toEqual([served.id, automatic.id].toSorted())
  })
})

/** Two capture processes as two servers, with everything real but the pages and what is measured. */
describe('two servers at work', () => {
  const items: ServerItems = {
    software: 'probant/1.0.0',
    program_sha256: 'a'.repeat(64),
    node: '26.9.0',
    operating_system: 'Debian GNU/Linux 12, 6.1.0',
    machine_sha256: null,
    browser: 'Chromium 156.0.8078.79',
    browser_sha256: 'c'.repeat(64),
    packages: null,
    image_digest: 'd'.repeat(64),
    dns_servers: '192.0.2.53',
    proxy: 'none',
    public_address: null,
    isolation: 'namespaces',
  }
  type Machine = { dns: string; profileEntries: number }
  type Worker = { server: CaptureServerProcess; loop: CaptureLoop; captured: string[]; machine: Machine }

  async function work(id: string, capture?: Capture, leaseSeconds = 30): Promise<Worker> {
    const captured: string[] = []
    const machine: Machine = { dns: '192.0.2.53', profileEntries: 0 }
    const common = { db: database.db, clock: { now: () => new Date() }, log: silentLog }
    let loop: CaptureLoop | undefined
    const server = await startCaptureServer({
      ...common,
      server: { id, name: `Server ${id}`, country: null, city: null, kind: 'public' },
      folder: serverFolder(folder, `${id}-${randomBytes(4).toString('hex')}`),
      measure: () =>
        Promise.resolve({
          items: { ...items, dns_servers: machine.dns },
          clock_offset: null,
          clock_step: null,
          image: null,
          measured_at: new Date().toISOString(),
          clock_measured_at: null,
          public_address_measured_at: null,
          isolation_measured_at: new Date().toISOString(),
          network: null,
        }),
      measureSilence: () => Promise.resolve(null),
      capacity: 1,
      aliveSeconds: leaseSeconds,
      pin: 'by-command',
      onReady: () => loop?.wake(),
      // It looks at itself only when a capture begins: what is tested here is that preflight.
      times: { readyMs: 3_600_000, setAsideMs: 20, freshMs: 3_600_000 },
    })
    const honest: Capture = async ({ workDir, signal, evidenceId, ...request }) => {
      await request.onBrowser({
        product: 'Chromium 156.0.8078.79',
        profileEntries: machine.profileEntries,
        isolation: 'namespaces',
      })
      if (signal.aborted) throw new CaptureFailure('cancelled')
      captured.push(evidenceId)
      const file = join(workDir, 'dom.html')
      writeFileSync(file, '<p>')
      return { files: [{ path: 'capture/dom.html', role: 'dom', media_type: 'text/html', file }], facts: sampleFacts }
    }
    loop = await startCaptureLoop({
      ...common,
      blobs,
      databaseUrl: database.url,
      capture: capture ?? honest,
      server,
      concurrency: 1,
      workFolder: join(folder, id),
      leaseSeconds,
    })
    const [started, stop] = [loop, { done: false }]
    onTestFinished(async () => {
      if (stop.done) return
      await started.stop(0)
      await server.stop()
    })
    await vi.waitUntil(() => server.isReady(), patience)
    return {
      server,
      captured,
      machine,
      loop: {
        wake: () => started.wake(),
        stop: async (graceMs) => {
          stop.done = true
          await started.stop(graceMs)
          await server.stop()
        },
      },
    }
  }
  const statusIs = (id: string, status: string) => vi.waitUntil(async () => (await find(id)).status === status, patience)

  test('H-11 a server that differs gives its capture back untouched, and the other makes it, and says so', async () => {
    const paris = await work('paris')
    paris.machine.dns = '198.51.100.66'
    // Nobody else is there yet: whoever waits is told why.
    const { id } = await queue()
    await vi.waitUntil(() => !paris.server.isReady(), patience)
    await statusIs(id, 'queued')
    expect(await phaseOf(id)).toMatchObject({ name: 'waiting_environment', reason: 'mismatch', queue_position: 1 })
    expect(await find(id)).toMatchObject({ attempts: 0 })
    const berlin = await work('berlin')
    await statusIs(id, 'completing')
    expect([paris.captured, berlin.captured]).toEqual([[], [id]])
    const { facts, attempts } = await find(id)
    expect(attempts).toBe(1)
    expect(facts?.server).toMatchObject({
      id: 'berlin',
      name: 'Server berlin',
      set_aside: [
        { server_id: 'paris', differences: [{ item: 'dns_servers', expected: '192.0.2.53', measured: '198.51.100.66' }] },
      ],
    })
    const pieces = await listFiles(database.db, id)
    const manifest = pieces.find(({ path }) => path === 'environment/server-manifest.json')
    expect(manifest?.sha256).toBe(facts?.server?.manifest_sha256)
    expect(pieces.find(({ path }) => path === 'environment/preflight.json')).toMatchObject({
      role: 'preflight',
      section: 'piece',
    })
    // It comes back by itself, and takes what asks for it.
    paris.machine.dns = '192.0.2.53'
    await vi.waitUntil(() => paris.server.isReady(), patience)
    const wanted = await queue('paris')
    await statusIs(wanted.id, 'completing')
    expect(paris.captured).toEqual([wanted.id])
  })

  test('H-11 no silent fallback: what asked for a server that differs waits for that one', async () => {
    const [paris, berlin] = [await work('paris'), await work('berlin')]
    paris.machine.dns = '198.51.100.66'
    const asked = await queue('paris')
    await vi.waitUntil(() => !paris.server.isReady(), patience)
    const other = await queue()
    await statusIs(other.id, 'completing')
    expect(berlin.captured).toEqual([other.id])
    expect(await phaseOf(asked.id)).toMatchObject({ name: 'waiting_environment', reason: 'mismatch' })
    paris.machine.dns = '192.0.2.53'
    await statusIs(asked.id, 'completing')
    expect((await find(asked.id)).facts?.server).toMatchObject({ id: 'paris', set_aside: [{ server_id: 'paris' }] })
  })

  test('H-11 a browser whose profile is not empty visits nothing: another server makes the capture', async () => {
    const paris = await work('paris')
    paris.machine.profileEntries = 2
    const { id } = await queue()
    await vi.waitUntil(async () => (await phaseOf(id)).reason === 'mismatch', patience)
    const berlin = await work('berlin')
    paris.machine.profileEntries = 0
    await statusIs(id, 'completing')
    const made = (await find(id)).facts?.server
    expect(made?.set_aside[0]).toMatchObject({ server_id: 'paris', differences: [{ item: 'profile', measured: '2 entries' }] })
    expect([...paris.captured, ...berlin.captured]).toEqual([id])
  })

  test('an orderly stop in the middle of a capture costs no try; a kill does', async () => {
    const endless: Capture = async ({ signal }) => {
      // The stop may have come before the capture.
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      throw new CaptureFailure('cancelled')
    }
    const { id } = await queue()
    for (let stop = 0; stop < 4; stop += 1) {
      const paris = await work('paris', endless)
      await statusIs(id, 'preparing')
      await paris.loop.stop(0)
      expect(await find(id)).toMatchObject({ status: 'queued', attempts: 0 })
    }
    // Killed: nobody gives it back, its lease runs out.
    await claimNext(database.db, await haveServer(database.db, 'rome'), 0.001)
    await vi.waitUntil(async () => (await releaseExpiredLeases(database.db, 3)).requeued.includes(id), patience)
    expect(await find(id)).toMatchObject({ status: 'queued', attempts: 1 })
    expect(existsSync(join(folder, 'paris')) ? readdirSync(join(folder, 'paris')) : []).toEqual([])
  })
})

test('the pieces of a preflight hold what was compared', async () => {
  const { attachPreflight } = await import('../../../capture/server/index.ts')
  const workDir = mkdtempSync(join(folder, 'attach-'))
  const manifest = {
    format: 'probant-capture-server/1',
    server_id: 'paris',
    pinned_at: '2026-11-21T00:00:00.000Z',
    pinned_by: 'command',
    replaces: null,
    items: {
      software: 'probant/1.0.0',
      program_sha256: 'a'.repeat(64),
      node: '26.9.0',
      operating_system: 'Debian',
      machine_sha256: null,
      browser: 'Chromium 1.2.3.4',
      browser_sha256: 'c'.repeat(64),
      packages: null,
      image_digest: 'd'.repeat(64),
      dns_servers: '192.0.2.53',
      proxy: 'none',
      public_address: '192.0.2.1',
      isolation: 'namespaces',
    },
  } as const
  const preflight = {
    server: { id: 'paris', name: 'Paris', country: 'FR', city: 'Paris', kind: 'public' },
    pinned: { manifest, text: 'the very bytes\n', sha256: 'e'.repeat(64) },
    measurement: {
      items: { ...manifest.items, public_address: null },
      clock_offset: -0.25,
      clock_step: null,
      image: {
        digest_as_stated: `sha256:${'1'.repeat(64)}`,
        list_sha256: '2'.repeat(64),
        files_sha256: '2'.repeat(64),
        files: 12_345,
        changed: [],
        added: [],
        measured_at: '2026-11-21T09:57:30.000Z',
      },
      measured_at: '2026-11-21T10:00:00.000Z',
      clock_measured_at: '2026-11-21T09:58:00.000Z',
      public_address_measured_at: null,
      isolation_measured_at: '2026-11-21T09:58:00.000Z',
      network: null,
    },
    silence: {
      format: 'probant-silence/1',
      key: 'f'.repeat(64),
      browser: 'Chromium 156.0.8078.79',
      measured_at: '2026-11-21T09:57:00.000Z',
      sessions: [{ kind: 'static', idle_seconds: 4, page_seconds: 4, heard: [] }],
    },
  } as const
  const { files, facts } = await attachPreflight({ files: [], facts: sampleFacts }, preflight, [], workDir)
  const textOf = (path: string) => readFileSync(files.find((file) => file.path === path)?.file ?? '', 'utf8')
  expect(textOf('environment/server-manifest.json')).toBe('the very bytes\n')
  expect(JSON.parse(textOf('environment/preflight.json'))).toMatchObject({
    server: { id: 'paris', stated_by: 'operator' },
    manifest: { path: 'environment/server-manifest.json', sha256: 'e'.repeat(64) },
    measured: {
      clock: { offset_seconds: -0.25, tolerance_seconds: 1 },
      silence: preflight.silence,
      image: preflight.measurement.image,
    },
    differences: [],
    not_compared: ['machine_sha256', 'packages', 'public_address'],
  })
  expect(facts.server).toEqual({
    ...preflight.server,
    manifest_sha256: 'e'.repeat(64),
    preflight_at: '2026-11-21T10:00:00.000Z',
    image: {
      digest_as_stated: `sha256:${'1'.repeat(64)}`,
      files_sha256: '2'.repeat(64),
      files: 12_345,
      measured_at: '2026-11-21T09:57:30.000Z',
    },
    set_aside: [],
  })
})
