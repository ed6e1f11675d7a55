/** Two capture processes' doors and two web servers, real sockets and real PostgreSQL between them; the session is scripted. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectTcp, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFolderBlobStore } from '../../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { createHttpServer } from '../../../../platform/http/server.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { haveServer, type TestServer } from '../../../../testing/capture-server.ts'
import { withDatabase } from '../../../../testing/database.ts'
import { liveClose } from '../../../capture/server/index.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { createEvidenceChanges } from '../evidence-changes.ts'
import { hashOf } from '../hold-evidence.ts'
import { claimNext, recordProgress } from '../lease-store.ts'
import { evidenceRoutes } from '../routes.ts'
import { callSession, dialViewer } from './dial-session.ts'
import { defaultCarryLimits, type CarryLimits } from './carry-viewer.ts'
import { findSession, keepHandOff } from './live-store.ts'
import { issueTicket, readTicket, ticketLifetimeMs } from './live-ticket.ts'
import { scriptedSession, tabTitled, uploadPiece, viewerOf, type ScriptedSession } from './scripted-session.test-data.ts'
import { openSessionsDoor, type HeldSession, type SessionsDoor } from './sessions-door.ts'
import { createViewersDoor, type ViewersDoor } from './viewers-door.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-live-'))
const secret = 's'.repeat(32)
const patience = { timeout: 60_000, interval: 10 }
const mebi = 1024 * 1024
const publicUrl = 'https://probant.example'

type Web = { readonly origin: string; readonly viewers: ViewersDoor; close(): Promise<void> }
let webs: readonly [Web, Web]
let doors: readonly [SessionsDoor, SessionsDoor]
let server: TestServer

async function startWeb(trustLoopback = true, sessionsPerAddress = 0, helloMs = 120_000): Promise<Web> {
  const common = { db: database.db, log: silentLog, clock: { now: () => new Date() }, secret, trustLoopback }
  const viewers = createViewersDoor({
    ...common,
    publicUrl,
    limits: { perPrefix: 3, all: 300, helloMs, silenceMs: 120_000 },
  })
  const deps = {
    ...common,
    blobs: createFolderBlobStore(folder),
    allowAddresses: [],
    scenarios: [],
    sessionsPerAddress,
  }
  const app = await createHttpServer({
    config: loadConfig({}),
    log: silentLog,
    secret,
    routes: evidenceRoutes(deps, createEvidenceChanges()),
    health: {},
    extend: (extended) => viewers.register(extended),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    origin: `http://127.0.0.1:${String((app.server.address() as AddressInfo).port)}`,
    viewers,
    async close() {
      await viewers.close()
      await app.close()
    },
  }
}

async function openDoor(limits: Partial<CarryLimits> = {}): Promise<SessionsDoor> {
  return await openSessionsDoor({
    db: database.db,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
    limits: { ...defaultCarryLimits, waitingBytes: 4 * mebi, silenceMs: 120_000, ...limits },
  })
}

beforeAll(async () => {
  doors = [await openDoor(), await openDoor()]
  webs = [await startWeb(), await startWeb()]
  server = await haveServer(database.db, 'paris')
})

afterAll(async () => {
  for (const web of webs) await web.close()
  for (const door of doors) await door.stop()
  rmSync(folder, { recursive: true, force: true })
})

type Answer = { status: number; body: Record<string, unknown> & { code?: string }; headers: Headers }
async function call(method: string, path: string, options: { token?: string; body?: unknown; web?: Web } = {}): Promise<Answer> {
  const response = await fetch(`${(options.web ?? webs[0]).origin}${path}`, {
    method,
    headers: {
      ...(options.token === undefined ? {} : { 'x-evidence-token': options.token }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  return { status: response.status, body: (await response.json()) as Answer['body'], headers: response.headers }
}

type Session = {
  readonly id: string
  readonly token: string
  readonly fence: number
  readonly live: ScriptedSession
  readonly held: HeldSession
  ticket(role?: string): Promise<string>
}

async function queueSession(): Promise<{ id: string; token: string }> {
  const asked = { url: 'https://example.org/', action: 'interactive', locale: 'en' }
  const { status, body } = await call('POST', '/evidences/', { body: asked })
  expect(status).toBe(201)
  return { id: (body['evidence'] as Evidence).id, token: body['evidence_token'] as string }
}

/** A session under way in one of the two capture processes. */
async function startSession(door: SessionsDoor = doors[0]): Promise<Session> {
  const { id, token } = await queueSession()
  const claimed = await claimNext(database.db, server, 600, 'interactive')
  if (claimed?.id !== id) throw new Error('another evidence was claimed')
  const held = door.hold({ evidenceId: id, fence: claimed.fence, sessionMs: 600_000 })
  onTestFinished(async () => {
    await held.close()
    await sql`delete from evidence where id = ${id}::uuid`.execute(database.db)
  })
  const live = scriptedSession(id)
  held.sessions.add(live)
  await recordProgress(database.db, id, claimed.fence, { phase: 'capturing', step: 'session' })
  await vi.waitUntil(async () => (await findSession(database.db, id)) !== null, patience)
  return {
    id,
    token,
    fence: claimed.fence,
    live,
    held,
    async ticket(role = 'controller') {
      const { status, body } = await call('POST', `/evidences/${id}/live_ticket/`, { token, body: { role } })
      expect(status).toBe(200)
      return body['ticket'] as string
    },
  }
}

