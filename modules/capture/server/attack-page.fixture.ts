/**
 * A site whose one page tries every way out that a page has, for every address it is given, and counts what it tried. The
 * address asked for carries the way and the target (`/<way>/<id>`), so that whoever is reached knows how.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type AttackTarget = {
  readonly id: string
  readonly host: string
  readonly port: number
  /** Names of `attack.ways`; all of them unless given. */
  readonly ways?: readonly string[]
}

/** What `attack.state` holds in the page. */
export type AttackState = {
  readonly done: boolean
  /** Tries per way. */
  readonly tried: Readonly<Record<string, number>>
  /** Tries that the browser refused by an exception: addresses that no URL parser takes. */
  readonly thrown: Readonly<Record<string, number>>
  /** Answers that the page could read. */
  readonly read: readonly string[]
  /** ICE candidates that WebRTC gathered. */
  readonly candidates: readonly string[]
  readonly webTransport: boolean
}

export type AttackSite = {
  readonly origin: string
  /** `127.0.0.1:port`: the one exception that the tunnel needs. */
  readonly address: string
  close(): Promise<void>
}

/** Ways of leaving a page for another, by the server or by the page. */
export const jumps = ['301', '302', '303', '307', '308', 'refresh-header', 'meta', 'script', 'replace', 'form'] as const

const quote = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
const inScript = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c')

/** A page, or an answer, that leads to `to`. */
function jump(kind: string, to: string, response: ServerResponse): void {
  // Header fields are bytes: what is not ASCII goes as UTF-8, which browsers decode.
  const field = Buffer.from(to).toString('latin1')
  const page = (head: string, extra: Record<string, string> = {}) => {
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...extra })
      .end(`<!doctype html><title>jump</title>${head}`)
  }
  if (/^30\d$/.test(kind)) response.writeHead(Number(kind), { location: field, 'access-control-allow-origin': '*' }).end()
  else if (kind === 'refresh-header') page('', { refresh: `0;url=${field}` })
  else if (kind === 'meta') page(`<meta http-equiv="refresh" content="0;url=${quote(to)}">`)
  else if (kind === 'script') page(`<script>location.href=${inScript(to)}</script>`)
  else if (kind === 'replace') page(`<script>location.replace(${inScript(to)})</script>`)
  else if (kind === 'form')
    page(`<form method="post" action="${quote(to)}"><input name="a" value="b"></form><script>document.forms[0].submit()</script>`)
  else if (kind === 'csp-report')
    page('<img src="/nothing.png" alt="">', { 'content-security-policy': `img-src 'none'; report-uri ${field}` })
  else if (kind === 'link-header') page('', { link: `<${field}>; rel=preload; as=image, <${field}>; rel=preconnect` })
  else if (kind === 'base') page(`<base href="${quote(to)}/"><img src="below" alt="">`)
  else page(`<img src="${quote(to)}" alt="">`)
}

