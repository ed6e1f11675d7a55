import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../config/config.ts'
import { silentLog } from '../../log/log.ts'
import { createHttpServer } from '../server.ts'
import type { WebApp } from './web-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'probant-web-'))
const write = (path: string, data: string | Buffer) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), data)
}
write(
  'dist/index.html',
  '<!doctype html><html lang="__LOCALE__"><head><title>__TITLE__</title><meta name="description" content="__DESCRIPTION__" />' +
    '<script type="module" crossorigin src="/assets/a-1.js" nonce="__CSP_NONCE__"></script><link rel="modulepreload" crossorigin href="/assets/b-1.js" nonce="__CSP_NONCE__">' +
    '</head><body><div id="root"></div></body></html>',
)
write('dist/assets/a-1.js', 'let a')
const told = (readable: string, needed: string) => ({ readable, needed })
write(
  'written.json',
  JSON.stringify({
    en: {
      noScript: told('Read it.', 'Needs <a script>.'),
      pages: {},
      paidPages: {
        '/legal/notices/': { html: 'By {{operator}}, not {{nobody}}', css: '', sheets: [], scripts: [], text: 'legal/notices' },
        '/guide/': { html: 'Who: {{list}}', css: '', sheets: [], scripts: [], text: 'guide' },
        '/evidences/pending/': {
          html: 'Nothing yet',
          css: '',
          sheets: [],
          scripts: [],
          known: { html: 'Now __NOW__', css: 'p{top:1}' },
        },
        '/legal/': { html: 'Ours', css: '', sheets: [], scripts: [], text: 'legal/terms' },
        '/': {
          html: '<h1>Home</h1>__PRICE_EVIDENCE__<a href="/fr/" lang="fr" hrefLang="fr">FR</a>',
          css: 'h1{top:0}',
          sheets: ['assets/h.css'],
          scripts: ['assets/h.js'],
        },
      },
    },
    fr: { noScript: told('Lisez.', 'Il faut un script.'), pages: {}, paidPages: {} },
  }),
)
write('dist/assets/a-1.js.br', brotliCompressSync('let a'))
write('dist/robots.txt', 'User-agent: *')
write('content/en/guide.md', '# Guide')
write('content/en/legal/terms.md', '# Ours')
write('content/en/legal/notices.md', 'Run by {{operator}}, not {{nobody}}')
write('content/fr/guide.md', '# Mode d’emploi')
write('override/en/legal/terms.md', '# The operator’s')
write('secret.md', 'secret')
symlinkSync('../../secret.md', join(folder, 'content/en/linked.md'))

const web: WebApp = {
  distFolder: join(folder, 'dist'),
  writtenPages: join(folder, 'written.json'),
  pageRoutes: ['/', '/legal/notices/', '/guide/', '/legal/', '/capture/:id/', '/evidences/pending/'],
  pageMeta: (path, locale) => ({
    title: path === undefined ? 'Nothing' : `${locale}:${path}<"`,
    description: "d'&",
    indexed: path === '/',
  }),
  aboutListed: async (path, locale) =>
    await Promise.resolve({
      siteName: 'Probant',
      card: { path: `cards/${locale}.png`, alt: 'A "card"' },
      data: [{ '@type': 'WebSite', name: `</script><b>${path}` }],
    }),
  pricesOf: async (locale) => await Promise.resolve({ evidence: `99 "${locale}"`, document: '5', plans: 'All' }),
  factsOf: {
    '/evidences/pending/': {
      name: 'moment',
      read: async () =>
        await Promise.resolve(moment.word === null ? null : { data: { word: moment.word }, words: { __NOW__: moment.word } }),
    },
  },
  contentFolder: join(folder, 'content'),
  contentOverride: join(folder, 'override'),
  contentFacts: (locale) => ({ operator: `Example\\. \\<${locale}\\>`, list: 'Several:\n- one' }),
  publicUrl: 'https://probant.example',
  passwordPage: '/account/security/',
  securityContacts: ['mailto:security@probant.example', 'https://probant.example/report'],
}
const moment: { word: string | null } = { word: null }
let app: FastifyInstance
beforeAll(async () => {
  app = await createHttpServer({ config: loadConfig({}), log: silentLog, routes: [], health: {}, secret: 's'.repeat(32), web })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})
