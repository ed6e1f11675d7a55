import { createHash } from 'node:crypto'
import type { ServerHttp2Stream } from 'node:http2'
import type { Duplex } from 'node:stream'
import { constants, deflateRawSync } from 'node:zlib'
import { html, prose, type SiteRequest, type SiteResponse } from './page.ts'
import { sendLogged, type Reply } from './sent-log.ts'
import type { WireHandler } from './wire-site.ts'

export const answerWith =
  (reply: Reply): WireHandler =>
  ({ url, body, log }, request, response) =>
    sendLogged(log, { url: url.href, body }, request, response, reply)

export const page = (title: string, body: string): WireHandler =>
  answerWith({ headers: { 'content-type': 'text/html; charset=utf-8' }, body: html(title, `${prose}${body}`) })
export const script = (body: string): WireHandler => answerWith({ headers: { 'content-type': 'text/javascript' }, body })
export const text = (body: string): WireHandler => answerWith({ headers: { 'content-type': 'text/plain' }, body })

/** What the page sends over each of its sockets, in order, and what the server does. */
export const socketTexts = {
  sent: ['été à Noël', 'the same words again, the same words again', 'the same words again, the same words again'],
  received: ['bonjour', 'in three frames', 'x'.repeat(70_000)],
  sentBytes: 70_000,
} as const

const events = (lines: readonly string[], then: 'stays' | 'ends'): WireHandler => {
  return async (_asked, request: SiteRequest, response: SiteResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    for (const line of lines) response.write(line)
    if (then === 'ends') response.end()
    else await new Promise<void>((resolve) => request.socket.once('close', () => resolve()))
  }
}

/**
 * Says when every promise of the page's `work` has settled. A request is under way until then, so that the page is never quiet before,
 * however slow the machine.
 */
export const working = (title: string, work: string, body = ''): WireHandler =>
  page(
    title,
    `${body}<ol id="got"></ol><p id="state">under way</p><script>
const show = (value) => { const li = document.createElement('li'); li.textContent = value; document.getElementById('got').append(li) }
const work = []
${work}
const held = fetch('/held')
Promise.all(work).then(() => 'all done', (e) => 'failed ' + e).then(async (state) => { document.getElementById('state').textContent = state; await fetch('/release') })
</script>`,
  )

const held: (() => void)[] = []
/** Who came to release before there was anything to release. */
const early: (() => void)[] = []
/** The two are asked for by connections of their own, and may come in either order: neither is answered before both are there. */
export const waiting: Readonly<Record<string, WireHandler>> = {
  '/held': async (asked, request, response) => {
    await new Promise<void>((resolve) => {
      held.push(resolve)
      for (const come of early.splice(0)) come()
    })
    return text('held')(asked, request, response)
  },
  '/release': async (asked, request, response) => {
    if (held.length === 0) await new Promise<void>((resolve) => early.push(resolve))
    for (const release of held.splice(0)) release()
    return text('released')(asked, request, response)
  },
}