const serviceWorker = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(clients.claim()))
self.addEventListener('message', async ({ data, ports }) => {
  const bound = new Promise((done) => setTimeout(done, 4000))
  try { await Promise.race([fetch(data, { mode: 'no-cors', method: 'GET' }), bound]) } catch {}
  ports[0].postMessage('')
})`

const worker = `self.onmessage = async ({ data: { importUrl, fetchUrl } }) => {
  try { importScripts(importUrl) } catch {}
  const bound = new Promise((done) => setTimeout(done, 4000))
  try { await Promise.race([fetch(fetchUrl, { mode: 'no-cors' }), bound]) } catch {}
  self.postMessage('')
}`

/** Runs in the page. Kept as text: it is the browser's, not ours. */
const script = String.raw`
const state = { done: false, tried: {}, thrown: {}, read: [], candidates: [], webTransport: 'WebTransport' in self }
self.attack = { state }
const bound = (promise, ms = 3000) => Promise.race([promise, new Promise((done) => setTimeout(done, ms))])
const element = (name, attributes, wait = true) => bound(new Promise((done) => {
  const made = document.createElement(name)
  made.onload = made.onerror = () => done()
  Object.assign(made, attributes)
  document.body.append(made)
  if (!wait) done()
  const remove = () => setTimeout(() => made.remove(), 3000)
  remove()
}))
const link = (rel, href, as, wait = true) => element('link', { rel, href, ...(as ? { as } : {}) }, wait)
const frame = (src) => element('iframe', { src })
const quietly = (promise) => bound(promise.then(async (answer) => {
  if (answer && answer.type !== 'opaque' && answer.ok) state.read.push(answer.url + ' ' + (await answer.text()).slice(0, 20))
}, () => undefined))
const workerOf = (importUrl, fetchUrl) => bound(new Promise((done) => {
  const worker = new Worker('/worker.js')
  worker.onmessage = worker.onerror = () => { worker.terminate(); done() }
  worker.postMessage({ importUrl, fetchUrl })
}), 9000)
const viaServiceWorker = async (url) => {
  const channel = new MessageChannel()
  const answered = new Promise((done) => { channel.port1.onmessage = () => done() })
  navigator.serviceWorker.controller.postMessage(url, [channel.port2])
  await bound(answered, 6000)
}
const socket = (url) => bound(new Promise((done) => {
  const opened = new WebSocket(url)
  opened.onopen = () => { state.read.push(url); opened.close() }
  opened.onclose = opened.onerror = () => done()
}))
const peer = async (config, remote) => {
  const own = new RTCPeerConnection(config)
  try {
    own.createDataChannel('a')
    own.onicecandidate = ({ candidate }) => { if (candidate && candidate.candidate) state.candidates.push(candidate.candidate) }
    await own.setLocalDescription(await own.createOffer())
    if (remote) {
      const other = new RTCPeerConnection()
      try {
        await other.setRemoteDescription(own.localDescription)
        await other.setLocalDescription(await other.createAnswer())
        await own.setRemoteDescription(other.localDescription)
        await own.addIceCandidate({ candidate: remote, sdpMid: '0', sdpMLineIndex: 0 })
      } finally { other.close() }
    }
    await bound(new Promise((done) => { own.onicegatheringstatechange = () => own.iceGatheringState === 'complete' && done() }), 1500)
  } finally { own.close() }
}
let forms = 0
const ways = {
  'fetch': (url) => quietly(fetch(url('http'))),
  'fetch-opaque': (url) => quietly(fetch(url('http'), { mode: 'no-cors' })),
  'fetch-tls': (url) => quietly(fetch(url('https'), { mode: 'no-cors' })),
  'fetch-keepalive': (url) => quietly(fetch(url('http'), { method: 'POST', keepalive: true, mode: 'no-cors', body: 'a' })),
  'xhr': (url) => bound(new Promise((done) => {
    const asked = new XMLHttpRequest()
    asked.onload = () => state.read.push(asked.responseText)
    asked.onloadend = () => done()
    asked.open('GET', url('http'))
    asked.send()
  })),
  'img': (url) => element('img', { src: url('http') }),
  'img-srcset': (url) => element('img', { srcset: url('http') + ' 1x' }),
  'iframe': (url) => frame(url('http')),
  'iframe-tls': (url) => frame(url('https')),
  'frame-data': (url) => frame('data:text/html,<img src="' + encodeURI(url('http')) + '">'),
  'frame-blob': (url) => frame(URL.createObjectURL(new Blob(['<img src="' + url('http') + '">'], { type: 'text/html' }))),
  'frame-srcdoc': (url) => element('iframe', { srcdoc: '<img src="' + url('http') + '">' }),
  'object': (url) => element('object', { data: url('http') }, false),
  'embed': (url) => element('embed', { src: url('http') }, false),
  'script': (url) => element('script', { src: url('http') }),
  'module': (url) => element('script', { type: 'module', src: url('http') }),
  'video': (url) => element('video', { src: url('http') }),
  'stylesheet': (url) => link('stylesheet', url('http')),
  'css-import': (url) => element('style', { textContent: '@import "' + url('http') + '";' }, false),
  'css-image': (url) => element('div', { style: 'width:9px;height:9px;background:url("' + url('http') + '")' }, false),
  'icon': (url) => link('icon', url('http'), undefined, false),
  'preload': (url) => link('preload', url('http'), 'image'),
  'modulepreload': (url) => link('modulepreload', url('http')),
  'prefetch': (url) => link('prefetch', url('http'), undefined, false),
  'preconnect': (url) => link('preconnect', url('http'), undefined, false),
  'preconnect-tls': (url) => link('preconnect', url('https'), undefined, false),
  'dns-prefetch': (url) => link('dns-prefetch', url('http'), undefined, false),
  'speculation': (url) => {
    const rules = document.createElement('script')
    rules.type = 'speculationrules'
    rules.textContent = JSON.stringify({
      prefetch: [{ source: 'list', urls: [url('http')], eagerness: 'immediate' }],
      prerender: [{ source: 'list', urls: [url('http') + '?p'], eagerness: 'immediate' }],
    })
    document.body.append(rules)
  },
  'websocket': (url) => socket(url('ws')),
  'websocket-tls': (url) => socket(url('wss')),
  'eventsource': (url) => bound(new Promise((done) => {
    const source = new EventSource(url('http'))
    source.onopen = source.onerror = () => { source.close(); done() }
  })),
  'beacon': (url) => { navigator.sendBeacon(url('http'), 'a') },
  'ping': (url) => {
    const anchor = document.createElement('a')
    anchor.href = '#here'
    anchor.ping = url('http')
    document.body.append(anchor)
    anchor.click()
  },
  'form-post': (url) => {
    const name = 'form' + forms++
    const framed = element('iframe', { name })
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', target: name, action: url('http') })
    document.body.append(form)
    form.submit()
    return framed
  },
  'worker': (url) => workerOf(url('http'), url('http') + '?fetch'),
  'service-worker': (url) => viaServiceWorker(url('http')),
  'webrtc-stun': (url, { host, port }) => peer({ iceServers: [{ urls: 'stun:' + host + ':' + port }] }),
  'webrtc-turn': (url, { host, port }) => peer({ iceServers: ['turn:' + host + ':' + port, 'turn:' + host + ':' + port + '?transport=tcp', 'turns:' + host + ':' + port].map((urls) => ({ urls, username: 'a', credential: 'b' })) }),
  'webrtc-host': (url, { host, port }) => peer({}, 'candidate:1 1 udp 2122260223 ' + host.replace(/[\[\]]/g, '') + ' ' + port + ' typ host'),
  'webtransport': async (url) => { const session = new WebTransport(url('https')); await bound(session.ready.catch(() => undefined), 1500); session.close() },
  'redirect-img': (url) => element('img', { src: '/jump/301?to=' + encodeURIComponent(url('http')) }),
  'redirect-fetch': (url) => quietly(fetch('/jump/307?to=' + encodeURIComponent(url('http')), { mode: 'no-cors', method: 'POST' })),
  'redirect-websocket': (url) => socket(location.origin.replace('http', 'ws') + '/jump/302?to=' + encodeURIComponent(url('ws'))),
  'redirect-eventsource': (url) => bound(new Promise((done) => {
    const source = new EventSource('/jump/308?to=' + encodeURIComponent(url('http')))
    source.onopen = source.onerror = () => { source.close(); done() }
  })),
  ...Object.fromEntries(['csp-report', 'link-header', 'base', ...JUMPS].map((kind) => [
    'frame-' + kind, (url) => frame('/jump/' + kind + '?to=' + encodeURIComponent(url('http'))),
  ])),
}
const attempt = async (way, target) => {
  const url = (scheme) => scheme + '://' + target.host + ':' + target.port + '/' + way + '/' + target.id
  state.tried[way] = (state.tried[way] ?? 0) + 1
  try { await ways[way](url, target) } catch { state.thrown[way] = (state.thrown[way] ?? 0) + 1 }
}
self.attack.ways = Object.keys(ways)
self.attack.run = async (targets) => {
  await navigator.serviceWorker.register('/sw.js')
  await navigator.serviceWorker.ready
  if (!navigator.serviceWorker.controller) await new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done })
  const queue = [...targets]
  await Promise.all(Array.from({ length: 16 }, async () => {
    for (let target = queue.shift(); target; target = queue.shift()) await Promise.all((target.ways ?? Object.keys(ways)).map((way) => attempt(way, target)))
  }))
  state.done = true
}
`.replace('JUMPS', JSON.stringify(jumps))

const attackPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>attack</title><link rel="icon" href="data:,"><body><script>${script}</script></body></html>`