const get = async (url: string, headers: Record<string, string> = {}) =>
  await app.inject({ url, headers: { accept: 'text/html', ...headers } })

describe('pages', () => {
  test.each([
    [{}, '/en/'],
    [{ 'accept-language': 'fr-CA,en;q=0.5' }, '/fr/'],
    [{ 'accept-language': 'de, en;q=0.2, fr;q=0.3' }, '/fr/'],
    [{ 'accept-language': 'de, it' }, '/en/'],
    [{ 'accept-language': 'fr;q=0, en;q=0.1' }, '/en/'],
    [{ 'accept-language': 'en', cookie: 'a=1; locale=fr' }, '/fr/'],
    [{ 'accept-language': 'en', cookie: 'a=1; __Host-locale=fr' }, '/fr/'],
    [{ cookie: 'locale=xx', 'accept-language': 'fr' }, '/fr/'],
  ])('R-25 K-21 K-24 the root goes to the language of the visitor: %j', async (headers, location) => {
    const answer = await get('/?a=1', headers)
    expect([answer.statusCode, answer.headers.location]).toEqual([302, `${location}?a=1`])
  })

  test('that the build drew are sent as HTML, with what they are painted by; the others say what they need', async () => {
    const home = await get('/en/?url=a&b')
    const nonce = /nonce="([^"]+)"/.exec(home.body)?.[1] ?? ''
    expect(home.body).toContain(
      '<noscript><p class="no-script">Read it.</p></noscript><div id="root"><h1>Home</h1>99 &quot;en&quot;<a href="/fr/?url=a&amp;b" lang="fr" hrefLang="fr">FR</a></div>',
    )
    expect(home.body).toContain(`<link rel="stylesheet" crossorigin href="/assets/h.css" nonce="${nonce}">`)
    // Its scripts are asked for by one of its own, once it was painted.
    expect(home.body).not.toMatch(/type="module"|rel="modulepreload"/)
    expect(home.body).toContain('for (const href of ["/assets/b-1.js","/assets/h.js"])')
    expect(home.body).toContain('import("/assets/a-1.js")')
    expect(home.body).toContain(`<style nonce="${nonce}">h1{top:0}</style>`)
    for (const path of ['/en/capture/x1/', '/en/nowhere/']) {
      const { body } = await get(path)
      expect(body).toContain('<p class="no-script">Needs &lt;a script&gt;.</p></noscript><div id="root"></div>')
      expect(body).toContain('<script type="module" crossorigin src="/assets/a-1.js"')
    }
    expect((await get('/fr/')).body).toContain('Il faut un script.</p></noscript><div id="root"></div>')
    const zipped = await get('/en/', { 'accept-encoding': 'br, gzip' })
    expect([zipped.headers['content-encoding'], zipped.headers.vary]).toEqual(['gzip', 'accept-encoding'])
    expect(gunzipSync(zipped.rawPayload).toString()).toContain('<h1>Home</h1>')
    expect((await get('/en/', { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined()
  })

  test('K-27 that show a text have the installation’s own facts in it as words; with the operator’s own text, or with more than words, they are the application’s to draw', async () => {
    const root = async (path: string) => /<div id="root">(.*?)<\/div>/.exec((await get(path)).body)?.[1]
    expect(await root('/en/legal/notices/')).toBe('By Example. &lt;en&gt;, not {{nobody}}')
    expect([await root('/en/guide/'), await root('/en/legal/')]).toEqual(['', ''])
  })

  test('K-27 that say what is known at the time have it as words, and as data for the application; where nothing is known, neither', async () => {
    const root = ({ body }: { body: string }) => /<div id="root">(.*?)<\/div>/.exec(body)?.[1]
    moment.word = null
    const unknown = await get('/en/evidences/pending/')
    expect([root(unknown), unknown.body.includes('name="moment"')]).toEqual(['Nothing yet', false])
    moment.word = '<b>"1"'
    const known = await get('/en/evidences/pending/')
    expect(root(known)).toBe('Now &lt;b&gt;&quot;1&quot;')
    expect(known.body).toContain('>p{top:1}</style>')
    expect(known.body).toContain('<meta name="moment" content="{&quot;word&quot;:&quot;&lt;b&gt;\\&quot;1\\&quot;&quot;}" />')
    expect((await get('/en/guide/')).body).not.toContain('name="moment"')
  })

  test('R-01 R-28 carry language, title and description, with a nonce of their own', async () => {
    const first = await get('/fr/capture/x1/')
    expect(first.statusCode).toBe(200)
    expect(first.body).toContain('<html lang="fr"')
    expect(first.body).toContain('<title>fr:/capture/x1/&lt;&quot;</title>')
    expect(first.body).toContain('content="d&#39;&amp;"')
    expect(first.body).toContain('<meta name="robots" content="noindex" />')
    const nonce = /nonce="([^"]+)"/.exec(first.body)?.[1] ?? ''
    expect(first.headers['content-security-policy']).toContain(`script-src 'self' 'nonce-${nonce}'`)
    expect(first.headers['cache-control']).toBe('no-store')
    expect((await get('/fr/capture/x1/')).body).not.toContain(nonce)
    expect((await get('/en/')).body).toContain('<link rel="alternate" hreflang="fr" href="https://probant.example/fr/" />')
  })

  test('R-25 R-28 that may be listed say where they are in each language, how their address is shown, and what they are about', async () => {
    const { body } = await get('/fr/')
    const nonce = /nonce="([^"]+)"/.exec(body)?.[1] ?? ''
    for (const line of [
      '<link rel="canonical" href="https://probant.example/fr/" />',
      '<link rel="alternate" hreflang="en" href="https://probant.example/en/" />',
      '<link rel="alternate" hreflang="x-default" href="https://probant.example/" />',
      '<meta property="og:title" content="fr:/&lt;&quot;" />',
      '<meta property="og:locale" content="fr_FR" />',
      '<meta property="og:locale:alternate" content="en_GB" />',
      '<meta property="og:image" content="https://probant.example/cards/fr.png" />',
      '<meta property="og:image:alt" content="A &quot;card&quot;" />',
    ])
      expect(body).toContain(line)
    // Nothing in it ends the element, and it is read as what it was.
    const said = new RegExp(
      `<script type="application/ld\\+json" nonce="${nonce.replaceAll(/[+/]/g, String.raw`\$&`)}">(.*?)</script>`,
    ).exec(body)
    expect(JSON.parse(said?.[1] ?? '')).toEqual({
      '@context': 'https://schema.org',
      '@type': 'WebSite',
      name: '</script><b>/',
    })
    for (const path of ['/fr/capture/x1/', '/fr/nowhere/']) expect((await get(path)).body).not.toMatch(/og:|ld\+json|hreflang/)
  })

  test('R-01 that may be listed stand in the site map, in both languages, and programs are told where it is', async () => {
    const map = await get('/sitemap.xml')
    expect(map.headers['content-type']).toBe('application/xml; charset=utf-8')
    expect([...map.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address)).toEqual([
      'https://probant.example/en/',
      'https://probant.example/fr/',
    ])
    expect(map.body.match(/hreflang="(?:en|fr|x-default)" href="https:\/\/probant\.example\/(?:en\/|fr\/)?"/g)).toHaveLength(6)
    expect((await get('/robots.txt')).body).toBe('User-agent: *\n\nSitemap: https://probant.example/sitemap.xml\n')
  })

  test('K-01 carry what a report costs, in their language', async () => {
    const content = /<meta name="prices" content="([^"]+)"/.exec((await get('/fr/')).body)?.[1] ?? ''
    expect(JSON.parse(content.replaceAll('&quot;', '"'))).toEqual({ evidence: '99 "fr"', document: '5', plans: 'All' })
  })

  test('K-23 remember the language for 365 days', async () => {
    expect((await get('/fr/')).headers['set-cookie']).toBe('__Host-locale=fr; Path=/; Max-Age=31536000; SameSite=Lax; Secure')
  })

  test('R-02 end with a slash', async () => {
    for (const [url, location] of [
      ['/fr?x=1', '/fr/?x=1'],
      ['/en/evidences/pending?page=2', '/en/evidences/pending/?page=2'],
      ['/fr/capture/x', '/fr/capture/x/'],
    ] as const) {
      const answer = await get(url)
      expect([answer.statusCode, answer.headers.location]).toEqual([308, location])
    }
  })

  test('K-22 have both languages as their prefix; asked for without one they go to the visitor’s', async () => {
    for (const locale of ['en', 'fr']) {
      const answer = await get(`/${locale}/evidences/pending/`)
      expect([answer.statusCode, /<html lang="(\w+)"/.exec(answer.body)?.[1]]).toEqual([200, locale])
    }
    const answer = await get('/evidences/pending?page=2', { 'accept-language': 'fr' })
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/fr/evidences/pending/?page=2'])
  })

  test.each([
    '/xx/',
    '/en/nothing/',
    '/en/capture/',
    '/nothing',
    '/en//evidences/pending/',
    '/en/nothing',
    '//evil.example/',
    '/en//evil.example',
    '/de/evidences/pending/',
  ])('R-26 %s is not found, as a page with status 404', async (url) => {
    const answer = await get(url)
    expect([answer.statusCode, answer.headers['content-type'], answer.headers.location]).toEqual([
      404,
      'text/html; charset=utf-8',
      undefined,
    ])
    expect(answer.body).toContain('<title>Nothing</title>')
  })

  test('whoever asks for no page gets the error shape', async () => {
    const answer = await app.inject({ url: '/nothing/', headers: { accept: 'application/json' } })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'http.not_found'])
    expect((await app.inject({ method: 'POST', url: '/en/', headers: { accept: 'text/html' } })).json().code).toBe(
      'http.not_found',
    )
  })
})

