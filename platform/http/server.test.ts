import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Actor } from '../../kernel/actor.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { DomainError } from '../../kernel/errors.ts'
import { wireError } from '../../kernel/wire-error.ts'
import { loadConfig } from '../config/config.ts'
import { silentLog, type Log } from '../log/log.ts'
import type { Authenticate } from './authenticate.ts'
import type { HealthChecks } from './health.ts'
import { route, type Route } from './route.ts'
import { createHttpServer } from './server.ts'
import { sendEvents } from './answer/events.ts'
import { signLink } from './answer/signed-link.ts'
import { sendStream } from './answer/stream.ts'

const secret = 's'.repeat(32)
const clock = { now: () => new Date('2026-11-21T10:00:00Z') }
const content = Buffer.from('0123456789')

const noteBody = z.object({
  title: z.string({ error: 'required' }).max(5, { error: 'too_long' }),
  size: z.int().optional(),
  inner: z.object({ n: z.number() }).optional(),
})
const note = z.object({ id: z.uuid(), title: z.string(), token: z.string().nullable() })
const id = '018f0000-0000-7000-8000-000000000001'

const createNote = endpoint({
  method: 'POST',
  path: '/notes/',
  summary: 'Create',
  access: ['open'],
  body: noteBody,
  response: note,
  status: 201,
})
const readNote = endpoint({
  method: 'GET',
  path: '/notes/:id/',
  summary: 'Read',
  access: ['evidence_token'],
  params: z.object({ id: z.uuid() }),
  response: note,
})
const download = endpoint({
  method: 'GET',
  path: '/files/:name/',
  summary: 'Get',
  access: ['signed_link'],
  params: z.object({ name: z.string() }),
  query: z.object({ expires: z.coerce.number(), signature: z.string() }),
  response: 'stream',
})
// As a contract that was written for another version of the guards: the type forbids it, the door must too.
const misguarded = endpoint({
  method: 'GET',
  path: '/misguarded/',
  summary: 'Guarded by nothing known',
  access: ['overseer' as 'user'],
  response: note,
})
const accounts = endpoint({ method: 'GET', path: '/account/', summary: 'Account', access: ['user'], response: note })
const fails = endpoint({
  method: 'GET',
  path: '/fails/:how/',
  summary: 'Fail',
  access: ['open'],
  params: z.object({ how: z.string() }),
  query: z.object({ language: z.string().optional() }),
  response: note,
})
const live = endpoint({ method: 'GET', path: '/live/', summary: 'Live', access: ['open'], response: 'events' })

let aborted = Promise.withResolvers<void>()
let produced = 0

const routes: Route[] = [
  route(createNote, async ({ body }) => ({ id, title: body.title, token: null })),
  route(readNote, async ({ params, evidenceToken }) => ({ id: params.id, title: 'x', token: evidenceToken ?? null })),
  route(
    download,
    async ({ request, reply, params }) =>
      await sendStream(reply, request, {
        totalBytes: content.length,
        mediaType: 'text/html; charset=utf-8',
        disposition: 'inline',
        fileName: params.name,
        etag: 'abc',
        captured: true,
        open: async ({ start, end }) => Readable.from([content.subarray(start, end + 1)]),
      }),
  ),
  route(accounts, async () => ({ id, title: 'x', token: null })),
  route(fails, async ({ params }) => {
    if (params.how === 'domain') throw new DomainError('limited', 'http.rate_limited', { seconds: 7 })
    if (params.how === 'wordless') throw new DomainError('conflict', 'notes.no_words', {}, { fields: { title: ['taken'] } })
    if (params.how === 'library') throw Object.assign(new Error('secret detail'), { statusCode: 404 })
    if (params.how === 'shape') return { id: 'not a uuid', title: 'x', token: null }
    throw new Error('secret detail')
  }),
  route(
    live,
    async ({ reply, request, admission }) =>
      await sendEvents(reply, admission, async function* (signal) {
        try {
          const { size } = z.object({ size: z.coerce.number().optional() }).parse(request.query)
          if (size === undefined) {
            yield { id: '1', event: 'note', data: { text: 'a\nb' } }
            yield { id: '2\nevent: forged', data: 2 }
          } else {
            for (produced = 0; produced < 10_000 && !signal.aborted; produced += 1) yield { data: 'x'.repeat(size) }
          }
          await once(signal, 'abort')
        } finally {
          aborted.resolve()
        }
      }),
  ),
]