/** Serves the page on loopback. `pages` adds answers of the caller's own, by path. */
export async function startAttackSite(pages: Readonly<Record<string, string>> = {}): Promise<AttackSite> {
  const sockets = new Set<Socket>()
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://site.invalid')
    const kind = /^\/jump\/([\w-]+)$/.exec(url.pathname)?.[1]
    const text = (type: string, body: string) => void response.writeHead(200, { 'content-type': type }).end(body)
    if (kind !== undefined) jump(kind, url.searchParams.get('to') ?? '', response)
    else if (url.pathname === '/') text('text/html; charset=utf-8', attackPage)
    else if (url.pathname === '/sw.js') text('text/javascript', serviceWorker)
    else if (url.pathname === '/worker.js') text('text/javascript', worker)
    else if (url.pathname === '/plain') text('text/plain', 'here')
    else if (url.pathname === '/file') {
      response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename="a.zip"' })
      response.end(Buffer.alloc(20_000, 1))
    } else if (pages[url.pathname] !== undefined) text('text/html; charset=utf-8', pages[url.pathname] as string)
    else response.writeHead(404).end()
  }
  const server = createServer(answer)
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    const to = new URL(request.url ?? '/', 'http://site.invalid').searchParams.get('to') ?? ''
    socket.end(`HTTP/1.1 302 Found\r\nLocation: ${to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined)
  })
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin: `http://${address}`,
    address,
    close: async () => {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
