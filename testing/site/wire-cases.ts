import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { noise } from './pixels.ts'
import type { Reply } from './sent-log.ts'

export type WireKind = 'http' | 'https1' | 'h2'

/** One request of the page of all cases, and the answer to it. */
export type WireCase = {
  readonly name: string
  /** Path; the case's name unless told. Fetched as it stands. */
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text, or that many bytes of noise, or a form of two fields and a file. */
  readonly body?: string | number | { readonly form: true }
  readonly cache?: string
  readonly keepalive?: boolean
  /** Servers where it is asked; all unless told. */
  readonly only?: readonly WireKind[]
  /** Asked after all the others, one by one. */
  readonly last?: boolean
  readonly reply:
    | Reply
    | ((request: { readonly headers: Readonly<Record<string, unknown>>; readonly httpVersionMajor: number }) => Reply)
  /** Raw bytes on the socket instead of a reply (HTTP/1 only); the socket is then ended. */
  readonly raw?: {
    readonly head: string
    /** As on the wire; `entity` is what it holds, when they differ. */
    readonly body: string
    readonly entity?: string
    readonly trailers?: Readonly<Record<string, string>>
  }
}

const text = 'Déjà vu : « œuvres, naïades et garçons ».\n'.repeat(400)
const html = { 'content-type': 'text/plain; charset=utf-8' }
const octets = { 'content-type': 'application/octet-stream' }
const coded = (coding: string, body: Buffer): Reply => ({ headers: { ...html, 'content-encoding': coding }, body, content: text })
const big = noise(7, 1_000_003)
const binary = Buffer.from(Array.from({ length: 1024 }, (_, i) => i & 255))
// Browsers leave what follows a redirect unread: over HTTP/2 they may reset its stream, so that how much comes is left to chance.
const redirect = (status: number, to: string) => (request: { readonly httpVersionMajor: number }) => ({
  status,
  headers: { location: to, ...html },
  body: request.httpVersionMajor > 1 ? '' : 'moved',
})
const landed = (name: string): WireCase => ({ name, only: [], reply: { headers: html, body: `landed ${name}` } })