const welcomed = (message: { type: string }) => message.type === 'welcome'

describe('a viewer', () => {
  test('S-35 joins through any web process, whichever capture process has the session; both ways, bit for bit', async () => {
    const sessions = [await startSession(doors[0]), await startSession(doors[1])]
    const pictures = Array.from({ length: 40 }, (_, at) => randomBytes(1 + at * 997))
    for (const web of webs)
      for (const session of sessions) {
        const viewer = viewerOf(web.origin, await session.ticket())
        expect(await viewer.until(welcomed)).toMatchObject({ role: 'controller' })
        const [joined] = session.live.viewers
        for (const picture of pictures) joined?.sendBytes(picture)
        const text = 'é ç œ 漢字 👩‍👩‍👧 \u202e ‏שלום'.repeat(1000)
        viewer.send({ type: 'text', text: text.slice(0, 10_000) })
        expect(await viewer.until((message) => message.type === 'tabs')).toEqual({
          type: 'tabs',
          tabs: [tabTitled(text.slice(0, 10_000))],
        })
        expect(Buffer.concat(viewer.bytes).equals(Buffer.concat(pictures))).toBe(true)
        expect(viewer.bytes.map(({ length }) => length)).toEqual(pictures.map(({ length }) => length))
        const piece = uploadPiece(64 * 1024)
        viewer.send(piece)
        await vi.waitUntil(() => viewer.bytes.length > pictures.length, patience)
        expect(viewer.bytes.at(-1)?.equals(piece)).toBe(true)
        viewer.send({ type: 'ping', at: 12.5 })
        expect(await viewer.until((message) => message.type === 'pong')).toEqual({ type: 'pong', at: 12.5 })
        viewer.socket.close()
        await vi.waitUntil(() => session.live.viewers.size === 0, patience)
      }
  })

  test('a paste of a million characters of three bytes each arrives whole', async () => {
    const session = await startSession()
    const viewer = viewerOf(webs[0].origin, await session.ticket())
    await viewer.until(welcomed)
    const text = '漢'.repeat(1_000_000)
    viewer.send({ type: 'paste', id: 7, text, secret: true })
    await viewer.until((message) => message.type === 'pasted')
    expect(session.live.heard[0]?.message).toEqual({ type: 'paste', id: 7, text, secret: true })
    viewer.send({ type: 'paste', id: 8, text: `${text}a`, secret: true })
    expect(await viewer.closed).toEqual({ code: liveClose.malformed, reason: 'shape' })
  })

  test('what it says before the session was reached is not lost, and keeps its order', async () => {
    const session = await startSession()
    const ticket = await session.ticket()
    const viewer = viewerOf(webs[0].origin, null)
    viewer.socket.once('open', () => {
      viewer.send({ type: 'hello', ticket, video: null, audio: false, touch: false })
      for (let at = 0; at < 30; at += 1) viewer.send({ type: 'text', text: String(at) })
    })
    await vi.waitUntil(() => session.live.heard.length === 30, patience)
    expect(session.live.heard.map(({ message }) => (message as { text: string }).text)).toEqual(
      Array.from({ length: 30 }, (_, at) => String(at)),
    )
    viewer.socket.close()
  })

  test('the codes with which a session ends its viewers reach them; a door that goes is `lost`', async () => {
    const session = await startSession()
    const quitter = viewerOf(webs[0].origin, await session.ticket())
    const other = viewerOf(webs[1].origin, await session.ticket('watcher'))
    await Promise.all([quitter.until(welcomed), other.until(welcomed)])
    quitter.send({ type: 'quit' })
    expect(await quitter.closed).toEqual({ code: liveClose.ended, reason: 'ended' })
    expect((await other.closed).code).toBe(liveClose.ended)
    const third = viewerOf(webs[1].origin, await session.ticket())
    await third.until(welcomed)
    await session.held.close()
    expect((await third.closed).code).toBe(liveClose.lost)
    expect((await call('POST', `/evidences/${session.id}/live_ticket/`, { token: session.token, body: {} })).body.code).toBe(
      'live.not_capturing',
    )
  })

  test('200 reconnects leave nothing', async () => {
    const session = await startSession()
    for (let round = 0; round < 20; round += 1) {
      const batch = []
      for (let each = 0; each < 10; each += 1) batch.push(viewerOf(webs[each % 2]?.origin ?? '', await session.ticket()))
      await Promise.all(batch.map(async (viewer) => await viewer.until(welcomed)))
      for (const [at, viewer] of batch.entries()) {
        if (at % 2 === 0) viewer.socket.terminate()
        else viewer.socket.close()
      }
      await vi.waitUntil(() => session.live.viewers.size === 0, patience)
    }
    await vi.waitUntil(() => webs.every((web) => web.viewers.connections() === 0), patience)
    expect(doors.map((door) => door.connections())).toEqual([0, 0])
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from live_session`.execute(database.db)
    expect(rows).toEqual([{ count: 1 }])
  })
})

describe('whoever is not let in is told why, and harms nobody', () => {
  test('a ticket is good once, for its session, until its minute is over, and only as it was issued', async () => {
    const session = await startSession()
    const other = await startSession()
    const ticket = await session.ticket()
    const inside = viewerOf(webs[0].origin, ticket)
    await inside.until(welcomed)
    // Through the other web process, which has never seen it.
    expect(await viewerOf(webs[1].origin, ticket).closed).toEqual({ code: liveClose.refused, reason: 'ticket' })
    const mine = { evidenceId: session.id, role: 'controller', witnessId: null } as const
    const late = issueTicket(secret, new Date(Date.now() - ticketLifetimeMs - 1), mine).ticket
    const foreign = issueTicket('x'.repeat(32), new Date(), mine).ticket
    const [body = '', signature = ''] = (await session.ticket()).split('.')
    const altered = Buffer.from(Buffer.from(body, 'base64url').toString().replace(session.id, other.id)).toString('base64url')
    for (const wrong of [late, foreign, `${altered}.${signature}`, `${body}.${signature}.`, body, '', 'x'.repeat(600)])
      expect(await viewerOf(webs[0].origin, wrong).closed).toEqual({ code: liveClose.refused, reason: 'ticket' })
    const ended = issueTicket(secret, new Date(), { ...mine, evidenceId: randomUUID() }).ticket
    expect(await viewerOf(webs[0].origin, ended).closed).toEqual({ code: liveClose.refused, reason: 'not_capturing' })
    expect(other.live.viewers.size).toBe(0)
    inside.send({ type: 'text', text: 'still here' })
    await inside.until((message) => message.type === 'tabs')
    inside.socket.close()
  })

  test('a first message that is no hello ends the connection; so does none', async () => {
    const session = await startSession()
    const ticket = await session.ticket()
    const refused = { code: liveClose.malformed, reason: 'hello' }
    const impatient = await startWeb(true, 0, 50)
    onTestFinished(async () => await impatient.close())
    expect(await viewerOf(impatient.origin, null).closed).toEqual(refused)
    for (const first of [
      '{',
      '{"type":"quit"}',
      JSON.stringify({ type: 'hello', ticket, video: 'vp9', audio: 1 }),
      'x'.repeat(5000),
    ]) {
      const viewer = viewerOf(webs[0].origin, null)
      viewer.socket.once('open', () => viewer.socket.send(first))
      expect(await viewer.closed).toEqual(refused)
    }
    const binary = viewerOf(webs[0].origin, null)
    binary.socket.once('open', () => binary.send(randomBytes(20)))
    expect(await binary.closed).toEqual(refused)
  })

  test.each([
    ['no JSON', '{', 'json'],
    ['a shape of its own', '{"type":"root"}', 'shape'],
    ['a number out of bounds', '{"type":"pointer","kind":"move","x":1e300,"y":0}', 'shape'],
    ['hello again', JSON.stringify({ type: 'hello', ticket: 'x', video: null, audio: false, touch: false }), 'hello_again'],
    ['bytes of no upload', Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]), 'shape'],
    ['an upload in too large a piece', uploadPiece(64 * 1024 + 1), 'too_long'],
  ])('a malformed message ends its own connection alone: %s', async (_name, message, reason) => {
    const session = await startSession()
    const good = viewerOf(webs[0].origin, await session.ticket())
    const bad = viewerOf(webs[0].origin, await session.ticket())
    await Promise.all([good.until(welcomed), bad.until(welcomed)])
    bad.socket.send(message)
    expect(await bad.closed).toEqual({ code: liveClose.malformed, reason })
    good.send({ type: 'text', text: 'on' })
    await good.until((said) => said.type === 'tabs')
    expect(session.live.heard).toHaveLength(1)
    good.socket.close()
  })

  test('a message longer than any may be is not even taken up', async () => {
    const session = await startSession()
    const viewer = viewerOf(webs[0].origin, await session.ticket())
    await viewer.until(welcomed)
    viewer.socket.send('x'.repeat(4 * mebi))
    // RFC 6455 §7.4.1: 1009, too big.
    expect((await viewer.closed).code).toBe(1009)
    await vi.waitUntil(() => session.live.viewers.size === 0, patience)
    expect(session.live.heard).toEqual([])
  })

  test('a flood of messages is ended by name', async () => {
    const door = await openDoor({ burst: 500, perSecond: 0 })
    onTestFinished(async () => await door.stop())
    const session = await startSession(door)
    const viewer = viewerOf(webs[0].origin, await session.ticket())
    await viewer.until(welcomed)
    for (let at = 0; at < 1_000; at += 1) viewer.send({ type: 'pointer', kind: 'move', x: at % 100, y: 0 })
    expect(await viewer.closed).toEqual({ code: liveClose.flooded, reason: 'flooded' })
    expect(session.live.heard).toHaveLength(500)
    await vi.waitUntil(() => session.live.viewers.size === 0, patience)
  })

  test('a viewer that stops reading costs bounded memory, is let go, and slows nobody', async () => {
    const session = await startSession()
    const reader = viewerOf(webs[0].origin, await session.ticket('watcher'))
    await reader.until(welcomed)
    const [reading] = session.live.viewers
    const lazy = viewerOf(webs[0].origin, await session.ticket('watcher'))
    await lazy.until(welcomed)
    const sleeping = [...session.live.viewers].find((one) => one !== reading)
    lazy.socket.pause()
    const picture = randomBytes(256 * 1024)
    let most = 0
    let sent = 0
    while (session.live.viewers.size > 1) {
      reading?.sendBytes(picture)
      most = Math.max(most, sleeping?.sendBytes(picture) ?? 0)
      sent += 1
      await vi.waitUntil(() => (reading?.waiting() ?? 0) < mebi, patience)
    }
    expect(most).toBeLessThan(4 * mebi + 2 * picture.length)
    await vi.waitUntil(() => reader.bytes.length === sent, patience)
    expect(reader.bytes.every((bytes) => bytes.equals(picture))).toBe(true)
    lazy.socket.terminate()
    reader.socket.close()
  })

  test('connections from elsewhere than our own pages, too many of one network, and plain requests are refused', async () => {
    const strange = await startWeb(false)
    onTestFinished(async () => await strange.close())
    const attempt = async (headers: Record<string, string>) => {
      const viewer = viewerOf(strange.origin, null, { headers })
      return await new Promise<number>((resolve) => {
        viewer.socket.once('unexpected-response', (_request, response) => {
          resolve(response.statusCode ?? 0)
          response.destroy()
        })
        viewer.socket.once('open', () => {
          resolve(101)
          onTestFinished(() => viewer.socket.terminate())
        })
      })
    }
    for (const origin of [
      'https://evil.example',
      'null',
      '',
      'https://probant.example.evil.example',
      strange.origin.replace('http', 'file'),
    ])
      expect(await attempt({ origin })).toBe(403)
    expect(await attempt({ origin: publicUrl })).toBe(101)
    expect(await attempt({})).toBe(101)
    expect(await attempt({})).toBe(101)
    expect(await attempt({})).toBe(429)
    const plain = await fetch(`${strange.origin}/live/`)
    expect([plain.status, ((await plain.json()) as { code: string }).code]).toEqual([400, 'live.upgrade_required'])
  })

  test('whoever pings and does not read the answers is let go', async () => {
    const session = await startSession()
    const viewer = viewerOf(webs[0].origin, await session.ticket())
    await viewer.until(welcomed)
    viewer.socket.pause()
    const payload = randomBytes(125)
    while (viewer.socket.readyState === viewer.socket.OPEN) {
      for (let at = 0; at < 5_000; at += 1) viewer.socket.ping(payload)
      await vi.waitUntil(() => viewer.socket.bufferedAmount < mebi || webs[0].viewers.connections() === 0, patience)
      if (webs[0].viewers.connections() === 0) viewer.socket.terminate()
    }
    await vi.waitUntil(() => session.live.viewers.size === 0, patience)
  })

  test('what comes faster than it is worked on is read later, whole and in order', async () => {
    const door = await openDoor({ burstBytes: 200_000, bytesPerSecond: 4 * mebi })
    onTestFinished(async () => await door.stop())
    const session = await startSession(door)
    const viewer = viewerOf(webs[0].origin, await session.ticket())
    await viewer.until(welcomed)
    const pieces = Array.from({ length: 40 }, () => uploadPiece(64 * 1024))
    for (const piece of pieces) viewer.send(piece)
    await vi.waitUntil(() => viewer.bytes.length === pieces.length, patience)
    expect(viewer.bytes.every((bytes, at) => bytes.equals(pieces[at] ?? Buffer.alloc(0)))).toBe(true)
    viewer.socket.close()
  })

  test('another upgrade than to a WebSocket is declined by an ordinary answer', async () => {
    const socket = connectTcp(Number(new URL(webs[0].origin).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const body = JSON.stringify({ url: 'https://example.org/', action: 'neither', locale: 'en' })
    socket.write(
      `POST /evidences/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`,
    )
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    await vi.waitUntil(() => answer.includes('"action":["required"]'), patience)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('an upgrade at any other address is an ordinary answer', async () => {
    const answer = await fetch(`${webs[0].origin}/nowhere/`)
    expect(answer.status).toBe(404)
    const socket = connectTcp(Number(new URL(webs[0].origin).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(
      'GET /evidences/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    )
    const text = await new Promise<string>((resolve) => {
      let all = ''
      socket.on('data', (chunk: Buffer) => (all += chunk.toString()))
      socket.on('close', () => resolve(all))
    })
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
  })
})

describe('the door of a capture process', () => {
  test('opens to the key of a session for that session alone', async () => {
    const [mine, other] = [await startSession(), await startSession()]
    const [door, otherDoor] = [await findSession(database.db, mine.id), await findSession(database.db, other.id)]
    if (door === null || otherDoor === null) throw new Error('no door')
    await callSession(mine.id, door, { name: 'viewport_screenshot' })
    expect(mine.live.calls).toEqual(['viewport_screenshot'])
    const unreachable = { code: 'live.unreachable' }
    for (const [id, key] of [
      [other.id, door.key],
      [mine.id, randomBytes(32)],
      [randomUUID(), door.key],
    ] as const)
      await expect(callSession(id, { ...door, key }, { name: 'viewport_screenshot' })).rejects.toMatchObject(unreachable)
    expect([mine.live.calls.length, other.live.calls.length]).toEqual([1, 0])
    const wanted = { id: 'x', role: 'controller', witness: null, wants: { video: null, audio: false, touch: false } } as const
    const refused = dialViewer(mine.id, { ...door, key: otherDoor.key }, { ...wanted, nonce: 'n' })
    expect(await new Promise((resolve) => refused.once('error', () => resolve('refused')))).toBe('refused')
    const nonsense = dialViewer(mine.id, door, { ...wanted, id: '', nonce: 'n' })
    nonsense.on('error', () => undefined)
    expect(await new Promise((resolve) => nonsense.once('close', resolve))).toBe(liveClose.malformed)
    expect(mine.live.viewers.size).toBe(0)
  })

  test('bytes of strangers end where they came from', async () => {
    const session = await startSession()
    const viewer = viewerOf(webs[0].origin, await session.ticket())
    await viewer.until(welcomed)
    const { hostname, port } = new URL(`http://${doors[0].address}`)
    for (const bytes of [randomBytes(4096), Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.from([22, 3, 1, 255, 255])]) {
      const socket = connectTcp(Number(port), hostname)
      socket.on('error', () => undefined)
      socket.resume()
      socket.end(bytes)
      await new Promise((resolve) => socket.once('close', resolve))
    }
    viewer.send({ type: 'text', text: 'on' })
    await viewer.until((said) => said.type === 'tabs')
    viewer.socket.close()
  })
})

