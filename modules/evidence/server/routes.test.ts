import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import jpeg from 'jpeg-js'
import { sql } from 'kysely'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createFolderBlobStore } from '../../../platform/blobs/folder-blob-store.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { listen, type Listener } from '../../../platform/db/listen.ts'
import { createHttpServer } from '../../../platform/http/server.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { haveServer } from '../../../testing/capture-server.ts'
import { withDatabase } from '../../../testing/database.ts'
import { loadScenarios } from '../../capture/server/index.ts'
import type { Evidence } from '../contract/evidence.ts'
import { draftLifetimeMs } from '../domain/status.ts'
import { createEvidenceChanges, evidenceChannel } from './record/evidence-changes.ts'
import { evidenceRoutes } from './routes.ts'
import { sampleFacts } from './sample-facts.test-data.ts'
import { storeBytes } from './files/store-files.ts'
import { insertFiles } from './files/file-store.ts'
import { insertSeal } from './seal/seal-store.ts'
import { claimNext, closeCapture, recordProgress } from './queue/lease-store.ts'
import { changeStatus, findEvidence } from './record/store.ts'

const database = withDatabase()
const folder = mkdtempSync(join(tmpdir(), 'probant-routes-'))
const blobs = createFolderBlobStore(folder)
const secret = 's'.repeat(32)
const picture = new Uint8Array([137, 80, 78, 71])
let server: Awaited<ReturnType<typeof createHttpServer>>
let subscription: Listener
let origin: string

