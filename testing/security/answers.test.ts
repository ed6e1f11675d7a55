/** What stands on every answer, of whatever kind, from the real server over TCP. */
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wireError } from '../../kernel/wire-error.ts'
import { signLink } from '../../platform/http/answer/signed-link.ts'
import { withDatabase } from '../database.ts'
import { linkSecret } from '../permissions/open-web-api.test-data.ts'
import { personOf } from '../permissions/people.ts'
import { openSite, publicUrl, type Site } from './open-site.test-data.ts'

const database = withDatabase()
let site: Site
beforeAll(async () => {
  site = await openSite(database.db)
})
afterAll(async () => await site.close())

type Answer = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: string }

/** Header and body of one answer; of a stream of events what came first. */
async function ask(path: string, headers: Record<string, string | string[]> = {}, method = 'GET'): Promise<Answer> {
  const sent = request(`${site.origin}${path}`, { method, headers, agent: false }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  let body = ''
  const isEvents = String(answer.headers['content-type']).startsWith('text/event-stream')
  for await (const part of answer) {
    body += String(part)
    if (isEvents) break
  }
  sent.destroy()
  return { status: answer.statusCode ?? 0, headers: answer.headers, body }
}

const html = { accept: 'text/html' }
const owner = () => ({ authorization: `Bearer ${personOf(site.world, 'owner').token}` })
const piece = () =>
  signLink(
    linkSecret,
    `/files/${site.world.owned.id}/piece/?path=${encodeURIComponent(site.world.piece)}`,
    new Date(Date.now() + 600_000),
  )

/** By its name: how it is got, and the status that shows it is the one meant. */
const kinds: Readonly<Record<string, [status: number, get: () => Promise<Answer>]>> = {
  'a page': [200, async () => await ask('/en/', html)],
  'a page not found': [404, async () => await ask('/en/nothing/', html)],
  'the root': [302, async () => await ask('/', html)],
  'a page without its slash': [308, async () => await ask('/fr/evidences/pending', html)],
  'a page without its language': [302, async () => await ask('/capture/x', html)],
  'a well-known redirect': [302, async () => await ask('/.well-known/change-password')],
  'security.txt': [200, async () => await ask('/.well-known/security.txt')],
  'robots.txt': [200, async () => await ask('/robots.txt')],
  'a script': [200, async () => await ask('/assets/a-1.js')],
  'a script that did not change': [
    304,
    async () => await ask('/assets/a-1.js', { 'if-none-match': String((await ask('/assets/a-1.js')).headers.etag) }),
  ],
  'a picture with markup': [200, async () => await ask('/icon.svg')],
  Markdown: [200, async () => await ask('/_content/en/guide.md')],
  'the API': [200, async () => await ask('/evidences/', owner())],
  'the API, HEAD': [200, async () => await ask('/evidences/', owner(), 'HEAD')],
  'the API, refused': [401, async () => await ask('/profiles/current/')],
  'the API, wrong': [400, async () => await ask('/evidences/?page=x', owner())],
  'the API, absent': [404, async () => await ask('/nothing/')],
  'a call of staff': [404, async () => await ask('/acts/all/', owner())],
  'a wrong method': [404, async () => await ask('/evidences/', owner(), 'PUT')],
  'a malformed address': [400, async () => await ask('/evidences/%ff/')],
  'a malformed request': [400, async () => parse(await site.raw('GET / HTTP/1.1\r\nHost: a\r\nbad header: x\r\n\r\n'))],
  'headers too long': [431, async () => parse(await site.raw(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`))],
  'a file': [200, async () => await ask(piece())],
  'a part of a file': [206, async () => await ask(piece(), { range: 'bytes=0-1' })],
  'a part that is none': [416, async () => await ask(piece(), { range: 'bytes=900-' })],
  'a file by a bad link': [403, async () => await ask(piece().replace(/.$/, ''))],
  events: [200, async () => await ask(`/evidences/${site.world.owned.id}/events/`, owner())],
  health: [200, async () => await ask('/health/')],
  'the documentation': [200, async () => await ask('/api/docs/', html)],
  'its document': [200, async () => await ask('/api/docs/json')],
}

function parse(octets: string): Answer {
  const [head = '', body = ''] = octets.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 1).trim()]),
  )
  return { status: Number(line.split(' ')[1]), headers, body }
}

describe.each(Object.entries(kinds))('%s', (_, [status, get]) => {
  test('ASVS 3.4.1 3.4.3 3.4.4 3.4.5 3.4.6 3.4.2 13.4.6 has the headers of all answers, and none that tells or lets in', async () => {
    const answer = await get()
    expect(answer.status).toBe(status)
    const { headers } = answer
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'strict-transport-security': 'max-age=63072000; includeSubDomains',
      'permissions-policy': expect.stringContaining('camera=()'),
    })
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/frame-ancestors '(?:none|self)'/)
    expect(policy).toMatch(/default-src '(?:none|self)'/)
    expect(policy).not.toMatch(/unsafe-eval|\*|http:|https:|script-src[^;]*unsafe-inline/)
    for (const closed of ['access-control-allow-origin', 'access-control-allow-credentials', 'server', 'x-powered-by'])
      expect(headers[closed]).toBeUndefined()
    // The locale alone is ever kept in a cookie, and no text is without its encoding.
    for (const cookie of headers['set-cookie'] ?? [])
      expect(cookie).toMatch(/^__Host-locale=(?:en|fr); Path=\/; Max-Age=\d+; SameSite=Lax; Secure$/)
    const type = headers['content-type'] ?? ''
    if (/^text\/|json/.test(type)) expect(type).toMatch(/; ?charset=utf-8$/)
    if (status >= 400 && type.includes('json')) {
      expect(wireError.safeParse(JSON.parse(answer.body)).success).toBe(true)
      expect(answer.body).not.toMatch(/node_modules|\bat .+:\d+|Error:|select |FST_/)
    }
  })
})

test('ASVS 3.4.3 pages run nothing of their own text: each script has a nonce that is used once', async () => {
  const pages = await Promise.all(['/en/', '/fr/', '/en/nothing/'].map(async (path) => await ask(path, html)))
  const nonces = pages.map(({ headers, body }) => {
    const policy = String(headers['content-security-policy'])
    for (const rule of ["object-src 'none'", "base-uri 'none'", "form-action 'self'", "require-trusted-types-for 'script'"])
      expect(policy).toContain(rule)
    const nonce = /script-src 'self' 'nonce-([^']+)'(?:;|$)/.exec(policy)?.[1] ?? ''
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16)
    expect([...body.matchAll(/<(?:script|style)\b[^>]*>/g)].every(([tag]) => tag.includes(`nonce="${nonce}"`))).toBe(true)
    expect(body).not.toMatch(/\son\w+=|javascript:|style="/)
    return nonce
  })
  expect(new Set(nonces).size).toBe(pages.length)
})

test('ASVS 14.3.2 14.2.2 what belongs to somebody is kept by no cache', async () => {
  for (const get of ['a page', 'the API', 'the API, refused', 'the API, absent', 'events'] as const)
    expect((await kinds[get]?.[1]())?.headers['cache-control']).toMatch(/^no-store/)
  // A file is the same for ever, and each time asked for anew.
  expect((await ask(piece())).headers['cache-control']).toBe('private, no-cache')
})

test('ASVS 5.4.1 3.2.1 a file of a stranger’s page is shown without scripts and in an origin of its own', async () => {
  const { headers } = await ask(piece())
  expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
  expect(headers['content-disposition']).toMatch(/^(?:inline|attachment); filename="[^"]+"$/)
})

test('ASVS 3.4.2 the public log alone may be read by pages of any origin', async () => {
  const { headers, status } = await ask('/log/checkpoint', { origin: 'https://monitor.example' })
  expect([status, headers['access-control-allow-origin'], headers['access-control-allow-credentials']]).toEqual([
    404,
    '*',
    undefined,
  ])
  expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
})

describe('callers from elsewhere', () => {
  test.each(['https://evil.example', 'null', publicUrl])('ASVS 3.4.2 3.5.2 no origin is let read: %s', async (origin) => {
    for (const [method, more] of [
      ['GET', owner()],
      ['OPTIONS', { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }],
      ['POST', { 'content-type': 'text/plain' }],
    ] as const) {
      const { headers, status } = await ask('/evidences/', { origin, ...more }, method)
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
      if (method !== 'GET') expect(status).toBeGreaterThanOrEqual(400)
    }
  })

  test('ASVS 3.5.1 a cookie proves nothing', async () => {
    const { token } = personOf(site.world, 'owner')
    for (const cookie of [`token=${token}`, `probant.session=${token}`, `authorization=Bearer ${token}`])
      expect((await ask('/profiles/current/', { cookie })).status).toBe(401)
  })

  test('ASVS 14.2.1 a token in the address proves nothing', async () => {
    const { token } = personOf(site.world, 'owner')
    for (const name of ['token', 'access_token', 'authorization', 'X-Evidence-Token'])
      expect((await ask(`/profiles/current/?${name}=${token}`)).status).toBe(401)
  })

  test.each(['TRACE', 'OPTIONS', 'PUT', 'PROPFIND', 'CONNECT'])('ASVS 13.4.4 %s does and echoes nothing', async (method) => {
    const text = await site.raw(`${method} /evidences/ HTTP/1.1\r\nHost: a\r\nX-Canary: canary\r\nConnection: close\r\n\r\n`)
    expect(text).toMatch(/^(?:HTTP\/1\.1 4\d\d |$)/)
    expect(text).not.toContain('canary')
  })
})

describe('addresses', () => {
  test.each([
    '//evil.example',
    '//evil.example/en/',
    '/\\evil.example',
    '/en//evil.example',
    '/%2f%2fevil.example',
    '/en/..//evil.example',
    '/?next=https://evil.example',
    '/login?next=//evil.example',
    '/en/login?next=javascript:alert(1)',
    '/.well-known/change-password?next=//evil.example',
    '/en/evidences/pending?callback=%0d%0aLocation:%20https://evil.example',
    '/evidences/pending/%0d%0aSet-Cookie:%20a=b',
  ])('ASVS 3.7.2 nobody is sent to another site: %s', async (path) => {
    const { headers } = await ask(path, html)
    const { location } = headers
    if (location !== undefined) expect(new URL(location, publicUrl).origin).toBe(publicUrl)
    expect(headers['set-cookie'] ?? []).not.toContain('a=b')
  })

  test('ASVS 4.1.3 the host that a caller names is written nowhere', async () => {
    for (const forged of [
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
      { forwarded: 'host=evil.example' },
    ])
      for (const path of ['/', '/en/', '/en/evidences/pending', '/.well-known/security.txt', '/api/docs/json', '/nothing/']) {
        const { headers, body } = await ask(path, { ...html, ...forged })
        expect(JSON.stringify(headers) + body).not.toContain('evil.example')
      }
  })

  test('ASVS 13.4.3 13.4.1 no folder is listed, and nothing of the program is served', async () => {
    for (const path of [
      '/assets/',
      '/.git/config',
      '/.env',
      '/package.json',
      '/index.html',
      '/manifest.json',
      '/_content/en/',
      '/files/',
      '/assets/..%2f..%2fpackage.json',
      '/assets/%2e%2e/index.html',
      '/data/secret',
      '/dev/mail/',
    ])
      expect([path, (await ask(path)).status]).toEqual([path, 404])
  })
})

describe('the shape of requests', () => {
  const post = (head: string, body: string) =>
    `POST /rest-auth/login/ HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${head}\r\n\r\n${body}`
  const smuggled = 'GET /health/ HTTP/1.1\r\nHost: smuggled\r\n\r\n'

  test.each([
    ['two lengths', post('Content-Length: 2\r\nContent-Length: 40', `{}${smuggled}`)],
    ['length and chunks', post('Content-Length: 2\r\nTransfer-Encoding: chunked', `0\r\n\r\n${smuggled}`)],
    ['an unknown coding', post('Transfer-Encoding: xchunked', `0\r\n\r\n${smuggled}`)],
    ['chunks twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${smuggled}`)],
    ['chunks that are not last', post('Transfer-Encoding: chunked, identity', `0\r\n\r\n${smuggled}`)],
    ['a hidden coding', post('Transfer-Encoding:\x0bchunked', `0\r\n\r\n${smuggled}`)],
    ['a length with a sign', post('Content-Length: +2', `{}${smuggled}`)],
    ['a length in hexadecimal', post('Content-Length: 0x2', `{}${smuggled}`)],
    ['a blank before the colon', post('Content-Length : 2', `{}${smuggled}`)],
    ['a folded header', post('X-A: b\r\n Content-Length: 2', `{}${smuggled}`)],
    ['a size of a chunk that overflows', post('Transfer-Encoding: chunked', `ffffffffffffffff1\r\n{}\r\n0\r\n\r\n${smuggled}`)],
    ['a bare line feed in a chunk', post('Transfer-Encoding: chunked', `2\n{}\r\n0\r\n\r\n${smuggled}`)],
    ['NUL in a header', post('X-A: a\0b\r\nContent-Length: 2', `{}${smuggled}`)],
    ['two hosts', `GET /health/ HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`],
    ['no host', `GET /health/ HTTP/1.1\r\nConnection: close\r\n\r\n`],
  ])('ASVS 4.2.1 15.3.7 %s: refused, and what follows is not taken for another request', async (_, octets) => {
    const text = await site.raw(octets)
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(text.match(/^HTTP\/1\.1 /gm)).toHaveLength(1)
    expect(text).not.toContain('"status":"ok"')
  })

  test.each(['authorization', 'x-evidence-token', 'x-delegation'])(
    'ASVS 15.3.7 %s given twice is refused, whichever was good',
    async (name) => {
      const good = name === 'authorization' ? owner().authorization : site.world.free.token
      for (const values of [
        [good, 'Bearer x'],
        ['Bearer x', good],
        [good, good],
      ]) {
        const fields = values.map((value) => `${name}: ${value}\r\n`).join('')
        const text = await site.raw(
          `GET /evidences/${site.world.free.id}/ HTTP/1.1\r\nHost: a\r\n${fields}Connection: close\r\n\r\n`,
        )
        expect(text).toMatch(/^HTTP\/1\.1 400 /)
      }
    },
  )

  test('ASVS 15.3.7 2.2.1 a parameter given twice is no list by accident', async () => {
    for (const path of [
      '/evidences/?page=1&page=2',
      '/evidences/?search=a&search=b',
      '/evidences/?page[]=1',
      '/evidences/?page[a]=1',
    ])
      expect([path, [200, 400].includes((await ask(path, owner())).status)]).toEqual([path, true])
    expect((await ask('/evidences/?page=1&page=2', owner())).status).toBe(400)
  })

  test('ASVS 4.2.5 5.2.1 addresses and headers that are too long are refused', async () => {
    expect((await ask(`/${'a'.repeat(20_000)}`)).status).toBe(431)
    expect((await ask(`/evidences/${'a'.repeat(300)}/`, owner())).status).toBeGreaterThanOrEqual(400)
    expect((await ask('/evidences/', { authorization: `Bearer ${'a'.repeat(4000)}` })).status).toBe(401)
  })
})