describe('calls', () => {
  test('C-35 C-36 C-37 C-38 H-44 reach the session by GET and by POST, are named when refused, and leave no trace in a cache', async () => {
    const session = await startSession()
    const at = (name: string) => `/evidences/${session.id}/${name}/`
    const { token } = session
    for (const method of ['GET', 'POST']) {
      const answer = await call(method, at('viewport_screenshot'), { token })
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(answer.body).toMatchObject({ id: session.id, status: 'capturing', phase: { name: 'capturing' } })
      const refused = await call(method, at('full_page_screenshot'), { token })
      expect([refused.status, refused.body.code]).toEqual([409, 'live.too_soon'])
      expect(refused.body['message']).toMatch(/^Too soon/)
    }
    const paste = async (body: unknown) => await call('POST', at('paste'), { token, body })
    expect((await paste({ text: 'ça œ 漢字', secret: true })).status).toBe(200)
    expect((await paste({ text: 'nowhere' })).body.code).toBe('live.no_field')
    for (const body of [{}, { text: '' }]) expect((await paste(body)).body['fields']).toEqual({ text: ['required'] })
    expect(session.live.calls).toEqual([
      'viewport_screenshot',
      'full_page_screenshot',
      'viewport_screenshot',
      'full_page_screenshot',
      'paste true ça œ 漢字',
      'paste false nowhere',
    ])
  })

  test('C-34 the status says how much time is left', async () => {
    const session = await startSession()
    const { body } = await call('GET', `/evidences/${session.id}/status/`, { token: session.token })
    const live = body['live'] as NonNullable<Evidence['live']>
    expect(live.remaining_ms).toBeGreaterThan(0)
    expect(live.remaining_ms).toBeLessThanOrEqual(600_000)
    expect(Date.parse(live.began_at ?? '')).toBeGreaterThan(0)
    await recordProgress(database.db, session.id, session.fence, { phase: 'completing', step: 'archive' })
    const after = await call('GET', `/evidences/${session.id}/status/`, { token: session.token })
    expect(after.body['live']).toMatchObject({ began_at: live.began_at, remaining_ms: null })
  })

  test('C-38 H-44 quitting again, or what is over, changes nothing; what has not begun cannot be quit', async () => {
    const session = await startSession()
    const quit = async () => await call('GET', `/evidences/${session.id}/quit_interactivity/`, { token: session.token })
    const waiting = await queueSession()
    const early = await call('POST', `/evidences/${waiting.id}/quit_interactivity/`, { token: waiting.token })
    expect([early.status, early.body.code]).toEqual([409, 'live.not_capturing'])
    await sql`delete from evidence where id = ${waiting.id}::uuid`.execute(database.db)
    expect((await quit()).status).toBe(200)
    session.held.sessions.remove(session.id)
    expect((await quit()).body.code).toBe('live.not_capturing')
    await recordProgress(database.db, session.id, session.fence, { phase: 'completing', step: 'archive' })
    expect((await quit()).status).toBe(200)
    await session.held.close()
    expect((await quit()).status).toBe(200)
    expect(session.live.calls).toEqual(['quit_interactivity'])
  })

  test('a capture process that is gone is said to be unreachable', async () => {
    const session = await startSession()
    await sql`update live_session set address = '127.0.0.1:1' where evidence_id = ${session.id}::uuid`.execute(database.db)
    const answer = await call('POST', `/evidences/${session.id}/viewport_screenshot/`, { token: session.token })
    expect([answer.status, answer.body.code]).toEqual([503, 'live.unreachable'])
    expect(await viewerOf(webs[0].origin, await session.ticket()).closed).toEqual({ code: liveClose.lost, reason: 'unreachable' })
  })

  test('P-16 only the holder calls; others are told that there is nothing', async () => {
    const [session, other] = [await startSession(), await startSession()]
    const uuid = randomUUID()
    const at = (name: string) => `/evidences/${session.id}/${name}/`
    const rows: readonly [string, string, unknown][] = [
      ['POST', at('live_ticket'), {}],
      ['POST', at('paste'), { text: 'x' }],
      ['GET', at('viewport_screenshot'), undefined],
      ['POST', at('viewport_screenshot'), undefined],
      ['GET', at('full_page_screenshot'), undefined],
      ['POST', at('full_page_screenshot'), undefined],
      ['GET', at('quit_interactivity'), undefined],
      ['POST', at('quit_interactivity'), undefined],
      ['POST', at('hand_off'), { sealed_token: 'x' }],
      ['GET', at('witnesses'), undefined],
      ['POST', at('witnesses'), { label: 'x' }],
      ['DELETE', at(`witnesses/${uuid}`), undefined],
    ]
    for (const [method, path, body] of rows) {
      const asked = async (token?: string, where = path) =>
        await call(method, where, { body, ...(token === undefined ? {} : { token }) })
      expect([(await asked()).status, path]).toEqual([401, path])
      for (const token of [other.token, 'x', randomBytes(32).toString('base64url')]) {
        const refused = await asked(token)
        expect([refused.status, refused.body.code, path]).toEqual([404, 'evidence.not_found', path])
      }
      expect((await asked(session.token, path.replace(session.id, uuid))).body.code).toBe('evidence.not_found')
    }
    expect(session.live.calls).toEqual([])
    expect((await call('POST', '/live/witness_ticket/', { body: { token: 'x'.repeat(43) } })).status).toBe(404)
    expect((await call('POST', `/hand_off/${'x'.repeat(43)}/`)).status).toBe(410)
  })
})