describe('well-known names', () => {
  test('ASVS 6.2.2 lead to where a password is changed, in the language of the visitor', async () => {
    const answer = await get('/.well-known/change-password', { 'accept-language': 'fr' })
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/fr/account/security/'])
    expect((await get('/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200')).statusCode).toBe(404)
  })

  test('RFC 9116 tell whom to write to of a weakness, until a day within a year', async () => {
    const answer = await get('/.well-known/security.txt')
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    const lines = answer.body.trimEnd().split('\n')
    expect(lines.filter((line) => !line.startsWith('Expires: '))).toEqual([
      'Contact: mailto:security@probant.example',
      'Contact: https://probant.example/report',
      'Preferred-Languages: en, fr',
      'Canonical: https://probant.example/.well-known/security.txt',
    ])
    const expires = lines.find((line) => line.startsWith('Expires: '))?.slice(9) ?? ''
    expect(expires).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/)
    expect(Date.parse(expires)).toBeGreaterThan(Date.now())
    expect(Date.parse(expires)).toBeLessThan(Date.now() + 365 * 86_400_000)
  })

  test('name nobody where the operator names nobody', async () => {
    const silent = await createHttpServer({
      config: loadConfig({}),
      log: silentLog,
      routes: [],
      health: {},
      secret: 's'.repeat(32),
      web: { ...web, securityContacts: [] },
    })
    expect((await silent.inject('/.well-known/security.txt')).statusCode).toBe(404)
    await silent.close()
  })
})