beforeAll(async () => {
  const clock = { now: () => new Date() }
  const changes = createEvidenceChanges()
  subscription = await listen(database.url, evidenceChannel, (payload) => changes.announce(payload))
  const routes = evidenceRoutes(
    { db: database.db, blobs, clock, log: silentLog, secret, allowAddresses: [], scenarios: await loadScenarios(null) },
    changes,
  )
  server = await createHttpServer({ config: loadConfig({}), log: silentLog, secret, routes, health: {} })
  await server.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${String((server.server.address() as AddressInfo).port)}`
})

afterAll(async () => {
  await server.close()
  await subscription.close()
  rmSync(folder, { recursive: true, force: true })
})

type Answer = { status: number; body: Record<string, unknown>; headers: Headers }

async function call(
  method: string,
  path: string,
  options: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      ...(options.token === undefined ? {} : { 'x-evidence-token': options.token }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown>, headers: response.headers }
}

async function create(url = 'example.org/page'): Promise<{ id: string; token: string }> {
  const { status, body } = await call('POST', '/evidences/', { body: { url, action: 'static', locale: 'en' } })
  expect(status).toBe(201)
  return { id: (body['evidence'] as Evidence).id, token: body['evidence_token'] as string }
}

/** Takes the oldest waiting evidence through its capture and seal, as the other roles would. */
async function capture(id: string, seen: Uint8Array = picture): Promise<void> {
  const claim = await claimNext(database.db, await haveServer(database.db, 'a'), 60)
  if (claim?.id !== id) throw new Error('another evidence was claimed')
  await recordProgress(database.db, id, claim.fence, { phase: 'capturing', step: 'screenshot' })
  const described = {
    path: 'capture/viewport.png',
    section: 'piece',
    role: 'viewport_screenshot',
    mediaType: 'image/png',
  } as const
  const file = await storeBytes(blobs.scope(id), described, seen)
  await database.db.transaction().execute(async (tx) => {
    await closeCapture(tx, id, claim.fence, { status: 'completing', facts: sampleFacts })
    await insertFiles(tx, id, [file])
    const summary = {
      format: 'probant-seal/1' as const,
      root: file.sha256,
      signed_at: '2026-11-21T10:00:10.000Z',
      signer: { subject: 'Probant platform seal', serial: '1', sha256: file.sha256 },
      timestamps: [],
      pending_authorities: [],
    }
    await insertSeal(tx, id, { root: file.sha256.replace(/^../, id.slice(-2)), summary, sealedAt: new Date() })
    await changeStatus(tx, id, 'to_validate', new Date(), { expiresAt: new Date(Date.now() + draftLifetimeMs) })
  })
}

test('C-27 P-01 anybody may ask for a capture; both slash forms answer (H-02)', async () => {
  for (const path of ['/evidences/', '/evidences']) {
    const { status, body, headers } = await call('POST', path, { body: { url: 'example.org', action: 'static', locale: 'fr' } })
    expect(status).toBe(201)
    expect(body['evidence']).toMatchObject({
      page_url: 'https://example.org/',
      status: 'queued',
      locale: 'fr',
      preview: null,
      seal: null,
    })
    expect(body['evidence_token']).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

test('E-25 D-03 what was chosen is kept with the evidence, and a retry asks the same', async () => {
  const asked = { url: 'example.org', action: 'static', locale: 'en', scenario: 'scroll-slowly', close_cookies: true }
  const { status, body } = await call('POST', '/evidences/', { body: asked })
  expect(status).toBe(201)
  const { id, options } = body['evidence'] as Evidence
  expect(options).toEqual({ scenario: 'scroll-slowly', close_cookies: true, server: null, device: 'desktop' })
  const kept = await findEvidence(database.db, id)
  expect(kept?.options).toMatchObject({ closeCookies: true, scenario: { id: 'scroll-slowly', input: {} } })
  // The file's own text, byte for byte: it goes into the package.
  const file = new URL('../../capture/scenarios/scroll-slowly.json', import.meta.url)
  expect(kept?.options.scenario?.text).toBe(readFileSync(file, 'utf8'))
  await sql`update evidence set status = 'failed', failure = '{"code":"internal","data":{}}' where id = ${id}::uuid`.execute(
    database.db,
  )
  const retried = await call('POST', `/evidences/${id}/retry/`, { token: body['evidence_token'] as string })
  expect(retried.status).toBe(201)
  expect((await findEvidence(database.db, retried.body['id'] as string))?.options).toEqual(kept?.options)
})

test.each([
  [{ scenario: 'nowhere' }, { scenario: ['unknown'] }],
  [{ scenario: '../../etc/passwd' }, { scenario: ['unknown'] }],
  [{ scenario: 'normal', scenario_input: { q: 'x' } }, { 'scenario_input.q': ['unknown'] }],
  [{ scenario_input: { q: 'x' } }, { scenario: ['required'] }],
  [{ server: 'nowhere' }, { server: ['unknown'] }],
  [{ server: 'a\u0000b' }, { server: ['invalid'] }],
])('C-27 an option that does not exist is refused and its field named: %j', async (options, fields) => {
  const { status, body } = await call('POST', '/evidences/', {
    body: { url: 'example.org', action: 'static', locale: 'en', ...options },
  })
  expect(status).toBe(400)
  expect(body['fields']).toEqual(fields)
})

test.each([
  ['V-24', { action: 'static', locale: 'en' }, 'url'],
  ['V-25', { url: 'not an address', action: 'static', locale: 'en' }, 'url'],
  ['V-25', { url: 'http://192.168.1.1/', action: 'static', locale: 'en' }, 'url'],
  ['V-27', { url: 'https://example.org/', locale: 'en' }, 'action'],
  ['V-27', { url: 'https://example.org/', action: 'both', locale: 'en' }, 'action'],
])('%s %j is refused with the field named', async (_, body, field) => {
  const { status, body: error } = await call('POST', '/evidences/', { body })
  expect(status).toBe(400)
  expect(Object.keys(error['fields'] as object)).toEqual([field])
  expect(error['request_id']).toBeTruthy()
})

test('C-25 C-34 P-16 only the holder reads; others are told that there is nothing', async () => {
  const { id, token } = await create()
  const other = await create()
  for (const path of [`/evidences/${id}/`, `/evidences/${id}/status/`, `/evidences/${id}/proof_health/`]) {
    // What is not sealed yet has no proofs.
    expect((await call('GET', path, { token })).status).toBe(path.endsWith('/proof_health/') ? 409 : 200)
    for (const wrong of [other.token, 'x', undefined]) {
      const refused = await call('GET', path, wrong === undefined ? {} : { token: wrong })
      expect([401, 404]).toContain(refused.status)
      expect(refused.body).not.toHaveProperty('page_url')
    }
  }
})

test('C-24 E-58 the list is a page object of what the token holds, with search, order and category', async () => {
  await sql`truncate evidence cascade`.execute(database.db)
  const { id, token } = await create('https://example.org/one_100%')
  await create('https://elsewhere.example.com/')
  await capture(id)
  const retried = await call('POST', `/evidences/${id}/retry/`, { token })
  expect(retried.status).toBe(201)
  const list = async (query: string) => (await call('GET', `/evidences/${query}`, { token })).body
  const all = await list('?page_size=1')
  expect(all).toMatchObject({ count: 2, previous: null })
  expect(all['next']).toContain('page=2')
  const second = (await call('GET', all['next'] as string, { token })).body
  expect(second).toMatchObject({ count: 2, next: null })
  expect((second['results'] as Evidence[]).map((one) => one.id)).toEqual([id])
  expect(await list('?search=one_100%25')).toMatchObject({ count: 2 })
  expect(await list('?search=oneX100')).toMatchObject({ count: 0, results: [] })
  expect(await list('?category=completed')).toMatchObject({ count: 0 })
  expect(((await list('?ordering=created_at'))['results'] as Evidence[]).map((one) => one.id)[0]).toBe(id)
  expect((await call('GET', '/evidences/')).status).toBe(401)
})

test('S-32…S-37 a live page hears each change, and can resume after what it has seen', async () => {
  await sql`truncate evidence cascade`.execute(database.db)
  const { id, token } = await create()
  const stop = new AbortController()
  const response = await fetch(`${origin}/evidences/${id}/events/`, {
    headers: { 'x-evidence-token': token },
    signal: stop.signal,
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const seen: { id: string; evidence: Evidence }[] = []
  const reader = (async () => {
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk)
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (data !== undefined) seen.push({ id: /^id: (.*)$/m.exec(block)?.[1] ?? '', evidence: JSON.parse(data) as Evidence })
      }
      if (seen.at(-1)?.evidence.status === 'to_validate') return
    }
  })()
  await vi.waitUntil(() => seen.length > 0, { timeout: 30_000, interval: 10 })
  await capture(id)
  await reader
  stop.abort()
  const last = seen.at(-1)
  expect(seen[0]?.evidence.status).toBe('queued')
  expect(seen[0]?.evidence.phase).toMatchObject({ name: 'waiting_environment', reason: 'queue', queue_position: 1 })
  expect(last?.evidence.phase.name).toBe('finished')
  expect(seen.map((one) => Number(one.id))).toEqual(seen.map((one) => Number(one.id)).sort((a, b) => a - b))
  // Resumed after the last version: nothing is sent again until something changes.
  const again = new AbortController()
  const resumed = await fetch(`${origin}/evidences/${id}/events/`, {
    headers: { 'x-evidence-token': token, 'last-event-id': last?.id ?? '' },
    signal: again.signal,
  })
  const next = (async () => {
    let text = ''
    for await (const chunk of resumed.body ?? []) {
      text += new TextDecoder().decode(chunk)
      const data = /^data: (.*)$/m.exec(text)?.[1]
      if (data !== undefined && text.endsWith('\n\n')) return JSON.parse(data) as Evidence
    }
    throw new Error('the stream ended')
  })()
  await call('POST', `/evidences/${id}/agree/`, { token })
  expect((await next).status).toBe('finalizing')
  again.abort()
})

test('E-26 E-27 E-30 a capture tells where it stands, when it was asked for and made, and has its images by link', async () => {
  await sql`truncate evidence cascade`.execute(database.db)
  const { id, token } = await create()
  const read = async () => (await call('GET', `/evidences/${id}/`, { token })).body as unknown as Evidence
  const asked = await read()
  expect([asked.status, asked.phase.name, asked.captured_at, asked.preview]).toEqual([
    'queued',
    'waiting_environment',
    null,
    null,
  ])
  await capture(id)
  const made = await read()
  expect([made.status, made.phase.name, made.created_at]).toEqual(['to_validate', 'finished', asked.created_at])
  expect(Date.parse(made.captured_at ?? '')).not.toBeNaN()
  expect(made.preview?.images).toMatchObject([{ path: 'capture/viewport.png', kind: 'viewport', width: 1280, height: 800 }])
  expect((await fetch(`${origin}${made.preview?.images[0]?.url ?? ''}`)).status).toBe(200)
})

test('files are reached by signed link alone; captured content runs nothing', async () => {
  await sql`truncate evidence cascade`.execute(database.db)
  const { id, token } = await create()
  await capture(id)
  const { body } = await call('GET', `/evidences/${id}/`, { token })
  const link = (body as unknown as Evidence).preview?.images[0]?.url ?? ''
  const response = await fetch(`${origin}${link}`)
  expect(response.status).toBe(200)
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(picture)
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  const part = await fetch(`${origin}${link}`, { headers: { range: 'bytes=1-2' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1-2/4'])
  const altered = link.replace('viewport.png', 'full-page-001.png')
  expect((await fetch(`${origin}${altered}`)).status).toBe(403)
  expect((await fetch(`${origin}/files/${id}/piece/?path=capture%2Fviewport.png`)).status).toBeGreaterThanOrEqual(400)
  // The package exists once the evidence is final.
  const early = await call('GET', `/evidences/${id}/generate_zip_archive/?full=true&language=en`, { token })
  expect([early.status, early.body['code']]).toEqual([409, 'evidence.not_ready'])
})

test('E-26 a list has a small picture of what was seen, under one address all through an hour; of what is no picture it has none', async () => {
  await sql`truncate evidence cascade`.execute(database.db)
  const { id, token } = await create()
  const png = new PNG({ width: 1280, height: 800 })
  png.data.fill(255)
  // The upper half is red.
  for (let at = 0; at < png.data.length / 2; at += 4) png.data.writeUInt32BE(0xff_00_00_ff, at)
  const whole = PNG.sync.write(png)
  await capture(id, whole)
  const listed = async () => {
    const { body } = await call('GET', '/evidences/?page_size=20', { token })
    return (body['results'] as Evidence[])[0]?.preview?.thumbnail_url ?? ''
  }
  const link = await listed()
  expect(await listed()).toBe(link)
  const response = await fetch(`${origin}${link}`)
  expect([response.status, response.headers.get('content-type'), response.headers.get('content-security-policy')]).toEqual([
    200,
    'image/jpeg',
    expect.stringContaining('sandbox'),
  ])
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.length).toBeLessThan(6_000)
  const { width, height, data } = jpeg.decode(bytes)
  expect([width, height]).toEqual([144, 90])
  const red = [...data.subarray(4 * (10 * width + 70), 4 * (10 * width + 70) + 3)]
  expect(Math.max(...red.map((one, i) => Math.abs(one - ([255, 0, 0][i] ?? 0))))).toBeLessThan(12)
  const again = await fetch(`${origin}${link}`, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  expect((await fetch(`${origin}${link.replace('thumbnail=true', 'thumbnail=false')}`)).status).toBe(403)
  await call('POST', `/evidences/${id}/reject/`, { token })
  expect((await fetch(`${origin}${link}`)).status).toBe(410)

  const none = await create()
  await capture(none.id)
  const other = await call('GET', `/evidences/${none.id}/`, { token: none.token })
  expect((await fetch(`${origin}${(other.body as unknown as Evidence).preview?.thumbnail_url ?? ''}`)).status).toBe(404)
})

test('S-39 what was rejected is gone, its links too', async () => {
  await sql`truncate evidence cascade`.execute(database.db)
  const { id, token } = await create()
  await capture(id)
  const link = ((await call('GET', `/evidences/${id}/`, { token })).body as unknown as Evidence).preview?.images[0]?.url ?? ''
  const rejected = await call('POST', `/evidences/${id}/reject/`, { token })
  expect(rejected.body).toMatchObject({ status: 'rejected', preview: null, seal: null })
  expect((await fetch(`${origin}${link}`)).status).toBe(410)
  expect((await call('POST', `/evidences/${id}/agree/`, { token })).status).toBe(409)
})