describe('another device', () => {
  test('the sealed token is given once, and only the newest', async () => {
    const { id, token } = await startSession()
    const offer = async (sealed: string) => {
      const { status, body } = await call('POST', `/evidences/${id}/hand_off/`, { token, body: { sealed_token: sealed } })
      expect(status).toBe(201)
      expect(Date.parse(body['expires_at'] as string)).toBeGreaterThan(Date.now())
      return body['code'] as string
    }
    const [first, second] = [await offer('one'), await offer('two')]
    const take = async (code: string) => await call('POST', `/hand_off/${code}/`, { web: webs[1] })
    const gone = async (code: string) => {
      const { status, body } = await take(code)
      expect([status, body.code]).toEqual([410, 'live.hand_off_gone'])
    }
    await gone(first)
    expect((await take(second)).body).toEqual({ evidence_id: id, sealed_token: 'two' })
    await gone(second)
    await keepHandOff(database.db, { evidenceId: id, codeHash: hashOf('c'.repeat(43)), sealedToken: 'x', seconds: -1 })
    await gone('c'.repeat(43))
    const { status } = await call('POST', `/evidences/${id}/hand_off/`, { token, body: { sealed_token: '<script>' } })
    expect(status).toBe(400)
  })
})

describe('a witness', () => {
  test('looks on by a link of its own, may countersign and nothing else, and is gone when the link is withdrawn', async () => {
    const session = await startSession()
    const { id, token } = session
    const invite = async (label: unknown) => await call('POST', `/evidences/${id}/witnesses/`, { token, body: { label } })
    const invited = await invite('  Maître Dupont ')
    expect(invited.status).toBe(201)
    expect(invited.body['witness']).toMatchObject({ label: 'Maître Dupont', revoked_at: null })
    const link = invited.body['token'] as string
    const stored = await sql<{ row: string }>`select row_to_json(w)::text as row from live_witness w`.execute(database.db)
    expect(stored.rows.some(({ row }) => row.includes(link))).toBe(false)
    const ticket = async () => await call('POST', '/live/witness_ticket/', { body: { token: link }, web: webs[1] })
    const given = await ticket()
    expect(given.body).toMatchObject({ evidence_id: id, label: 'Maître Dupont' })
    const witness = viewerOf(webs[1].origin, given.body['ticket'] as string)
    expect(await witness.until(welcomed)).toMatchObject({ role: 'witness' })
    const [joined] = session.live.viewers
    expect(joined?.witness).toMatchObject({ label: 'Maître Dupont' })
    witness.send({ type: 'release' })
    witness.send({ type: 'countersign', name: 'A. Dupont', statement: 'Vu.' })
    await vi.waitUntil(() => session.live.heard.length === 1, patience)
    expect(session.live.heard[0]?.message).toMatchObject({ type: 'countersign' })
    for (const message of [{ type: 'text', text: 'x' }, { type: 'quit' }, { type: 'take_control' }, uploadPiece(1)]) {
      const meddler = viewerOf(webs[0].origin, (await ticket()).body['ticket'] as string)
      await meddler.until(welcomed)
      meddler.send(message)
      expect(await meddler.closed).toEqual({ code: liveClose.malformed, reason: 'role' })
    }
    // A ticket that was given before the link was withdrawn opens nothing afterwards.
    const unused = (await ticket()).body['ticket'] as string
    const witnessId = (invited.body['witness'] as { id: string }).id
    const revoked = await call('DELETE', `/evidences/${id}/witnesses/${witnessId}/`, { token })
    expect(revoked.status).toBe(200)
    expect(await witness.closed).toEqual({ code: liveClose.refused, reason: 'revoked' })
    expect(await viewerOf(webs[0].origin, unused).closed).toEqual({ code: liveClose.refused, reason: 'revoked' })
    expect((await ticket()).body.code).toBe('live.witness_unknown')
    expect(session.live.heard).toHaveLength(1)
    for (const label of ['', ' ', undefined]) expect((await invite(label)).body['fields']).toEqual({ label: ['required'] })
    for (let count = 1; count < 10; count += 1) expect((await invite(`W${String(count)}`)).status).toBe(201)
    expect((await invite('one more')).body).toMatchObject({ code: 'live.too_many_witnesses', data: { count: 10 } })
    const { body } = await call('GET', `/evidences/${id}/witnesses/`, { token })
    expect((body['witnesses'] as { label: string }[]).map(({ label }) => label).slice(0, 2)).toEqual(['Maître Dupont', 'W1'])
  })

  test('is invited before the session begins, and his link ends with it', async () => {
    const { id, token } = await queueSession()
    const invited = await call('POST', `/evidences/${id}/witnesses/`, { token, body: { label: 'W' } })
    const ticket = async () => await call('POST', '/live/witness_ticket/', { body: { token: invited.body['token'] } })
    expect((await ticket()).body.code).toBe('live.not_capturing')
    await sql`update evidence set status = 'failed', failure = '{"code":"no_server","data":{}}' where id = ${id}::uuid`.execute(
      database.db,
    )
    expect((await ticket()).body.code).toBe('live.witness_unknown')
    expect((await call('POST', `/evidences/${id}/witnesses/`, { token, body: { label: 'W' } })).body.code).toBe(
      'live.not_capturing',
    )
  })
})

