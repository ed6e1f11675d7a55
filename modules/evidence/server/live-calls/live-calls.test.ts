/** What is asked of a session without a viewer: the specification's calls, another device, witnesses; and who may have one. */
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createAdmissions, type Admissions, type Ground } from '../../../../platform/admission/admissions.ts'
import { silentLog } from '../../../../platform/log/log.ts'
import { liveClose } from '../../../live/server/index.ts'
import type { Evidence } from '../../contract/evidence.ts'
import { hashOf } from '../own/hold-evidence.ts'
import { recordProgress } from '../queue/lease-store.ts'
import { haveAccount } from '../../../../testing/accounts.ts'
import { askForViewer } from './ask-for-viewer.ts'
import { letIn } from '../../../live/server/doors/hold-viewer.ts'
import { keepHandOff } from '../../../live/server/doors/hand-off-store.ts'
import { patience, welcomed, withLiveStack } from '../../../live/server/doors/live-stack.test-data.ts'
import { uploadPiece, viewerOf } from '../../../live/server/doors/scripted-session.test-data.ts'

const stack = withLiveStack()
const { database, startWeb, call, queueSession, startSession } = stack

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
    expect(await viewerOf(stack.webs[0].origin, await session.ticket()).closed).toEqual({
      code: liveClose.lost,
      reason: 'unreachable',
    })
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
    const take = async (code: string) => await call('POST', `/hand_off/${code}/`, { web: stack.webs[1] })
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
    const ticket = async () => await call('POST', '/live/witness_ticket/', { body: { token: link }, web: stack.webs[1] })
    const given = await ticket()
    expect(given.body).toMatchObject({ evidence_id: id, label: 'Maître Dupont' })
    const witness = viewerOf(stack.webs[1].origin, given.body['ticket'] as string)
    expect(await witness.until(welcomed)).toMatchObject({ role: 'witness' })
    const [joined] = session.live.viewers
    expect(joined?.witness).toMatchObject({ label: 'Maître Dupont' })
    witness.send({ type: 'release' })
    witness.send({ type: 'countersign', name: 'A. Dupont', statement: 'Vu.' })
    await vi.waitUntil(() => session.live.heard.length === 1, patience)
    expect(session.live.heard[0]?.message).toMatchObject({ type: 'countersign' })
    for (const message of [{ type: 'text', text: 'x' }, { type: 'quit' }, { type: 'take_control' }, uploadPiece(1)]) {
      const meddler = viewerOf(stack.webs[0].origin, (await ticket()).body['ticket'] as string)
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
    expect(await viewerOf(stack.webs[0].origin, unused).closed).toEqual({ code: liveClose.refused, reason: 'revoked' })
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
    expect((await ticket()).body.code).toBe('live.not_yet')
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
    }>`select asker as source from evidence where id = ${id}::uuid`.execute(database.db)
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

test('H-43 who looks at a session of an account that is suspended is let go, and no ticket or link opens it any more', async () => {
  const { db } = database
  const session = await startSession()
  const { id, token } = session
  const invited = await call('POST', `/evidences/${id}/witnesses/`, { token, body: { label: 'Maître Dupont' } })
  const link = async () => await call('POST', '/live/witness_ticket/', { body: { token: invited.body['token'] } })
  const viewer = viewerOf(stack.webs[0].origin, await session.ticket())
  const witness = viewerOf(stack.webs[1].origin, (await link()).body['ticket'] as string)
  await Promise.all([viewer.until(welcomed), witness.until(welcomed)])
  const unused = await session.ticket()
  const owner = await haveAccount(db)
  await db.updateTable('evidence').set({ owner_id: owner, created_by: owner }).where('id', '=', id).execute()
  await db.updateTable('account_user').set({ status: 'suspended', suspended_at: new Date() }).where('id', '=', owner).execute()
  expect(await viewer.closed).toEqual({ code: liveClose.refused, reason: 'access_ended' })
  expect(await witness.closed).toEqual({ code: liveClose.refused, reason: 'revoked' })
  expect(await viewerOf(stack.webs[0].origin, unused).closed).toEqual({ code: liveClose.refused, reason: 'access_ended' })
  expect((await link()).status).not.toBe(200)
  expect(session.live.viewers.size).toBe(0)
  // Nothing was done to the session itself.
  expect(session.live.calls).toEqual([])
})

test('H-43 who looks at a session of nobody hangs on the account that it passes to meanwhile', async () => {
  const { db } = database
  const { id, token } = await startSession()
  const invited = await call('POST', `/evidences/${id}/witnesses/`, { token, body: { label: 'Maître Dupont' } })
  const clock = { now: () => new Date() }
  const admissions = createAdmissions({ clock, log: silentLog })
  const grounds: Ground[] = []
  const noted: Admissions = {
    ...admissions,
    hold(...given) {
      const held = admissions.hold(...given)
      const hangOn = (ground: Ground) => (grounds.push(ground), held.hangOn(ground))
      grounds.push(...given)
      return { ...held, hangOn }
    },
  }
  const witness = (invited.body['witness'] as { id: string }).id
  const admission = await letIn(
    { db, clock, admissions: noted, ask: async (of, ground) => await askForViewer({ db, clock }, of, ground) },
    id,
    { by: 'witness', witness },
  )
  if (!('signal' in admission)) throw new Error(admission.reason)
  // What it comes to hang on is asked of its own accord too: it may have ended before the notice below.
  const ended = once(admission.signal, 'abort')
  const owner = await haveAccount(db)
  await db.updateTable('evidence').set({ owner_id: owner, created_by: owner }).where('id', '=', id).execute()
  await grounds[0]?.ask()
  expect(grounds.flatMap(({ ids }) => ids)).toContain(owner)
  await db.updateTable('account_user').set({ status: 'suspended', suspended_at: new Date() }).where('id', '=', owner).execute()
  admissions.announce(owner)
  await ended
  expect(admission.signal.reason).toMatchObject({ code: 'live.access_ended' })
})