describe('assets', () => {
  test('are immutable and come as compressed at build time', async () => {
    const plain = await get('/assets/a-1.js')
    expect([plain.body, plain.headers['cache-control'], plain.headers['content-encoding']]).toEqual([
      'let a',
      'public, max-age=31536000, immutable',
      undefined,
    ])
    const small = await get('/assets/a-1.js', { 'accept-encoding': 'gzip, deflate, br' })
    expect([small.headers['content-encoding'], small.headers.vary, brotliDecompressSync(small.rawPayload).toString()]).toEqual([
      'br',
      'accept-encoding',
      'let a',
    ])
    expect((await get('/assets/a-1.js', { 'accept-encoding': 'br;q=0, gzip' })).headers['content-encoding']).toBeUndefined()
    expect((await get('/assets/a-1.js', { 'if-none-match': String(plain.headers.etag) })).statusCode).toBe(304)
  })

  test('without a hash in the name are asked for again', async () => {
    expect((await get('/robots.txt')).headers['cache-control']).toBe('public, no-cache')
  })

  test.each([
    '/assets/',
    '/assets/../index.html',
    '/index.html',
    '/assets/%2e%2e/%2e%2e/secret.md',
    '/manifest.json',
    '/assets/a-1.js.br',
  ])('%s is not served', async (url) => {
    expect((await get(url)).statusCode).toBe(404)
  })
})