/** Streams, sockets and service workers. */
export const streamPages: Readonly<Record<string, WireHandler>> = {
  ...waiting,
  '/sockets/': working(
    'WebSockets',
    `for (const path of ['/socket-deflate', '/socket-plain']) work.push(new Promise((done, fail) => {
  const socket = new WebSocket(location.origin.replace('http', 'ws') + path)
  socket.binaryType = 'arraybuffer'
  let got = 0
  socket.onopen = () => { for (const t of ${JSON.stringify(socketTexts.sent)}) socket.send(t); socket.send(new Uint8Array(${socketTexts.sentBytes}).fill(7)) }
  socket.onmessage = (e) => { got += 1; show(path + ' ' + (typeof e.data === 'string' ? e.data.length : 'binary ' + e.data.byteLength)); if (got === ${socketTexts.received.length + 1}) done() }
  socket.onerror = fail
}))`,
  ),
  '/socket-refused/': working(
    'A socket that is refused',
    `work.push(new Promise((done) => { new WebSocket(location.origin.replace('http', 'ws') + '/no-socket').onerror = done }))`,
  ),
  '/no-socket': text('no socket here'),
  '/event-streams/': working(
    'Event streams',
    `for (const [path, wanted] of [['/events-forever', 3], ['/events-again', 2]]) work.push(new Promise((done) => {
  let got = 0
  new EventSource(path).onmessage = (e) => { show(path + ' ' + e.data); got += 1; if (got === wanted) done() }
}))
work.push(fetch('/events-forever?fetched').then(async (r) => { const reader = r.body.getReader(); show('fetched ' + new TextDecoder().decode((await reader.read()).value).length) }))`,
  ),
  '/events-forever': events(
    ['data: one\n\n', ': a comment\n\n', 'id: 7\ndata: deux é\n\n', 'data: three\ndata: lines\n\n'],
    'stays',
  ),
  '/events-again': (asked, request, response) =>
    events(
      request.headers['last-event-id'] === undefined ? ['retry: 20\nid: 1\ndata: first\n\n'] : ['data: after a break\n\n'],
      request.headers['last-event-id'] === undefined ? 'ends' : 'stays',
    )(asked, request, response),
  '/workers/': working(
    'A service worker',
    `work.push(navigator.serviceWorker.register('/service-worker.js').then(() => navigator.serviceWorker.ready)
  .then(() => navigator.serviceWorker.controller ?? new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done }))
  .then(async () => { for (const path of ['/made-by-worker', '/passed-by-worker', '/kept-by-worker', '/changed-by-worker']) show(path + ' ' + await (await fetch(path)).text()) }))`,
  ),
  '/service-worker.js': script(`
self.addEventListener('install', (e) => e.waitUntil(caches.open('v1').then((c) => c.add('/kept-by-worker')).then(() => self.skipWaiting())))
self.addEventListener('activate', (e) => e.waitUntil(clients.claim()))
self.addEventListener('fetch', (e) => {
  const { pathname } = new URL(e.request.url)
  if (pathname === '/made-by-worker') e.respondWith(new Response('made up'))
  if (pathname === '/passed-by-worker') e.respondWith(fetch(e.request))
  if (pathname === '/kept-by-worker') e.respondWith(caches.match(e.request))
  if (pathname === '/changed-by-worker') e.respondWith(fetch(e.request).then((r) => r.text()).then((t) => new Response(t.toUpperCase())))
})`),
  '/passed-by-worker': text('from the network'),
  '/kept-by-worker': text('kept at install'),
  '/changed-by-worker': text('to be changed'),
}

function frame(opcode: number, payload: Buffer, last = true, compressed = false): Buffer {
  const length = payload.length < 126 ? Buffer.from([payload.length]) : Buffer.alloc(payload.length < 65_536 ? 3 : 9)
  if (length.length === 3) {
    length[0] = 126
    length.writeUInt16BE(payload.length, 1)
  } else if (length.length === 9) {
    length[0] = 127
    length.writeBigUInt64BE(BigInt(payload.length), 1)
  }
  return Buffer.concat([Buffer.from([(last ? 0x80 : 0) | (compressed ? 0x40 : 0) | opcode]), length, payload])
}

const squeezed = (value: string): Buffer => {
  const packed = deflateRawSync(value, { finishFlush: constants.Z_SYNC_FLUSH })
  return packed.subarray(0, packed.length - 4)
}

/** Messages of the server: a text, one in three frames with a ping between, a long one, and bytes. */
export function socketGreeting(deflate: boolean): Buffer {
  const [first, second, third] = socketTexts.received
  const parts = [second.slice(0, 3), second.slice(3, 8), second.slice(8)].map((part) => Buffer.from(part))
  return Buffer.concat([
    deflate ? frame(1, squeezed(first), true, true) : frame(1, Buffer.from(first)),
    frame(1, parts[0] ?? Buffer.alloc(0), false),
    frame(9, Buffer.from('ping')),
    frame(0, parts[1] ?? Buffer.alloc(0), false),
    frame(0, parts[2] ?? Buffer.alloc(0)),
    deflate ? frame(1, squeezed(third), true, true) : frame(1, Buffer.from(third)),
    frame(2, Buffer.from([0, 1, 2, 255])),
  ])
}

/** RFC 6455 §4.2.2: accepts `/socket-plain`, and `/socket-deflate` with permessage-deflate; takes whatever comes. */
export function acceptSocket(request: SiteRequest, socket: Duplex): void {
  socket.on('error', () => {}).resume()
  if (request.url === '/no-socket') {
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno')
    return
  }
  const deflate = request.url === '/socket-deflate'
  const accept = createHash('sha1')
    .update(`${String(request.headers['sec-websocket-key'])}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  const extension = deflate ? 'Sec-WebSocket-Extensions: permessage-deflate\r\n' : ''
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${extension}\r\n`,
  )
  socket.write(socketGreeting(deflate))
}

/** The same over HTTP/2 (RFC 8441). */
export function acceptStream(request: SiteRequest, stream: ServerHttp2Stream): void {
  const deflate = request.url === '/socket-deflate'
  stream.on('error', () => {}).resume()
  stream.respond({ ':status': 200, ...(deflate ? { 'sec-websocket-extensions': 'permessage-deflate' } : {}) })
  stream.write(socketGreeting(deflate))
}