const servers: FastifyInstance[] = []
type StartOptions = {
  authenticate?: Authenticate
  env?: Record<string, string>
  health?: HealthChecks
  log?: Log
  routes?: readonly Route[]
  openStreams?: { perAsker: number; inAll: number }
  ownsHost?: (host: string) => boolean
}

async function start(options: StartOptions = {}): Promise<FastifyInstance> {
  const app = await createHttpServer({
    config: loadConfig(options.env ?? {}),
    log: options.log ?? silentLog,
    routes: options.routes ?? routes,
    health: options.health ?? {},
    secret,
    clock,
    ...(options.authenticate === undefined ? {} : { authenticate: options.authenticate }),
    ...(options.ownsHost === undefined ? {} : { ownsHost: options.ownsHost }),
    ...(options.openStreams === undefined ? {} : { openStreams: options.openStreams }),
  })
  servers.push(app)
  return app
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map(async (server) => await server.close()))
})

describe('API', () => {
  test.each(['/notes/', '/notes'])('H-02 answers %s', async (url) => {
    const answer = await (await start()).inject({ method: 'POST', url, payload: { title: 'abc' } })
    expect([answer.statusCode, answer.json()]).toEqual([201, { id, title: 'abc', token: null }])
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('X-05 H-06 names each refused field, in the language asked for', async () => {
    const app = await start()
    const answer = await app.inject({
      method: 'POST',
      url: '/notes/',
      payload: { size: 'x', inner: { n: 'y' } },
      headers: { 'accept-language': 'fr-FR,fr;q=0.9,en;q=0.8' },
    })
    expect(answer.statusCode).toBe(400)
    const error = wireError.parse(answer.json())
    expect(error).toMatchObject({ code: 'http.invalid_request', message: 'Certaines valeurs ne sont pas valables.' })
    expect(error.fields).toEqual({ title: ['required'], size: ['invalid'], 'inner.n': ['invalid'] })
    expect(error.request_id).toBe(answer.headers['x-request-id'])
    const long = await app.inject({ method: 'POST', url: '/notes/', payload: { title: 'abcdef' } })
    expect(wireError.parse(long.json()).fields).toEqual({ title: ['too_long'] })
    const none = await app.inject({ method: 'POST', url: '/notes/' })
    expect([none.statusCode, wireError.parse(none.json()).fields]).toEqual([400, { body: ['invalid'] }])
  })

  test.each([
    ['domain', 429, 'http.rate_limited', 'Too many requests from your network. Try again in 7 seconds.'],
    ['wordless', 409, 'notes.no_words', 'The present state does not allow this.'],
  ])('renders an expected failure: %s', async (how, status, code, message) => {
    const answer = await (await start()).inject(`/fails/${how}/`)
    expect(answer.statusCode).toBe(status)
    expect(wireError.parse(answer.json())).toMatchObject({ code, message })
    expect(answer.headers['retry-after']).toBe(how === 'domain' ? '7' : undefined)
  })

  test('R-29 X-18 an unknown route guard opens nothing: 500 with its own words', async () => {
    const answer = await (
      await start({ routes: [route(misguarded, async () => ({ id, title: 'x', token: null }))] })
    ).inject('/misguarded/')
    expect(answer.statusCode).toBe(500)
    expect(wireError.parse(answer.json())).toMatchObject({ code: 'http.unknown_middleware', message: 'Unknown middleware' })
  })

  test.each(['defect', 'library', 'shape'])('X-05 H-06 shows nothing of a defect (%s), and logs it', async (how) => {
    const logged: unknown[] = []
    const log: Log = { ...silentLog, error: (...entry: unknown[]) => void logged.push(entry) }
    const answer = await (await start({ log })).inject(`/fails/${how}/?language=fr`)
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toMatch(/secret|uuid|stack/)
    expect(wireError.parse(answer.json())).toMatchObject({
      code: 'http.internal',
      message: expect.stringContaining('de notre côté'),
    })
    expect(logged).toHaveLength(1)
  })

  test.each([
    ['{"title":', 'application/json', 400, 'http.malformed_json'],
    ['title=x', 'application/x-www-form-urlencoded', 415, 'http.unsupported_media_type'],
    ['x', 'text/plain', 415, 'http.unsupported_media_type'],
    [`{"title":"${'x'.repeat(300_000)}"}`, 'application/json', 413, 'http.too_large'],
    ['{"__proto__":{"title":"x"},"title":"x"}', 'application/json', 400, 'http.malformed_json'],
  ])('refuses the body %#', async (payload, type, status, code) => {
    const answer = await (await start()).inject({ method: 'POST', url: '/notes/', payload, headers: { 'content-type': type } })
    expect([answer.statusCode, wireError.parse(answer.json()).code]).toEqual([status, code])
  })

  test.each(['gzip', 'br', 'deflate', 'zstd', 'gzip, identity', 'x'])('ASVS 5.2.3 unpacks no body: %s', async (coding) => {
    const answer = await (
      await start()
    ).inject({ method: 'POST', url: '/notes/', payload: { title: 'x' }, headers: { 'content-encoding': coding } })
    expect([answer.statusCode, wireError.parse(answer.json()).code]).toEqual([415, 'http.unsupported_media_type'])
  })

  test('answers 404 in its error shape, also to malformed addresses', async () => {
    const app = await start()
    for (const url of ['/nothing/', '/notes/%ff/', '/notes/%00/x/']) {
      const answer = await app.inject(url)
      expect([url, answer.statusCode >= 400 && answer.statusCode < 500, wireError.safeParse(answer.json()).success]).toEqual([
        url,
        true,
        true,
      ])
    }
  })

  test('no NUL reaches a call, no dot segment a file, no name that stands twice a body', async () => {
    const app = await start()
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    // As it stands, with nothing resolved.
    const get = async (path: string) => {
      const [answer] = (await once(httpRequest({ port, host: '127.0.0.1', path }).end(), 'response')) as [IncomingMessage]
      answer.resume()
      return answer.statusCode
    }
    for (const url of [
      '/fails/x%00y/',
      '/fails/x/?language=%00',
      '/api/docs/static/..',
      '/api/docs/static/%2e%2E/x',
      '/./health/',
      '/%2E/health/',
    ])
      expect([url, await get(url)]).toEqual([url, 400])
    expect(await get('/health/?a=..&b=/../')).toBe(200)
    const post = async (payload: string) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await app.inject({ method: 'POST', url: '/notes/', headers, payload })
      return wireError.parse(answer.json())
    }
    for (const payload of ['{"title":"a","title":"b"}', '{"__proto__":{}}', '{', ''])
      expect([payload, (await post(payload)).code]).toEqual([payload, 'http.malformed_json'])
    // The contract's own word for a field comes first.
    for (const payload of ['{"title":"a\\u0000"}', '{"title":"\\ud800"}'])
      expect(await post(payload)).toMatchObject({ code: 'http.invalid_request', fields: { title: ['invalid'] } })
  })

  test('another’s host is refused; whether the machine is well is told by any', async () => {
    const app = await start({ ownsHost: (host) => host === 'probant.example' })
    const at = async (host: string, url: string) => {
      const answer = await app.inject({ method: 'GET', url, headers: { host } })
      return [answer.statusCode, answer.json<{ code?: string }>().code]
    }
    expect(await at('evil.example', '/account/')).toEqual([400, 'http.unknown_host'])
    expect(await at('probant.example', '/account/')).toEqual([401, 'http.sign_in_required'])
    expect(await at('10.1.2.3', '/health/')).toEqual([200, undefined])
  })

  test('a sender that hangs up in the middle is no error of ours', async () => {
    const written: string[] = []
    const app = await start({
      log: { ...silentLog, error: () => void written.push('error'), warn: () => void written.push('warning') },
    })
    const closed = Promise.withResolvers<undefined>()
    app.server.once('request', (incoming: IncomingMessage) => incoming.once('close', () => closed.resolve(undefined)))
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const headers = { 'content-type': 'application/json', 'content-length': '1000' }
    const request = httpRequest({ port, host: '127.0.0.1', path: '/notes/', method: 'POST', headers })
    request.on('error', () => undefined)
    request.write('{"title":')
    await once(app.server, 'request')
    request.destroy()
    await closed.promise
    // A whole call after it: what is said of the first has been said.
    expect((await fetch(`http://127.0.0.1:${port}/health/`)).status).toBe(200)
    expect(written).toEqual([])
  })

  test('a route says who may call it, or there is no server', () => {
    const silent = endpoint({ method: 'GET', path: '/x/', summary: 'x', access: [], response: note })
    expect(() => route(silent, async () => ({ id, title: '', token: null }))).toThrow('does not say who may call it')
  })

  test('admits nobody without the credential that the contract names', async () => {
    const app = await start()
    expect((await app.inject(`/notes/${id}/`)).json()).toMatchObject({ code: 'http.evidence_token_missing' })
    expect((await app.inject({ url: `/notes/${id}/`, headers: { 'x-evidence-token': 'abc' } })).json()).toMatchObject({
      token: 'abc',
    })
    expect((await app.inject({ url: `/notes/${id}/`, headers: { 'x-evidence-token': 'a'.repeat(201) } })).statusCode).toBe(401)
    expect((await app.inject('/account/')).statusCode).toBe(401)
    expect((await app.inject('/files/a/')).statusCode).toBe(403)
  })

  test('ASVS 16.3.1 16.3.2 16.3.3 writes down who is refused, by network and route, and no more than it can bear', async () => {
    const lines: Record<string, unknown>[] = []
    const log: Log = { ...silentLog, info: (...entry: unknown[]) => void lines.push(entry[0] as Record<string, unknown>) }
    const app = await start({ log })
    for (let i = 0; i < 130; i += 1)
      await app.inject({
        url: '/account/?secret=canary',
        headers: { authorization: 'Bearer canary' },
        remoteAddress: '203.0.113.9',
      })
    expect(lines).toHaveLength(120)
    expect(lines[0]).toEqual({
      request_id: expect.any(String),
      method: 'GET',
      route: '/account/',
      status: 401,
      code: 'http.sign_in_required',
      network: '203.0.113.0/24',
    })
    lines.splice(0)
    const other = await start({ log })
    await other.inject({ method: 'POST', url: '/notes/', payload: '{', headers: { 'content-type': 'application/json' } })
    await other.inject({ method: 'POST', url: '/notes/', payload: 'x', headers: { 'content-type': 'text/xml' } })
    await other.inject('/fails/wordless/')
    await other.inject('/nothing/')
    expect(lines.map(({ status, code }) => [status, code])).toEqual([
      [400, 'http.malformed_json'],
      [415, 'http.unsupported_media_type'],
    ])
  })

  test('limits anonymous writes per network, not per address', async () => {
    const app = await start()
    const post = async (remoteAddress: string) =>
      (await app.inject({ method: 'POST', url: '/notes/', payload: { title: 'x' }, remoteAddress })).statusCode
    const first = await Promise.all(Array.from({ length: 30 }, async (_, i) => await post(`203.0.113.${i}`)))
    expect(new Set(first)).toEqual(new Set([201]))
    expect([await post('203.0.113.200'), await post('203.0.114.1'), await post('2001:db8:0:aa01::1')]).toEqual([429, 201, 201])
  })

  test('ASVS 2.4.1 limits the calls of one user from one network, and of nobody else', async () => {
    const actor = (userId: string): Actor => ({
      userId,
      accountId: userId,
      delegation: null,
      sessionId: id,
      roles: new Set(),
      secondFactor: false,
      locale: 'en',
    })
    const app = await start({ authenticate: async ({ bearer }) => await Promise.resolve(actor(bearer)) })
    const get = async (user: string, remoteAddress: string) =>
      (await app.inject({ url: '/account/', headers: { authorization: `Bearer ${user}` }, remoteAddress })).statusCode
    const first = new Set<number>()
    for (let i = 0; i < 600; i += 1) first.add(await get('ada', `203.0.113.${i % 250}`))
    expect(first).toEqual(new Set([200]))
    expect([
      await get('ada', '203.0.113.251'),
      await get('ada', '198.51.100.1'),
      await get('bob', '203.0.113.251'),
      await get('ada', '127.0.0.1'),
    ]).toEqual([429, 200, 200, 200])
  })

  test('believes X-Forwarded-For from configured proxies only', async () => {
    const post = async (app: FastifyInstance, i: number) =>
      (
        await app.inject({
          method: 'POST',
          url: '/notes/',
          payload: { title: 'x' },
          remoteAddress: '198.51.100.1',
          headers: { 'x-forwarded-for': `203.0.${i}.1` },
        })
      ).statusCode
    const trusting = await start({ env: { PROBANT_TRUSTED_PROXIES: '198.51.100.0/24' } })
    const wary = await start()
    const codes = async (app: FastifyInstance) =>
      new Set(await Promise.all(Array.from({ length: 31 }, async (_, i) => await post(app, i))))
    expect([await codes(trusting), await codes(wary)]).toEqual([new Set([201]), new Set([201, 429])])
  })
})

describe('health', () => {
  test('says each dependency in words', async () => {
    const app = await start({ health: { database: async () => 'answers' } })
    expect((await app.inject('/health/')).json()).toMatchObject({
      status: 'ok',
      checks: { database: { ok: true, detail: 'answers' } },
    })
  })

  test('is 503 when one fails, without telling strangers why', async () => {
    const app = await start({
      health: { database: async () => Promise.reject(Object.assign(new Error('password of bob'), { code: 'ECONNREFUSED' })) },
    })
    const answer = await app.inject('/health')
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({
      status: 'failing',
      checks: { database: { ok: false, detail: 'failing (ECONNREFUSED)' } },
    })
  })
})

describe('downloads', () => {
  const link = (name = 'a') => signLink(secret, `/files/${name}/`, new Date('2026-11-21T11:00:00Z'))
  const get = async (headers: Record<string, string> = {}, url = link()) => await (await start()).inject({ url, headers })

  test('come by a signed link, until it expires, with or without slash', async () => {
    expect((await get()).body).toBe('0123456789')
    expect((await get({}, link().replace('/?', '?'))).statusCode).toBe(200)
    expect((await get({}, signLink(secret, '/files/a/', new Date('2026-11-21T09:59:59Z')))).statusCode).toBe(410)
    expect((await get({}, link('a').replace('/a/', '/b/'))).statusCode).toBe(403)
    expect((await get({}, link().replace(/expires=\d/, 'expires=9'))).statusCode).toBe(403)
  })

  test('of captured content run nothing', async () => {
    const answer = await get()
    expect(answer.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' })
  })

  test.each([
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    ['bytes=3-5', 206, '345', 'bytes 3-5/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=7-99', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=5-4', 200, '0123456789', undefined],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
    ['lines=0-1', 200, '0123456789', undefined],
    ['bytes=a-b', 200, '0123456789', undefined],
  ])('answer Range: %s', async (range, status, body, contentRange) => {
    const answer = await get({ range })
    expect([answer.statusCode, answer.body, answer.headers['content-range']]).toEqual([status, body, contentRange])
    if (status !== 416) expect(answer.headers['content-length']).toBe(String(body.length))
  })

  test('honour If-Range, If-None-Match and HEAD', async () => {
    expect((await get({ range: 'bytes=0-0', 'if-range': '"abc"' })).statusCode).toBe(206)
    expect((await get({ range: 'bytes=0-0', 'if-range': '"old"' })).statusCode).toBe(200)
    expect((await get({ range: 'bytes=0-0', 'if-range': 'W/"abc"' })).statusCode).toBe(200)
    expect((await get({ 'if-none-match': 'W/"x", "abc"' })).statusCode).toBe(304)
    const head = await (await start()).inject({ method: 'HEAD', url: link() })
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '10'])
  })

  test.each([
    ['report.pdf', 'inline; filename="report.pdf"'],
    ['œuvre "1".pdf', `inline; filename="_uvre _1_.pdf"; filename*=UTF-8''%C5%93uvre%20_1_.pdf`],
    ['../../etc/passwd', `inline; filename="_.._etc_passwd"`],
    ['a\r\nSet-Cookie: x=1', 'inline; filename="aSet-Cookie_ x=1"'],
    ['a%0d.pdf;x', `inline; filename="a_0d.pdf_x"; filename*=UTF-8''a%250d.pdf%3Bx`],
    ['\u202Efdp.exe', 'inline; filename="fdp.exe"'],
    ['...', 'inline; filename="download"'],
  ])('are named safely: %j', async (name, expected) => {
    expect((await get({}, link(encodeURIComponent(name)))).headers['content-disposition']).toBe(expected)
  })
})

describe('events', () => {
  async function listening(): Promise<string> {
    const app = await start()
    await app.listen({ host: '127.0.0.1', port: 0 })
    return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  }

  test('arrive as they happen, through proxies, and cannot be forged; the source ends when the client leaves', async () => {
    aborted = Promise.withResolvers()
    const leave = new AbortController()
    const response = await fetch(`${await listening()}/live`, { signal: leave.signal })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.get('x-request-id')).not.toBeNull()
    let text = ''
    const wanted = ': open\n\nid: 1\nevent: note\ndata: {"text":"a\\nb"}\n\nid: 2 event: forged\ndata: 2\n\n'
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (text.length >= wanted.length) break
    }
    expect(text).toBe(wanted)
    leave.abort()
    await aborted.promise
  })

  test('of one asker and of all so many are open at a time: the newest is refused, and taken once another has ended', async () => {
    const app = await start({ openStreams: { perAsker: 3, inAll: 5 }, env: { PROBANT_TRUSTED_PROXIES: '127.0.0.1' } })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    const open = async (network: string) => {
      const leave = new AbortController()
      const response = await fetch(`${origin}/live/`, { signal: leave.signal, headers: { 'x-forwarded-for': network } })
      return { status: response.status, after: response.headers.get('retry-after'), leave: () => leave.abort(), response }
    }
    const held = [await open('203.0.113.1'), await open('203.0.113.2'), await open('203.0.113.3')]
    const refused = await open('203.0.113.4')
    expect([...held.map(({ status }) => status), refused.status, refused.after]).toEqual([200, 200, 200, 429, '30'])
    expect(await refused.response.json()).toMatchObject({ code: 'http.too_many_streams', data: { seconds: 30 } })
    // Others are not concerned, until all that the process bears are open.
    held.push(await open('198.51.100.1'), await open('198.51.101.1'))
    expect([held.map(({ status }) => status), (await open('198.51.102.1')).status]).toEqual([[200, 200, 200, 200, 200], 503])
    aborted = Promise.withResolvers()
    held[0]?.leave()
    await aborted.promise
    expect((await open('203.0.113.4')).status).toBe(200)
    expect((await open('203.0.113.5')).status).toBe(429)
    for (const { leave } of held) leave()
  })

  test('wait for a client that does not read', async () => {
    aborted = Promise.withResolvers()
    const origin = await listening()
    const request = httpRequest(`${origin}/live/?size=65536`).end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.pause()
    // Whole rounds of the server's loop pass, in which an unchecked source would have made all of its 640 MB.
    for (let round = 0; round < 20; round += 1) await (await fetch(`${origin}/health/`)).text()
    expect(produced).toBeGreaterThan(0)
    expect(produced).toBeLessThan(1000)
    request.destroy()
    await aborted.promise
  })
})

describe('documentation', () => {
  test('is OpenAPI 3.1 of every contract, and a page without anything from elsewhere', async () => {
    const app = await start()
    const document = (await app.inject('/api/docs/json')).json() as {
      openapi: string
      paths: Record<string, Record<string, { security?: unknown }>>
    }
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths).toSorted()).toEqual([
      '/account/',
      '/fails/{how}/',
      '/files/{name}/',
      '/health/',
      '/live/',
      '/notes/',
      '/notes/{id}/',
    ])
    expect(document.paths['/notes/{id}/']?.['get']?.security).toEqual([{ evidence_token: [] }])
    expect(document.paths['/notes/']?.['post']?.security).toEqual([])
    const page = await app.inject('/api/docs/')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/)
  })
})
