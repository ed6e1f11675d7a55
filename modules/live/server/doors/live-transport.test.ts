/** Viewers on their way to a session, and whoever is not let in. */
import { randomBytes, randomUUID } from 'node:crypto'
import { connect as connectTcp, type Socket } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Leaving, Viewer } from '../session/viewers/viewer.ts'
import { liveClose } from '../../contract/live.ts'
import { hashOf } from '../../../evidence/server/own/hold-evidence.ts'
import { recordProgress } from '../../../evidence/server/queue/lease-store.ts'
import { callSession, dialViewer } from './dial-session.ts'
import { findSession } from './session-store.ts'
import { patience, publicUrl, secret, welcomed, withLiveStack } from './live-stack.test-data.ts'
import { issueTicket, readTicket, ticketLifetimeMs } from './live-ticket.ts'
import { tabTitled, uploadPiece, viewerOf } from './scripted-session.test-data.ts'

const mebi = 1024 * 1024
const stack = withLiveStack()
const { database, startWeb, openDoor, call, startSession } = stack

describe('a viewer', () => {
  test('S-35 joins through any web process, whichever capture process has the session; both ways, bit for bit', async () => {
    const sessions = [await startSession(stack.doors[0]), await startSession(stack.doors[1])]
    const pictures = Array.from({ length: 40 }, (_, at) => randomBytes(1 + at * 997))
    for (const web of stack.webs)
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
    const viewer = viewerOf(stack.webs[0].origin, await session.ticket())
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
    const viewer = viewerOf(stack.webs[0].origin, null)
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
    const quitter = viewerOf(stack.webs[0].origin, await session.ticket())
    const other = viewerOf(stack.webs[1].origin, await session.ticket('watcher'))
    await Promise.all([quitter.until(welcomed), other.until(welcomed)])
    quitter.send({ type: 'quit' })
    expect(await quitter.closed).toEqual({ code: liveClose.ended, reason: 'ended' })
    expect((await other.closed).code).toBe(liveClose.ended)
    const third = viewerOf(stack.webs[1].origin, await session.ticket())
    await third.until(welcomed)
    await session.held.close()
    expect((await third.closed).code).toBe(liveClose.lost)
    const ticket = async () => {
      const { status, body } = await call('POST', `/evidences/${session.id}/live_ticket/`, { token: session.token, body: {} })
      return [status, body.code]
    }
    // Whatever has become of it: as long as nobody has said that it is over, it is worth asking again.
    expect(await ticket()).toEqual([503, 'live.not_yet'])
    await recordProgress(database.db, session.id, session.fence, { phase: 'completing', step: 'archive' })
    expect(await ticket()).toEqual([409, 'live.not_capturing'])
  })

  test('200 reconnects leave nothing', async () => {
    const session = await startSession()
    for (let round = 0; round < 20; round += 1) {
      const batch = []
      for (let each = 0; each < 10; each += 1) batch.push(viewerOf(stack.webs[each % 2]?.origin ?? '', await session.ticket()))
      await Promise.all(batch.map(async (viewer) => await viewer.until(welcomed)))
      for (const [at, viewer] of batch.entries()) {
        if (at % 2 === 0) viewer.socket.terminate()
        else viewer.socket.close()
      }
      await vi.waitUntil(() => session.live.viewers.size === 0, patience)
    }
    await vi.waitUntil(() => stack.webs.every((web) => web.viewers.connections() === 0), patience)
    expect(stack.doors.map((door) => door.connections())).toEqual([0, 0])
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from live_session`.execute(database.db)
    expect(rows).toEqual([{ count: 1 }])
  })
})

describe('whoever is not let in is told why, and harms nobody', () => {
  test('a ticket is good once, for its session, until its minute is over, and only as it was issued', async () => {
    const session = await startSession()
    const other = await startSession()
    const ticket = await session.ticket()
    const inside = viewerOf(stack.webs[0].origin, ticket)
    await inside.until(welcomed)
    // Through the other web process, which has never seen it.
    expect(await viewerOf(stack.webs[1].origin, ticket).closed).toEqual({ code: liveClose.refused, reason: 'ticket' })
    const ground = { by: 'token', hash: hashOf(session.token).toString('base64url') } as const
    const mine = { evidenceId: session.id, role: 'controller', ground } as const
    const late = issueTicket(secret, new Date(Date.now() - ticketLifetimeMs - 1), mine).ticket
    const foreign = issueTicket('x'.repeat(32), new Date(), mine).ticket
    const [body = '', signature = ''] = (await session.ticket()).split('.')
    const altered = Buffer.from(Buffer.from(body, 'base64url').toString().replace(session.id, other.id)).toString('base64url')
    for (const wrong of [late, foreign, `${altered}.${signature}`, `${body}.${signature}.`, body, '', 'x'.repeat(600)])
      expect(await viewerOf(stack.webs[0].origin, wrong).closed).toEqual({ code: liveClose.refused, reason: 'ticket' })
    for (const strange of [{ evidenceId: randomUUID() }, { ground: { ...ground, hash: hashOf('x').toString('base64url') } }])
      expect(
        await viewerOf(stack.webs[0].origin, issueTicket(secret, new Date(), { ...mine, ...strange }).ticket).closed,
      ).toEqual({
        code: liveClose.refused,
        reason: 'access_ended',
      })
    const tooLate = await other.ticket()
    await sql`delete from live_session where evidence_id = ${other.id}::uuid`.execute(database.db)
    expect(await viewerOf(stack.webs[0].origin, tooLate).closed).toEqual({ code: liveClose.refused, reason: 'not_capturing' })
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
      const viewer = viewerOf(stack.webs[0].origin, null)
      viewer.socket.once('open', () => viewer.socket.send(first))
      expect(await viewer.closed).toEqual(refused)
    }
    const binary = viewerOf(stack.webs[0].origin, null)
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
    const good = viewerOf(stack.webs[0].origin, await session.ticket())
    const bad = viewerOf(stack.webs[0].origin, await session.ticket())
    await Promise.all([good.until(welcomed), bad.until(welcomed)])
    bad.socket.send(message)
    expect(await bad.closed).toEqual({ code: liveClose.malformed, reason })
    good.send({ type: 'text', text: 'on' })
    await good.until((said) => said.type === 'tabs')
    expect(session.live.heard).toHaveLength(1)
    good.socket.close()
  })

  test('a defect in the face of one viewer ends his connection, and neither the process nor the others', async () => {
    const session = await startSession()
    const good = viewerOf(stack.webs[0].origin, await session.ticket())
    await good.until(welcomed)
    for (const broken of ['join', 'receive', 'leave'] as const) {
      const whole = session.live[broken]
      const viewer = broken === 'join' ? null : viewerOf(stack.webs[0].origin, await session.ticket())
      await viewer?.until(welcomed)
      Object.assign(session.live, {
        [broken]: () => {
          Object.assign(session.live, { [broken]: whole })
          throw new Error('a defect')
        },
      })
      const victim = viewer ?? viewerOf(stack.webs[0].origin, await session.ticket())
      if (broken === 'receive') victim.send({ type: 'text', text: 'x' })
      if (broken === 'leave') victim.socket.close()
      const { code } = await victim.closed
      if (broken !== 'leave') expect(code).toBe(liveClose.lost)
      await vi.waitUntil(() => session.live[broken] === whole, patience)
    }
    good.send({ type: 'text', text: 'on' })
    await good.until((said) => said.type === 'tabs')
    good.socket.close()
  })

  test('a message longer than any may be is not even taken up', async () => {
    const session = await startSession()
    const viewer = viewerOf(stack.webs[0].origin, await session.ticket())
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
    const viewer = viewerOf(stack.webs[0].origin, await session.ticket())
    await viewer.until(welcomed)
    for (let at = 0; at < 1_000; at += 1) viewer.send({ type: 'pointer', kind: 'move', x: at % 100, y: 0 })
    expect(await viewer.closed).toEqual({ code: liveClose.flooded, reason: 'flooded' })
    expect(session.live.heard).toHaveLength(500)
    await vi.waitUntil(() => session.live.viewers.size === 0, patience)
  })

  test('a viewer that stops reading costs bounded memory, is let go, and slows nobody', async () => {
    const session = await startSession()
    const reader = viewerOf(stack.webs[0].origin, await session.ticket('watcher'))
    await reader.until(welcomed)
    const [reading] = session.live.viewers
    const lazy = viewerOf(stack.webs[0].origin, await session.ticket('watcher'))
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

  test('S-35 before it has said what it wants, a connection is let go at the first octets of a message of megabytes', async () => {
    const viewer = viewerOf(stack.webs[0].origin, null)
    await new Promise((resolve) => viewer.socket.once('open', resolve))
    // The head of a message that is never finished (RFC 6455 §5.2): FIN and text, masked, 3,000,000 octets.
    const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x2d, 0xc6, 0xc0, 0, 0, 0, 0])
    const { _socket: raw } = viewer.socket as unknown as { _socket: Socket }
    raw.write(head)
    raw.write(Buffer.alloc(16 * 1024))
    expect((await viewer.closed).code).toBe(1006)
    // One that is well is still welcomed.
    const session = await startSession()
    const good = viewerOf(stack.webs[0].origin, await session.ticket())
    await good.until(welcomed)
    good.socket.close()
  })

  test('S-35 those who have not said what they want are few: of one network, and of all, where the longest makes room', async () => {
    const strange = await startWeb(false, 0, undefined, { perPrefix: 10, waitingPerPrefix: 2 })
    const own = await startWeb(true, 0, undefined, { waiting: 2 })
    onTestFinished(async () => {
      await strange.close()
      await own.close()
    })
    const come = async (origin: string) => {
      const viewer = viewerOf(origin, null)
      const status = await new Promise<number>((resolve) => {
        viewer.socket.once('open', () => resolve(101))
        viewer.socket.once('unexpected-response', (_request, response) => {
          resolve(response.statusCode ?? 0)
          response.destroy()
        })
      })
      return { viewer, status }
    }
    const statuses = []
    for (let at = 0; at < 3; at += 1) statuses.push((await come(strange.origin)).status)
    expect(statuses).toEqual([101, 101, 429])
    const session = await startSession()
    const greeted = viewerOf(own.origin, await session.ticket())
    await greeted.until(welcomed)
    const [first, second] = [await come(own.origin), await come(own.origin)]
    await come(own.origin)
    expect(await first.viewer.closed).toEqual({ code: liveClose.malformed, reason: 'hello' })
    expect(second.viewer.socket.readyState).toBe(second.viewer.socket.OPEN)
    greeted.send({ type: 'text', text: 'on' })
    await greeted.until((said) => said.type === 'tabs')
    greeted.socket.close()
  })

  test('C-31 who left without a word is told of with the time of the last message', async () => {
    const session = await startSession()
    const left = Promise.withResolvers<number>()
    Object.assign(session.live, {
      leave: (viewer: Viewer, how?: Leaving) => {
        session.live.viewers.delete(viewer)
        left.resolve(how !== undefined && 'silentMs' in how ? how.silentMs : -1)
      },
    })
    const viewer = viewerOf(stack.webs[0].origin, await session.ticket())
    await viewer.until(welcomed)
    const before = performance.now()
    viewer.send({ type: 'ping', at: 1 })
    await viewer.until((message) => message.type === 'pong')
    viewer.socket.terminate()
    const silent = await left.promise
    expect(silent).toBeGreaterThanOrEqual(0)
    expect(silent).toBeLessThanOrEqual(performance.now() - before)
  })

  test('whoever pings and does not read the answers is let go', async () => {
    const session = await startSession()
    const viewer = viewerOf(stack.webs[0].origin, await session.ticket())
    await viewer.until(welcomed)
    viewer.socket.pause()
    const payload = randomBytes(125)
    while (viewer.socket.readyState === viewer.socket.OPEN) {
      for (let at = 0; at < 5_000; at += 1) viewer.socket.ping(payload)
      await vi.waitUntil(() => viewer.socket.bufferedAmount < mebi || stack.webs[0].viewers.connections() === 0, patience)
      if (stack.webs[0].viewers.connections() === 0) viewer.socket.terminate()
    }
    await vi.waitUntil(() => session.live.viewers.size === 0, patience)
  })

  test('what comes faster than it is worked on is read later, whole and in order', async () => {
    const door = await openDoor({ burstBytes: 200_000, bytesPerSecond: 4 * mebi })
    onTestFinished(async () => await door.stop())
    const session = await startSession(door)
    const viewer = viewerOf(stack.webs[0].origin, await session.ticket())
    await viewer.until(welcomed)
    const pieces = Array.from({ length: 40 }, () => uploadPiece(64 * 1024))
    for (const piece of pieces) viewer.send(piece)
    await vi.waitUntil(() => viewer.bytes.length === pieces.length, patience)
    expect(viewer.bytes.every((bytes, at) => bytes.equals(pieces[at] ?? Buffer.alloc(0)))).toBe(true)
    viewer.socket.close()
  })

  test('another upgrade than to a WebSocket is declined by an ordinary answer', async () => {
    const socket = connectTcp(Number(new URL(stack.webs[0].origin).port), '127.0.0.1')
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
    const answer = await fetch(`${stack.webs[0].origin}/nowhere/`)
    expect(answer.status).toBe(404)
    const socket = connectTcp(Number(new URL(stack.webs[0].origin).port), '127.0.0.1')
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
    const wanted = {
      id: 'x',
      role: 'controller',
      witness: null,
      wants: { video: null, audio: false, touch: false },
      ground: { by: 'token', hash: hashOf(mine.token).toString('base64url') },
    } as const
    const refused = dialViewer(mine.id, { ...door, key: otherDoor.key }, { ...wanted, nonce: 'n' })
    expect(await new Promise((resolve) => refused.once('error', () => resolve('refused')))).toBe('refused')
    const nonsense = dialViewer(mine.id, door, { ...wanted, id: '', nonce: 'n' })
    nonsense.on('error', () => undefined)
    expect(await new Promise((resolve) => nonsense.once('close', resolve))).toBe(liveClose.malformed)
    // Whatever another process says of a viewer: this one asks whether it holds.
    const believed = dialViewer(mine.id, door, {
      ...wanted,
      ground: { by: 'session', session: randomUUID(), delegation: null },
      nonce: 'n',
    })
    believed.on('error', () => undefined)
    expect(await new Promise((resolve) => believed.once('close', resolve))).toBe(liveClose.refused)
    expect(mine.live.viewers.size).toBe(0)
  })

  test('bytes of strangers end where they came from', async () => {
    const session = await startSession()
    const viewer = viewerOf(stack.webs[0].origin, await session.ticket())
    await viewer.until(welcomed)
    const { hostname, port } = new URL(`http://${stack.doors[0].address}`)
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

test('a ticket is read as it was issued, and by nobody without the secret', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const ground = { by: 'witness', witness: randomUUID() } as const
  const of = { evidenceId: randomUUID(), role: 'witness', ground } as const
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