test('one block of addresses has one session at a time, however many ask at once; a session that is over makes room', async () => {
  const strict = await startWeb(false, 1)
  onTestFinished(async () => await strict.close())
  const asked = { url: 'https://example.org/', action: 'interactive', locale: 'en' }
  const ask = async () => await call('POST', '/evidences/', { body: asked, web: strict })
  const answers = await Promise.all([ask(), ask(), ask(), ask(), ask()])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 429, 429, 429, 429])
  expect(answers.find(({ status }) => status === 429)?.body.code).toBe('live.too_many_sessions')
  const made = answers.find(({ status }) => status === 201)?.body as { evidence: Evidence; evidence_token: string }
  const [id, token] = [made.evidence.id, made.evidence_token]
  const kept = async () => {
    const { rows } = await sql<{
      source: Buffer | null
    }>`select live_source as source from evidence where id = ${id}::uuid`.execute(database.db)
    return rows[0]?.source ?? null
  }
  expect((await kept())?.toString()).not.toContain('127')
  // Static captures are not counted.
  expect((await call('POST', '/evidences/', { body: { ...asked, action: 'static' }, web: strict })).status).toBe(201)
  await sql`update evidence set status = 'failed', failure = '{"code":"no_server","data":{}}' where id = ${id}::uuid`.execute(
    database.db,
  )
  expect(await kept()).toBeNull()
  const retried = await call('POST', `/evidences/${id}/retry/`, { token, web: strict })
  expect(retried.status).toBe(201)
  expect(retried.body).toMatchObject({ action: 'interactive', options: { device: 'desktop' } })
  expect((await ask()).status).toBe(429)
  await sql`truncate evidence cascade`.execute(database.db)
})

test('a ticket is read as it was issued, and by nobody without the secret', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const of = { evidenceId: randomUUID(), role: 'witness', witnessId: randomUUID() } as const
  const { ticket, expiresAt } = issueTicket(secret, now, of)
  expect(ticket.length).toBeLessThanOrEqual(600)
  expect(readTicket(secret, now, ticket)).toMatchObject({ ...of, until: expiresAt.getTime() })
  expect(readTicket(secret, expiresAt, ticket)).toBeNull()
  expect(readTicket('t'.repeat(32), now, ticket)).toBeNull()
  for (let at = 0; at < ticket.length; at += 1) {
    const flipped = `${ticket.slice(0, at)}${ticket[at] === 'A' ? 'B' : 'A'}${ticket.slice(at + 1)}`
    // The last character carries bits that are no part of the signature.
    if (
      Buffer.from(flipped.split('.')[1] ?? '', 'base64url').equals(Buffer.from(ticket.split('.')[1] ?? '', 'base64url')) &&
      flipped.split('.')[0] === ticket.split('.')[0]
    )
      continue
    expect(readTicket(secret, now, flipped)).toBeNull()
  }
})
