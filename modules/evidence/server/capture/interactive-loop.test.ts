import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { haveServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { CaptureFailure } from '../../../capture/server/index.ts'
import { createEvidence } from '../ask/create-evidence.ts'
import { retryEvidence } from '../draft/decide-evidence.ts'
import type { EvidenceWebDeps } from '../record/deps.ts'
import {
  claimNext,
  closeCapture,
  failUnserved,
  recordProgress,
  releaseExpiredLeases,
  requeueCapture,
} from '../queue/lease-store.ts'
import { presentEvidence } from '../present/present-evidence.ts'
import { sampleFacts } from '../sample-facts.test-data.ts'
import { queuePosition } from '../queue/queue-store.ts'
import { findEvidence, insertEvidence, type EvidenceRecord } from '../record/store.ts'
import { admitByLoad } from '../../../live/server/doors/admit-by-load.ts'
import { findSession } from '../../../live/server/doors/session-store.ts'
import { scriptedInteractive, startScriptedProcess, type ScriptedProcess } from './scripted-capture.test-data.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-sessions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const patience = { timeout: 60_000, interval: 10 }
const deps: EvidenceWebDeps = {
  get db() {
    return database.db
  },
  blobs: createFolderBlobStore(folder),
  clock: { now: () => new Date() },
  log: silentLog,
  secret: 's'.repeat(32),
  allowAddresses: [],
  scenarios: [],
}

beforeEach(async () => {
  await sql`truncate evidence, capture_server cascade`.execute(database.db)
})

let instants = Date.now()
async function queue(
  action: 'static' | 'interactive' = 'interactive',
  askedServer: string | null = null,
): Promise<EvidenceRecord> {
  return await insertEvidence(database.db, {
    id: randomUUIDv7(),
    tokenHash: randomBytes(32),
    action,
    requestedUrl: 'https://example.org/',
    locale: 'en',
    now: new Date((instants += 1)),
    askedServer,
  })
}
const find = async (id: string): Promise<EvidenceRecord> => {
  const record = await findEvidence(database.db, id)
  if (record === null) throw new Error('the evidence is gone')
  return record
}
const statusIs = async (id: string, status: string) =>
  await vi.waitUntil(async () => (await find(id)).status === status, patience)

async function work(options: Partial<Parameters<typeof startScriptedProcess>[0]> = {}): Promise<ScriptedProcess> {
  const process = await startScriptedProcess({
    db: database.db,
    databaseUrl: database.url,
    folder,
    serverId: 'paris',
    leaseSeconds: 600,
    capacity: 2,
    ...options,
  })
  let stopped = false
  const stop = async (graceMs: number, completeMs: number) => {
    if (!stopped) await process.stop(graceMs, completeMs)
    stopped = true
  }
  onTestFinished(async () => await stop(0, 0))
  return { ...process, stop }
}

describe('the queue of live sessions', () => {
  test('has a room of its own: neither kind takes the place of the other, and each position counts its own kind', async () => {
    const held = Promise.withResolvers<void>()
    const captured: string[] = []
    const paris = await work({
      capture: async ({ evidenceId }) => {
        captured.push(evidenceId)
        await held.promise
        throw new CaptureFailure('unknown_host')
      },
    })
    const statics = [await queue('static'), await queue('static')]
    const sessions = [await queue(), await queue(), await queue(), await queue()]
    await vi.waitUntil(() => captured.length === 1 && paris.sessions.size === 2, patience)
    expect(new Set(paris.sessions.keys())).toEqual(new Set([sessions[0]?.id, sessions[1]?.id]))
    const positions = []
    for (const one of [statics[1], sessions[2], sessions[3]])
      positions.push(await queuePosition(database.db, await find(one?.id ?? '')))
    expect(positions).toEqual([1, 1, 2])
    const { rows } = await sql`select running, capacity, interactive_running, interactive_capacity
      from capture_server_state`.execute(database.db)
    expect(rows).toEqual([{ running: 1, capacity: 1, interactive_running: 2, interactive_capacity: 2 }])
    // A session that ends makes room for the next.
    paris.sessions.get(sessions[0]?.id ?? '')?.end()
    await vi.waitUntil(() => paris.sessions.has(sessions[2]?.id ?? ''), patience)
    await statusIs(sessions[0]?.id ?? '', 'completing')
    held.resolve()
  })

  test('waits while the machine bears no more; the first is always taken', async () => {
    let load = 40
    const admits = admitByLoad(2, () => ({ load, cores: 4 }))
    expect([admits(0), admits(1)]).toEqual([true, false])
    const paris = await work({ admits })
    const [first, second] = [await queue(), await queue()]
    await vi.waitUntil(() => paris.sessions.has(first.id), patience)
    // It has looked again, and left it.
    paris.loop.wake()
    await statusIs(first.id, 'capturing')
    expect((await find(second.id)).status).toBe('queued')
    load = 8
    paris.loop.wake()
    await vi.waitUntil(() => paris.sessions.has(second.id), patience)
  })

  test('H-17 least loaded is measured among sessions; a server without any never takes one, nor keeps one waiting for it', async () => {
    const none = await haveServer(database.db, 'none')
    const [busy, idle] = [await haveServer(database.db, 'busy'), await haveServer(database.db, 'idle')]
    await sql`update capture_process set interactive_capacity = 2 where server_id <> 'none'`.execute(database.db)
    const claim = async (server: typeof busy) => (await claimNext(database.db, server, 600, 'interactive'))?.id ?? null
    await queue('interactive', 'busy')
    expect(await claim(busy)).not.toBeNull()
    const [one, two] = [await queue(), await queue()]
    // However slow this machine is: they have only just begun to wait.
    await sql`update evidence set queued_at = clock_timestamp() + interval '1 hour' where status = 'queued'`.execute(database.db)
    expect(await claim(busy)).toBeNull()
    expect(await claim(idle)).toBe(one.id)
    // Equally loaded: whoever is first. `none` is idle and does not count.
    expect(await claim(busy)).toBe(two.id)
    const waits = await queue('interactive', 'none')
    expect((await presentEvidence(deps, {}, waits)).phase).toMatchObject({ reason: 'starting', queue_position: 1 })
    await sql`update evidence set queued_at = clock_timestamp() - interval '1 hour' where status = 'queued'`.execute(database.db)
    expect(await failUnserved(database.db, 60)).toEqual([waits.id])
    expect(await claimNext(database.db, none, 600)).toBeNull()
  })

  test('V-27 what fits one kind alone is refused with the other, its field named', async () => {
    await haveServer(database.db, 'none')
    const asked = { url: 'https://example.org/', action: 'interactive', locale: 'en' } as const
    for (const [input, fields] of [
      [{ ...asked, scenario: 'scroll-slowly' }, { scenario: ['static_only'] }],
      [{ ...asked, close_cookies: true }, { close_cookies: ['static_only'] }],
      [{ ...asked, second_server: 'automatic' }, { second_server: ['static_only'] }],
      [{ ...asked, server: 'none' }, { server: ['static_only'] }],
      [{ ...asked, action: 'static', device: 'mobile' } as const, { device: ['interactive_only'] }],
    ] as const)
      await expect(createEvidence(deps, input)).rejects.toMatchObject({ code: 'evidence.options', fields })
    const { evidence } = await createEvidence(deps, { ...asked, device: 'mobile' })
    expect(await presentEvidence(deps, {}, evidence)).toMatchObject({
      action: 'interactive',
      options: { device: 'mobile' },
      live: null,
    })
  })
})

describe('a session', () => {
  test('S-32…S-37 can be joined from its preparation on, is counted down, and is completed', async () => {
    const prepared = Promise.withResolvers<void>()
    const sessions = new Map()
    const paris = await work({ sessions, interactive: scriptedInteractive(sessions, { prepared: () => prepared.promise }) })
    const { id } = await queue()
    await vi.waitUntil(async () => (await findSession(database.db, id)) !== null, patience)
    const shown = async () => await presentEvidence(deps, {}, await find(id))
    await vi.waitUntil(async () => (await shown()).phase.name === 'preparing', patience)
    expect(await shown()).toMatchObject({ live: { began_at: null, remaining_ms: null } })
    const before = (await find(id)).version
    prepared.resolve()
    await statusIs(id, 'capturing')
    const { live, phase } = await shown()
    expect(phase.name).toBe('capturing')
    expect(live?.began_at).toBe(phase.since)
    expect(live?.remaining_ms).toBeGreaterThan(0)
    expect((await find(id)).version).toBeGreaterThan(before)
    paris.sessions.get(id)?.end()
    await statusIs(id, 'completing')
    expect((await shown()).live).toBeNull()
    expect(await findSession(database.db, id)).toBeNull()
  })

  test('whose browser died in the hands of its visitor is not begun again: it fails, and a retry is a session', async () => {
    const sessions = new Map()
    const outcome = () => Promise.reject(new CaptureFailure('browser_crashed'))
    const paris = await work({ sessions, interactive: scriptedInteractive(sessions, { outcome }) })
    const { evidence, token } = await createEvidence(deps, {
      url: 'https://example.org/',
      action: 'interactive',
      locale: 'en',
      device: 'mobile',
    })
    await statusIs(evidence.id, 'capturing')
    paris.sessions.get(evidence.id)?.end()
    await statusIs(evidence.id, 'failed')
    expect(await find(evidence.id)).toMatchObject({ attempts: 1, failure: { code: 'browser_crashed' } })
    await paris.stop(0, 0)
    const next = await retryEvidence(deps, { evidenceToken: token }, evidence.id)
    expect(next).toMatchObject({ action: 'interactive', device: 'mobile', status: 'queued', attempts: 0 })
  })

  test('told that its process stops, ends by itself and is completed', async () => {
    const paris = await work()
    const [one, two] = [await queue(), await queue()]
    await Promise.all([statusIs(one.id, 'capturing'), statusIs(two.id, 'capturing')])
    await paris.stop(0, 600_000)
    for (const { id } of [one, two]) expect((await find(id)).status).toBe('completing')
  })

  test('that cannot be completed in time fails by name; one that was not yet the visitor’s goes back to the queue', async () => {
    const sessions = new Map()
    const paris = await work({ sessions, interactive: scriptedInteractive(sessions, { heedsEnding: false }) })
    const begun = await queue()
    await statusIs(begun.id, 'capturing')
    await paris.stop(0, 0)
    expect(await find(begun.id)).toMatchObject({ status: 'failed', failure: { code: 'session_lost', data: {} } })
    const never = new Promise<void>(() => undefined)
    const berlin = await work({ serverId: 'berlin', interactive: scriptedInteractive(sessions, { prepared: () => never }) })
    const early = await queue()
    await vi.waitUntil(() => sessions.has(early.id), patience)
    await statusIs(early.id, 'preparing')
    // Though it would have had time to be completed.
    await berlin.stop(0, 600_000)
    expect(await find(early.id)).toMatchObject({ status: 'queued', attempts: 0 })
  })

  test('outlives a database that is away for longer than a lease', async () => {
    const paris = await work({ leaseSeconds: 12 })
    const { id } = await queue()
    await statusIs(id, 'capturing')
    await sql`alter table evidence rename to evidence_away`.execute(database.db)
    // Its loop has looked, and found nothing to look at.
    await vi.waitUntil(() => paris.failures() > 0, patience)
    const past = sql`clock_timestamp() - interval '1 minute'`
    await sql`alter table evidence_away rename to evidence`.execute(database.db)
    await sql`update evidence set lease_until = ${past} where id = ${id}::uuid`.execute(database.db)
    const renewed = sql<{ held: boolean }>`select lease_until > clock_timestamp() as held from evidence where id = ${id}::uuid`
    await vi.waitUntil(async () => (await renewed.execute(database.db)).rows[0]?.held === true, patience)
    paris.sessions.get(id)?.end()
    await statusIs(id, 'completing')
  })

  test('whose process is gone: lost when it had begun, begun again when it had not; a late result changes nothing', async () => {
    const rome = await haveServer(database.db, 'rome')
    const [begun, early] = [await queue(), await queue()]
    const first = await claimNext(database.db, rome, 600, 'interactive')
    await recordProgress(database.db, begun.id, first?.fence ?? 0, { phase: 'capturing', step: 'session' })
    await claimNext(database.db, rome, 600, 'interactive')
    expect(await requeueCapture(database.db, begun.id, first?.fence ?? 0, false)).toBe(false)
    await expect(
      sql`update evidence set status = 'queued', lease_owner = null, lease_until = null where id = ${begun.id}::uuid`.execute(
        database.db,
      ),
    ).rejects.toThrow(/may not become/)
    await sql`update evidence set lease_until = clock_timestamp() - interval '1 second' where lease_until is not null`.execute(
      database.db,
    )
    expect(await releaseExpiredLeases(database.db, 3)).toEqual({ requeued: [early.id], exhausted: [], lost: [begun.id] })
    const failed = await find(begun.id)
    expect(failed).toMatchObject({ status: 'failed', failure: { code: 'session_lost' }, progress: null })
    expect(failed.expiresAt?.getTime()).toBeGreaterThan(Date.now())
    const late = async () =>
      await database.db
        .transaction()
        .execute(async (tx) => await closeCapture(tx, begun.id, first?.fence ?? 0, { status: 'completing', facts: sampleFacts }))
    expect(await late()).toBe(false)
  })
})