describe('R-30 H-19 content', () => {
  test.each([
    ['/_content/en/guide.md', '# Guide'],
    ['/_content/fr/guide.md', '# Mode d’emploi'],
    ['/_content/en/legal/terms.md', '# The operator’s'],
    ['/_content/en/legal/notices.md', String.raw`Run by Example\. \<en\>, not {{nobody}}`],
  ])('%s', async (url, body) => {
    const answer = await get(url)
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([200, 'text/markdown; charset=utf-8', body])
  })

  test('a text as it was read, for pages to draw: what an operator writes next is read at once', async () => {
    const read = async (name: string, headers = {}) => await get(`/_content/en/${name}.json`, headers)
    const answer = await read('guide')
    const { 'content-type': type, 'content-encoding': coding, vary } = answer.headers
    expect([answer.statusCode, type, coding, vary]).toEqual([
      200,
      'application/json; charset=utf-8',
      undefined,
      'accept-encoding',
    ])
    expect(answer.json()).toEqual([[{ kind: 'heading', level: 1, id: 'guide', nodes: ['Guide'] }]])
    const zipped = await read('guide', { 'accept-encoding': 'gzip, br' })
    expect([zipped.headers['content-encoding'], gunzipSync(zipped.rawPayload).toString()]).toEqual(['gzip', answer.body])
    expect((await read('legal/notices')).json()).toEqual([
      [{ kind: 'paragraph', nodes: ['Run by Example. <en>, not {{nobody}}'] }],
    ])
    write('override/en/legal/notices.md', 'Of {{operator}}')
    expect((await read('legal/notices')).json()).toEqual([[{ kind: 'paragraph', nodes: ['Of Example. <en>'] }]])
    rmSync(join(folder, 'override/en/legal/notices.md'))
    expect((await read('legal/notices')).body).toContain('Run by')
  })

  test.each([
    '/_content/en/linked.md',
    '/_content/en/linked.json',
    '/_content/en/../../secret.json',
    '/_content/de/guide.json',
    '/_content/en/guide.md.json',
    '/_content/en/../../secret.md',
    '/_content/en/..%2f..%2fsecret.md',
    '/_content/en/%2e%2e/%2e%2e/secret.md',
    '/_content/de/guide.md',
    '/_content/en/guide',
    '/_content/en/legal',
    '/_content/en/legal/terms.md/x.md',
    '/_content/en/guide.md%00',
    '/_content/../en/guide.md',
  ])('%s is not served', async (url) => {
    const answer = await get(url, { accept: '*/*' })
    expect(answer.statusCode).toBeGreaterThanOrEqual(400)
    expect(answer.body).not.toContain('secret')
  })
})