/** Every shape of HTTP exchange that a page can make, each once. */
export const wireCases: readonly WireCase[] = [
  { name: 'identity', reply: { headers: html, body: text } },
  { name: 'gzip', reply: coded('gzip', gzipSync(text)) },
  { name: 'brotli', reply: coded('br', brotliCompressSync(text)) },
  { name: 'zstd', reply: coded('zstd', zstdCompressSync(text)) },
  { name: 'deflate-zlib', reply: coded('deflate', deflateSync(text)) },
  { name: 'deflate-raw', reply: coded('deflate', deflateRawSync(text)) },
  { name: 'gzip-then-brotli', reply: coded('gzip, br', brotliCompressSync(gzipSync(text))) },
  { name: 'gzip-in-parts', reply: { ...coded('gzip', gzipSync(text)), parts: 50 } },
  { name: 'in-parts', reply: { headers: html, body: text, parts: 977 } },
  {
    name: 'trailers',
    reply: { headers: html, body: text, parts: 4000, trailers: { 'x-checksum': 'abc', 'server-timing': 'end' } },
  },
  { name: 'empty', reply: { headers: html, body: '' } },
  { name: 'empty-in-parts', reply: { headers: html, body: '', parts: 10 } },
  { name: 'binary', reply: { headers: octets, body: binary } },
  { name: 'large', reply: { headers: octets, body: big } },
  { name: 'large-in-parts', reply: { headers: octets, body: big, parts: 16_384 } },
  { name: 'no-content', reply: { status: 204 } },
  { name: 'reset-content', reply: { status: 205, headers: { 'content-length': '0' } } },
  { name: 'not-found', reply: { status: 404, headers: html, body: 'not here' } },
  { name: 'gone-without-body', reply: { status: 410, body: '' } },
  { name: 'server-error', reply: { status: 500, headers: html, body: 'broken' } },
  { name: 'unavailable', reply: { status: 503, headers: { ...html, 'retry-after': '1' }, body: 'later' } },
  { name: 'unusual-status', reply: { status: 299, headers: html, body: 'unusual' } },
  { name: 'head', method: 'HEAD', reply: { headers: html, body: text } },
  { name: 'options', method: 'OPTIONS', reply: { status: 200, headers: { allow: 'GET, OPTIONS' }, body: '' } },
  { name: 'post-text', method: 'POST', body: 'field=valeur&é=1', reply: { headers: html, body: 'posted' } },
  { name: 'post-empty', method: 'POST', reply: { headers: html, body: 'posted nothing' } },
  { name: 'post-large', method: 'POST', body: 400_000, reply: { headers: html, body: 'posted much' } },
  { name: 'post-form', method: 'POST', body: { form: true }, reply: { headers: html, body: 'form taken' } },
  { name: 'put', method: 'PUT', body: 5000, reply: { status: 201, headers: { ...html, location: '/put/1' }, body: 'made' } },
  { name: 'patch', method: 'PATCH', body: '{"a":1}', reply: { headers: html, body: 'patched' } },
  { name: 'delete', method: 'DELETE', reply: { headers: html, body: 'deleted' } },
  {
    name: 'range',
    headers: { range: 'bytes=10-1033' },
    reply: { status: 206, headers: { ...octets, 'content-range': `bytes 10-1033/${big.length}` }, body: big.subarray(10, 1034) },
  },
  {
    name: 'range-refused',
    headers: { range: 'bytes=9000000-' },
    reply: { status: 416, headers: { 'content-range': `bytes */${big.length}` }, body: '' },
  },
  {
    name: 'two-cookies',
    reply: { headers: { ...html, 'set-cookie': ['first=1; Path=/', 'second=2; Path=/; HttpOnly'] }, body: 'cookies' },
  },
  {
    name: 'repeated-fields',
    reply: { headers: { ...html, 'X-Mixed-CASE': ['one', 'two'], vary: ['accept', 'origin'] }, body: 'repeated' },
  },
  { name: 'long-fields', reply: { headers: { ...html, 'x-long': 'v'.repeat(20_000), 'x-latin': 'caf\u00e9' }, body: 'long' } },
  {
    name: 'latin-1',
    reply: { headers: { 'content-type': 'text/plain; charset=iso-8859-1' }, body: Buffer.from('Noël à Orléans', 'latin1') },
  },
  {
    name: 'utf-16',
    reply: { headers: { 'content-type': 'text/plain; charset=utf-16le' }, body: Buffer.from('Noël à Orléans', 'utf16le') },
  },
  {
    name: 'encoded-path',
    path: '/encoded-path/%C3%A9t%C3%A9%20;a=1/?q=%E2%82%AC&q=2&empty=',
    reply: { headers: html, body: 'encoded' },
  },
  { name: 'early-hints', reply: { headers: html, body: 'hinted', interim: [103] } },
  { name: 'processing', reply: { headers: html, body: 'processed', interim: [102, 102] }, only: ['http', 'https1'] },
  { name: 'unasked-continue', reply: { headers: html, body: 'continued', interim: [100] }, only: ['http', 'https1'] },
  { name: 'redirect-301', reply: redirect(301, '/landed-301') },
  { name: 'redirect-302', reply: redirect(302, '/landed-302') },
  { name: 'redirect-303', method: 'POST', body: 'a=1', reply: redirect(303, '/landed-303') },
  { name: 'redirect-307', method: 'POST', body: 'a=1', reply: redirect(307, '/landed-307') },
  { name: 'redirect-308', method: 'POST', body: 'a=1', reply: redirect(308, '/landed-308') },
  ...['301', '302', '303', '307', '308'].map((status) => landed(`landed-${status}`)),
  { name: 'keepalive', method: 'POST', body: 'last words', keepalive: true, reply: { status: 202, headers: html, body: 'kept' } },
  { name: 'close', reply: { headers: { ...html, connection: 'close' }, body: 'closing' }, only: ['http', 'https1'] },
  {
    name: 'until-closed',
    only: ['http', 'https1'],
    reply: {},
    raw: { head: 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n', body: text },
  },
  {
    name: 'http-1.0',
    only: ['http', 'https1'],
    reply: {},
    raw: { head: 'HTTP/1.0 200 Fine\r\ncontent-TYPE: text/plain\r\n\r\n', body: 'of old' },
  },
  {
    name: 'odd-head',
    only: ['http', 'https1'],
    reply: {},
    raw: {
      head: 'HTTP/1.1 200 Tr\u00e8s bien\nContent-Type:text/plain\r\nX-Empty:\r\nX-Spaced :\t v \r\nx-SPACED: w\r\nContent-Length: 3\r\nConnection: close\r\n\r\n',
      body: 'odd',
    },
  },
  {
    name: 'chunk-extensions',
    only: ['http', 'https1'],
    reply: {},
    raw: {
      head: 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n',
      body: '5;name="v"\r\nhello\r\n0006\r\n world\r\n0\r\nX-Trailer: t\r\n\r\n',
      entity: 'hello world',
      trailers: { 'X-Trailer': 't' },
    },
  },
  {
    name: 'cached-once',
    last: true,
    reply: { headers: { ...html, 'cache-control': 'max-age=600' }, body: 'kept by the browser' },
  },
  { name: 'cached-again', path: '/cached-once', last: true, reply: {} },
  {
    name: 'validated-once',
    last: true,
    reply: ({ headers }) =>
      headers['if-none-match'] === '"v1"'
        ? { status: 304, headers: { etag: '"v1"' } }
        : { headers: { ...html, etag: '"v1"', 'cache-control': 'no-cache' }, body: 'kept and asked about' },
  },
  { name: 'validated-again', path: '/validated-once', last: true, reply: {} },
]

/** Parts of the page itself: loaded by elements, not by script. */
export const wireParts: Readonly<Record<string, Reply>> = {
  '/style.css': { headers: { 'content-type': 'text/css' }, body: 'body{font-family:serif}' },
  '/preloaded.css': { headers: { 'content-type': 'text/css' }, body: 'h1{color:#0f5e63}' },
  '/prefetched.js': { headers: { 'content-type': 'text/javascript' }, body: '/* for the next page */' },
  '/module.js': {
    headers: { 'content-type': 'text/javascript' },
    body: "import './imported.js'; document.documentElement.dataset.module='ran'",
  },
  '/imported.js': { headers: { 'content-type': 'text/javascript' }, body: 'export const a = 1' },
  '/worker.js': {
    headers: { 'content-type': 'text/javascript' },
    body: "fetch('/from-worker').then(r=>r.text()).then(t=>postMessage(t))",
  },
  '/from-worker': { headers: html, body: 'asked by a worker' },
  '/shared-worker.js': {
    headers: { 'content-type': 'text/javascript' },
    body: "onconnect=e=>fetch('/from-shared-worker').then(r=>r.text()).then(t=>e.ports[0].postMessage(t))",
  },
  '/from-shared-worker': { headers: html, body: 'asked by a shared worker' },
  '/xhr': { headers: html, body: 'asked by XMLHttpRequest' },
  '/beacon': { status: 204 },
  '/frame': { headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>f</title><p>framed</p>' },
}

/** The page that asks for every case of a server, and writes what it got, by name: status and SHA-256 of the content. */
export function wirePage(kind: WireKind): string {
  const asked = wireCases.filter(({ only }) => only === undefined || only.includes(kind))
  const plan = asked.map(({ name, path, method, headers, body, cache, keepalive, last }) => ({
    name,
    path: path ?? `/${name}`,
    init: { method: method ?? 'GET', headers: headers ?? {}, cache, keepalive },
    body,
    last: last ?? false,
  }))
  // A frame that arrives makes the browser drop the questions it still has about certificates (see certificates.test.ts).
  const frame = kind === 'http' ? '<iframe src="/frame" title="f"></iframe>' : ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Every exchange</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css"><link rel="preload" as="style" href="/preloaded.css"><link rel="prefetch" href="/prefetched.js">
<script type="module" src="/module.js"></script></head><body><h1>Every exchange</h1>${frame}<ol id="got"></ol><p id="state">under way</p>
<script>
const hex = async (bytes) => [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map((b) => b.toString(16).padStart(2, '0')).join('')
const show = (name, value) => { const li = document.createElement('li'); li.dataset.name = name; li.textContent = value; document.getElementById('got').append(li) }
const ask = async ({ name, path, init, body }) => {
  const payload = body && body.form ? (() => { const f = new FormData(); f.append('champ', 'été'); f.append('file', new Blob(['\\u0000\\u0001 file']), 'é.bin'); return f })()
    : typeof body === 'number' ? new Uint8Array(body).map((_, i) => (i * 7) & 255) : body
  try { const r = await fetch(path, { ...init, body: payload }); show(name, r.status + ' ' + await hex(await r.arrayBuffer())) }
  catch (e) { show(name, 'error ' + e) }
}
const plan = ${JSON.stringify(plan)}
;(async () => {
  const workers = [new Promise((done) => { new Worker('/worker.js').onmessage = (e) => done(show('worker', e.data)) })]
  if (window.SharedWorker) workers.push(new Promise((done) => { new SharedWorker('/shared-worker.js').port.onmessage = (e) => done(show('shared-worker', e.data)) }))
  workers.push(new Promise((done) => { const x = new XMLHttpRequest(); x.open('GET', '/xhr'); x.onload = () => done(show('xhr', x.responseText)); x.send() }))
  await Promise.all([...workers, ...plan.filter((c) => !c.last).map(ask)])
  for (const c of plan.filter((c) => c.last)) await ask(c)
  navigator.sendBeacon('/beacon', 'goodbye')
  document.getElementById('state').textContent = 'all asked'
})()
</script></body></html>`
}
