import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../../platform/config/config.ts'
import { createHttpServer, type HttpServer } from '../../../platform/http/server.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { brandOfRegistration, loadBrands, mailBrand, pageBrand, registerBrandFiles, selectBrand, type Brand } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'probant-branded-'))
mkdirSync(join(folder, 'dist'))
writeFileSync(
  join(folder, 'dist/index.html'),
  '<!doctype html><html lang="__LOCALE__"><head><title>__TITLE__</title><meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)" /></head><body></body></html>',
)
let brands: readonly Brand[]
let app: HttpServer
let port = 0
beforeAll(async () => {
  ;({ brands } = await loadBrands(fileURLToPath(new URL('../../../testing/brands', import.meta.url))))
  app = await createHttpServer({
    config: { ...loadConfig({}), trustedProxies: ['10.0.0.1'] },
    log: silentLog,
    routes: [],
    health: {},
    secret: 's'.repeat(32),
    extend: (server) => registerBrandFiles(server, brands),
    web: {
      distFolder: join(folder, 'dist'),
      pageRoutes: ['/', '/login/', '/old-authentication/login/', '/authentication/login/'],
      pageMeta: (path, _locale, brand) => ({ title: `${path ?? 'none'} – ${brand?.name ?? 'Probant'}`, description: '' }),
      brandOf(page, locale) {
        const found = selectBrand(brands, page)
        return found === null
          ? null
          : {
              brand: pageBrand(found, locale),
              theme: `/brands/${found.brand.id}/${found.brand.theme.file}`,
              paper: found.brand.paper,
            }
      },
      contentFolder: folder,
      contentOverride: undefined,
      publicUrl: 'https://probant.example',
      passwordPage: '/account/',
      securityContacts: [],
    },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const page = async (host: string, url: string, more: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  (await app.inject({ url, remoteAddress, headers: { accept: 'text/html', host, ...more } })).body
const brandIn = (html: string) => {
  const found = /<meta name="brand" content="([^"]*)"/.exec(html)?.[1]
  return found === undefined
    ? null
    : (JSON.parse(found.replaceAll('&quot;', '"').replaceAll('&#39;', "'")) as { id: string; by: string })
}

test.each([
  ['preuves.xn--tude-vauquelin-9jb.example', '/fr/', 'etude-vauquelin', 'host'],
  ['PREUVES.xn--tude-Vauquelin-9jb.EXAMPLE.:8443', '/en/', 'etude-vauquelin', 'host'],
  ['orme.localhost:8080', '/fr/authentication/login/', 'orme', 'host'],
  // At a partner's, the older entry is his too.
  ['orme.localhost', '/fr/old-authentication/login/', 'orme', 'host'],
  ['probant.example', '/fr/old-authentication/login/', 'etude-vauquelin', 'door'],
  ['probant.example', '/en/login/', 'etude-vauquelin', 'door'],
])('R-16 R-17 H-07: at %s, %s stands under %s', async (host, url, id, by) => {
  const html = await page(host, url)
  expect(brandIn(html)).toMatchObject({ id, by })
  expect(html).toMatch(new RegExp(`<link rel="stylesheet" href="/brands/${id}/theme-[0-9a-f]{16}\\.css" data-brand="${id}" />`))
})

test.each([
  ['probant.example', '/fr/authentication/login/'],
  ['probant.example', '/fr/'],
  ['probant.example', '/fr/login-elsewhere/'],
  ['orme.localhost.evil.example', '/fr/'],
  ['evil.orme.localhost', '/fr/'],
  ['orme.localhost@evil.example', '/fr/'],
  ['evil.example#orme.localhost', '/fr/'],
  ['orme.localhost:80:80', '/fr/'],
  ['orme.localhost, probant.example', '/fr/'],
  ['orme.localhost/', '/fr/'],
  ['[::1]', '/fr/'],
  ['', '/fr/'],
  ['a'.repeat(4000), '/fr/'],
])('at %s, %s is the product’s own', async (host, url) => {
  const html = await page(host, url)
  expect(brandIn(html)).toBeNull()
  expect(html).not.toContain('data-brand')
})

test('a name is taken from a proxy that is trusted, and from nobody else', async () => {
  const forwarded = { 'x-forwarded-host': 'orme.localhost' }
  expect(brandIn(await page('probant.example', '/fr/', forwarded))).toBeNull()
  expect(brandIn(await page('probant.example', '/fr/', forwarded, '10.0.0.1'))).toMatchObject({ id: 'orme' })
})

test('two Host headers are no request that is read', async () => {
  const answer = await new Promise<number>((resolve, reject) => {
    const headers = ['Host', 'probant.example', 'Host', 'orme.localhost', 'Accept', 'text/html']
    httpRequest({ port, host: '127.0.0.1', path: '/fr/', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
  expect(answer).toBe(400)
})

test('R-28: title, colours of what surrounds the page, and what it carries are the partner’s, and cannot leave their attribute', async () => {
  const html = await page('preuves.localhost', '/fr/')
  expect(html).toContain('<title>/ – Étude Vauquelin</title>')
  expect(html).toContain('content="#fcf8f9" media="(prefers-color-scheme: light)"')
  expect(brandIn(html)).toEqual({
    id: 'etude-vauquelin',
    name: 'Étude Vauquelin',
    by: 'host',
    support: 'preuves@etude-vauquelin.example',
    terms: 'https://etude-vauquelin.example/fr/conditions',
  })
  expect(html).not.toMatch(/<style|<script(?! nonce| type="module")|style="/)
})

test('his style sheet is his alone, and kept for ever; his logo is an image in a sandbox, asked after each time', async () => {
  const [vauquelin, orme] = brands
  const theme = await app.inject(`/brands/etude-vauquelin/${vauquelin?.theme.file ?? ''}`)
  expect(theme.headers).toMatchObject({
    'content-type': 'text/css; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect(theme.body).toBe(vauquelin?.theme.css)
  const logo = await app.inject('/brands/etude-vauquelin/logo')
  expect(logo.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'cache-control': 'public, no-cache',
    'cross-origin-resource-policy': 'same-origin',
  })
  const again = await app.inject({ url: '/brands/etude-vauquelin/logo', headers: { 'if-none-match': String(logo.headers.etag) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  expect((await app.inject('/brands/orme/logo-dark')).headers['content-type']).toBe('image/png')
  for (const url of [
    '/brands/orme/theme-0000000000000000.css',
    `/brands/etude-vauquelin/${orme?.theme.file ?? ''}`,
    '/brands/nobody/logo',
    '/brands/orme/brand.json',
    '/brands/..%2forme/logo',
    '/brands/__proto__/constructor',
  ])
    expect((await app.inject(url)).statusCode).toBe(404)
})

test('P-10: whose an account becomes is for the host and the operator’s files to say, not for the call', () => {
  expect(brandOfRegistration(brands, 'probant.example', undefined)).toBe('probant')
  expect(brandOfRegistration(brands, 'probant.example', 'etude-vauquelin')).toBe('etude-vauquelin')
  // Not a door: nobody comes by it.
  expect(brandOfRegistration(brands, 'probant.example', 'orme')).toBe('probant')
  expect(brandOfRegistration(brands, 'probant.example', 'nobody')).toBe('probant')
  expect(brandOfRegistration(brands, 'orme.localhost:8080', 'etude-vauquelin')).toBe('orme')
  expect(brandOfRegistration([], 'orme.localhost', 'etude-vauquelin')).toBe('probant')
})

test('R-18 R-19: links of mails lead to the partner’s own name, or by his door', () => {
  expect(mailBrand(brands, 'https://probant.example:8443', 'orme')).toMatchObject({
    publicUrl: 'https://orme.localhost:8443',
    entry: 'authentication',
  })
  const door = brands.map((brand) => ({ ...brand, hosts: [] }))
  expect(mailBrand(door, 'https://probant.example', 'etude-vauquelin')).toMatchObject({
    publicUrl: 'https://probant.example',
    entry: 'old-authentication',
    sender: { en: 'Étude Vauquelin – evidence', fr: 'Étude Vauquelin – preuves' },
  })
  expect(mailBrand(brands, 'https://probant.example', 'probant')).toBeNull()
  expect(mailBrand(brands, 'https://probant.example', 'gone')).toBeNull()
})
