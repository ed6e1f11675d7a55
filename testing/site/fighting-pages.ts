/** Pages that fight: each answers, or behaves, in one way that a capture must survive and tell. Bytes are written to the socket as they stand. */
import type { Socket } from 'node:net'
import { brotliCompressSync, constants, deflateRawSync, createBrotliCompress, deflateSync } from 'node:zlib'
import { html, prose } from './page.ts'

export type FightingPage = {
  readonly path: string
  readonly answer: (socket: Socket, url: URL) => void
}

/** An HTTP/1.1 answer, whole, after which the connection ends. */
function reply(socket: Socket, body: string | Uint8Array, fields: readonly string[] = [], status = '200 OK'): void {
  const bytes = Buffer.from(body)
  const type = fields.some((field) => /^content-type:/i.test(field)) ? [] : ['Content-Type: text/html; charset=utf-8']
  socket.write(
    [`HTTP/1.1 ${status}`, ...type, `Content-Length: ${bytes.length}`, 'Connection: close', ...fields, '', ''].join('\r\n'),
  )
  socket.end(bytes)
}

const raw = (path: string, bytes: string | Uint8Array): FightingPage => ({ path, answer: (socket) => void socket.end(bytes) })
const page = (path: string, title: string, body: string, head = ''): FightingPage => ({
  path,
  answer: (socket) => reply(socket, html(title, `${prose}${body}`, head)),
})
const script = (path: string, text: string): FightingPage => page(path, path.slice(1, -1), `<script>${text}</script>`)
const file = (path: string, type: string, bytes: () => string | Uint8Array, more: readonly string[] = []): FightingPage => ({
  path,
  answer: (socket) => reply(socket, bytes(), [`Content-Type: ${type}`, ...more]),
})
/** Writes again and again, as fast as the other side takes it or at the interval given, until it leaves. */
function pour(socket: Socket, next: () => string | Uint8Array, everyMs = 0): void {
  if (everyMs > 0) {
    const timer = setInterval(() => socket.write(next()), everyMs)
    socket.once('close', () => clearInterval(timer))
    return
  }
  const push = (): void => {
    while (!socket.destroyed && socket.write(next()));
  }
  socket.on('drain', push)
  push()
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n'

/** Ten million bytes of one letter as a piece of a deflate stream that may be repeated (RFC 1951 §3.2.4, full flush). */
const piece = (letter: string) => deflateRawSync(Buffer.alloc(10_000_000, letter), { finishFlush: constants.Z_FULL_FLUSH })
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

/** Ten megabytes for each ten kilobytes: a thousand copies are ten gigabytes. */
function gzipBomb(socket: Socket, type: string, start: string, copies = 1000): void {
  const block = piece('A')
  const opening = deflateRawSync(Buffer.from(start), { finishFlush: constants.Z_FULL_FLUSH })
  const length = gzipHead.length + opening.length + block.length * copies
  socket.write(
    `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Encoding: gzip\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`,
  )
  socket.write(gzipHead)
  socket.write(opening)
  let sent = 0
  const push = (): void => {
    while (sent < copies && !socket.destroyed) {
      sent += 1
      if (!socket.write(block)) return
    }
    if (sent >= copies) socket.end()
  }
  socket.on('drain', push)
  push()
}

/** Two gigabytes in a few kilobytes, made as it is sent. */
function brotliBomb(socket: Socket, type: string): void {
  socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Encoding: br\r\nConnection: close\r\n\r\n`)
  const encoder = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
  const zeros = Buffer.alloc(4 * 1024 * 1024, 'B')
  let sent = 0
  const push = (): void => {
    while (sent < 512 && !socket.destroyed) {
      sent += 1
      if (!encoder.write(zeros)) {
        encoder.once('drain', push)
        return
      }
    }
    encoder.end()
  }
  encoder.pipe(socket)
  push()
}

/** A PNG of one colour: so many pixels, so few bytes. */
function flatPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data])
    const out = Buffer.alloc(body.length + 8)
    out.writeUInt32BE(data.length, 0)
    body.copy(out, 4)
    out.writeUInt32BE(crc32(body), body.length + 4)
    return out
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xff_ff_ff_ff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0)
  }
  return (crc ^ 0xff_ff_ff_ff) >>> 0
}

/** A PDF of one empty page. */
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`

const laughs = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 24 }, (_, i) => `<!ENTITY ${String.fromCodePoint(98 + i)} "${`&${String.fromCodePoint(97 + i)};`.repeat(10)}">`).join('')}]>`

/** Answers that are no good HTTP. */
const wire: readonly FightingPage[] = [
  { path: '/drip-head/', answer: (socket) => (socket.write('HTTP/1.1 200 OK\r\n'), pour(socket, () => 'X-Drip: 1\r\n', 100)) },
  {
    path: '/drip-body/',
    answer: (socket) => (socket.write(`${ok}\r\n${html('drip-body', prose).split('</body>')[0]}`), pour(socket, () => '.', 50)),
  },
  {
    path: '/drip-picture/',
    answer: (socket) => reply(socket, html('drip-picture', `${prose}<img src="/drip.png" width="100" height="100">`)),
  },
  {
    path: '/drip.png',
    answer: (socket) => (socket.write('HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG'), pour(socket, () => 'x', 50)),
  },
  raw('/http09/', '<!doctype html><title>http09</title><p>No head at all.</p>'),
  raw(
    '/length-short/',
    `${ok}Content-Length: 60\r\nConnection: close\r\n\r\n<!doctype html><title>length-short</title><p>${'words '.repeat(100)}</p>`,
  ),
  raw('/length-long/', `${ok}Content-Length: 9000\r\nConnection: close\r\n\r\n${html('length-long', prose)}`),
  raw('/length-negative/', `${ok}Content-Length: -5\r\nConnection: close\r\n\r\n${html('length-negative', prose)}`),
  raw('/length-two/', `${ok}Content-Length: 20\r\nContent-Length: 900\r\nConnection: close\r\n\r\n${html('length-two', prose)}`),
  raw('/chunk-bad/', `${ok}Transfer-Encoding: chunked\r\n\r\n5\r\n<!doc\r\nzz\r\ntype html>`),
  raw(
    '/chunk-unended/',
    `${ok}Transfer-Encoding: chunked\r\n\r\n${Buffer.byteLength(html('chunk-unended', prose)).toString(16)}\r\n${html('chunk-unended', prose)}\r\n`,
  ),
  { path: '/head-endless/', answer: (socket) => (socket.write(ok), pour(socket, () => `X-Endless: ${'a'.repeat(4000)}\r\n`)) },
  raw(
    '/head-malformed/',
    `HTTP/1.1 200 \r\nContent-Type: text/html; charset=utf-8\r\nno colon here\r\n: no name\r\nX-Fold: a\r\n  folded\r\nX-\xe9: \xe9\x01\r\nSpace : b\r\nConnection: close\r\n\r\n${html('head-malformed', prose)}`,
  ),
  raw('/head-nul/', Buffer.from(`${ok}X-Nul: a\0b\r\nConnection: close\r\n\r\n${html('head-nul', prose)}`)),
  raw(
    '/status-odd/',
    `HTTP/1.1 799 \u00c9trange\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n\r\n${html('status-odd', prose)}`,
  ),
  {
    path: '/cookies-endless/',
    answer: (socket, url) => {
      const n = Number(url.searchParams.get('n') ?? 0)
      const fields = Array.from({ length: 60 }, (_, i) => `Set-Cookie: c${n}-${i}=${'v'.repeat(3000)}; Path=/`)
      reply(
        socket,
        html(
          'cookies-endless',
          `${prose}<script>for(let i=0;i<4000;i++)document.cookie='s'+i+'='+'v'.repeat(3000);fetch('/cookies-endless/?n=${n + 1}').catch(()=>{})</script>`,
        ),
        fields,
      )
    },
  },
  {
    path: '/long-address/',
    answer: (socket, url) =>
      url.search.length > 10
        ? reply(socket, html('long-address', prose))
        : socket.end(
            `HTTP/1.1 302 Found\r\nLocation: /long-address/?${'a'.repeat(200_000)}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
          ),
  },
  page(
    '/long-addresses/',
    'long-addresses',
    `<script>const i=new Image();i.src='/x?'+'a'.repeat(3000000);document.body.append(i);fetch('/x?'+'b'.repeat(1000000)).catch(()=>{})</script>`,
  ),
  {
    path: '/redirects-mixed/',
    answer: (socket, url) => {
      const n = Number(url.searchParams.get('n') ?? 0)
      const to = `/redirects-mixed/?n=${n + 1}`
      if (n % 3 === 0) socket.end(`HTTP/1.1 302 Found\r\nLocation: ${to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
      else
        reply(
          socket,
          html(
            'redirects-mixed',
            n % 3 === 1 ? `<script>location.href='${to}'</script>` : '',
            n % 3 === 2 ? `<meta http-equiv="refresh" content="0;url=${to}">` : '',
          ),
        )
    },
  },
  raw('/redirect-nowhere/', 'HTTP/1.1 302 Found\r\nLocation: \r\nContent-Length: 5\r\nConnection: close\r\n\r\nmoved'),
  {
    path: '/abort-body/',
    answer: (socket) => (
      socket.write(`${ok}Content-Length: 90000\r\n\r\n${html('abort-body', prose).split('</body>')[0]}`),
      setTimeout(() => socket.resetAndDestroy(), 200)
    ),
  },
  {
    path: '/bomb-document/',
    answer: (socket) => gzipBomb(socket, 'text/html; charset=utf-8', html('bomb', prose).split('</body>')[0] ?? ''),
  },
  page(
    '/bomb-fetch/',
    'bomb-fetch',
    `<script>fetch('/bomb.bin').then(async r=>{const d=r.body.getReader();while(!(await d.read()).done);}).catch(()=>{})</script>`,
  ),
  { path: '/bomb.bin', answer: (socket) => gzipBomb(socket, 'application/octet-stream', 'x', 200) },
  page('/bomb-brotli/', 'bomb-brotli', `<script>fetch('/bomb.br').then(r=>r.arrayBuffer()).catch(()=>{})</script>`),
  { path: '/bomb.br', answer: (socket) => brotliBomb(socket, 'text/css') },
  file(
    '/gzip-broken/',
    'text/html; charset=utf-8',
    () => Buffer.concat([brotliCompressSync(Buffer.from(prose)).subarray(0, 30), Buffer.alloc(40, 255)]),
    ['Content-Encoding: gzip'],
  ),
]

/** Pages whose scripts, styles or frames fight. */
const behaviour: readonly FightingPage[] = [
  script(
    '/infinite-dom/',
    `setInterval(()=>{for(let i=0;i<100;i++){const p=document.createElement('p');p.textContent=('node '+Math.random()).repeat(2000);document.body.append(p)}},10)`,
  ),
  script('/write-at-once/', `for(;;)document.write('<p>'+'written '.repeat(20000)+Math.random()+'</p>')`),
  script('/sync-xhr-at-once/', `const x=new XMLHttpRequest();x.open('GET','/never/',false);x.send()`),
  { path: '/never/', answer: () => undefined },
  script('/workers-spin/', `for(let i=0;i<4;i++)new Worker(URL.createObjectURL(new Blob(['for(;;);'])))`),
  page(
    '/worker-swallows/',
    'worker-swallows',
    `<script>navigator.serviceWorker.register('/swallow.js').then(()=>navigator.serviceWorker.ready).then(()=>{if(!sessionStorage.been){sessionStorage.been=1;location.reload()}})</script>`,
  ),
  file(
    '/swallow.js',
    'text/javascript',
    () =>
      `addEventListener('install',()=>skipWaiting());addEventListener('activate',(e)=>e.waitUntil(clients.claim()));addEventListener('fetch',(e)=>e.respondWith(new Promise(()=>{})))`,
    ['Service-Worker-Allowed: /'],
  ),
  script(
    '/asks-for-everything/',
    `const t=(f)=>{try{const r=f();if(r&&r.catch)r.catch(()=>{})}catch{}};
    t(()=>Notification.requestPermission());t(()=>document.documentElement.requestFullscreen());t(()=>document.body.requestPointerLock());t(()=>navigator.usb.requestDevice({filters:[]}));
    t(()=>navigator.bluetooth.requestDevice({acceptAllDevices:true}));t(()=>navigator.serial.requestPort());t(()=>navigator.hid.requestDevice({filters:[]}));t(()=>navigator.mediaDevices.getDisplayMedia());
    t(()=>navigator.mediaDevices.getUserMedia({video:true,audio:true}));t(()=>navigator.geolocation.getCurrentPosition(()=>{}));t(()=>navigator.requestMIDIAccess({sysex:true}));t(()=>navigator.clipboard.readText());
    t(()=>showOpenFilePicker());t(()=>navigator.credentials.get({password:true}));t(()=>navigator.wakeLock.request());t(()=>navigator.share({url:'/'}));t(()=>new PaymentRequest([{supportedMethods:'https://pay.example'}],{total:{label:'a',amount:{currency:'EUR',value:'1'}}}).show());
    t(()=>{const c=new RTCPeerConnection({iceServers:[{urls:'stun:127.0.0.1:3478'}]});c.createDataChannel('x');c.createOffer().then(o=>c.setLocalDescription(o))});t(()=>print());t(()=>navigator.registerProtocolHandler('mailto','/?%s'));
    t(()=>document.querySelector('h1').animate([{opacity:1},{opacity:1}],{duration:1e9,iterations:Infinity}));`,
  ),
  script('/prints/', `print();addEventListener('load',()=>print())`),
  script(
    '/floods/',
    `setInterval(()=>{for(let i=0;i<200;i++)try{history.pushState({},'','?p='+Math.random())}catch{}},10);setInterval(()=>{location.hash=Math.random()},5);
    for(let i=0;i<30000;i++)console.log('line',i,'x'.repeat(200));setInterval(()=>console.error(new Error('again')),5);let s='';
    try{for(let i=0;;i++)localStorage['k'+i]='x'.repeat(100000)}catch(e){s=e.name};try{for(let i=0;;i++)sessionStorage['k'+i]='x'.repeat(100000)}catch{};
    const q=indexedDB.open('a');q.onupgradeneeded=()=>q.result.createObjectStore('s');q.onsuccess=()=>{let n=0;const put=()=>{if(n++>40)return;const t=q.result.transaction('s','readwrite');t.objectStore('s').put(new Uint8Array(1e6),n);t.oncomplete=put};put()};
    const p=document.createElement('p');p.textContent='storage: '+s;document.body.append(p)`,
  ),
  script('/goes-blank/', `addEventListener('load',()=>{location='about:blank'})`),
  script(
    '/goes-blob/',
    `addEventListener('load',()=>{location=URL.createObjectURL(new Blob(['<title>blob</title><p>Made by the page itself, of words that no server sent.</p>'],{type:'text/html'}))})`,
  ),
  {
    path: '/frames-deep/',
    answer: (socket, url) =>
      reply(
        socket,
        html('frames-deep', `<p>Frame ${url.search}</p><iframe src="/frames-deep/?${Number(url.search.slice(1)) + 1}"></iframe>`),
      ),
  },
  page(
    '/paints-forever/',
    'paints-forever',
    '<div class="b"></div>'.repeat(12),
    `<style>.b{width:300px;height:300px;position:fixed;filter:blur(5px);background:conic-gradient(red,blue,red);animation:s 1s infinite linear}@keyframes s{to{transform:rotate(1turn);filter:blur(9px) hue-rotate(1turn)}}</style>`,
  ),
  script(
    '/canvas-huge/',
    `for(let i=0;i<6;i++){const c=document.createElement('canvas');c.width=c.height=16000;c.style.width='100px';const g=c.getContext('2d');if(g){g.fillStyle='#06c';g.fillRect(0,0,16000,16000)};document.body.append(c)}`,
  ),
  page('/picture-huge/', 'picture-huge', '<img src="/hundred-megapixels.png" width="200" height="200">'),
  file('/hundred-megapixels.png', 'image/png', () => flatPng(10_000, 10_000)),
  page(
    '/font-bomb/',
    'font-bomb',
    '<p style="font-family:Bomb;--z:var(--v30);width:calc(var(--z) * 1px)">Bombe</p>',
    // A font that says it has four gigabytes, and a variable of ten to the fifteen letters.
    `<style>@font-face{font-family:Bomb;src:url(/bomb.woff2)}:root{--v0:aaaaaaaaaa;${Array.from({ length: 30 }, (_, i) => `--v${i + 1}:var(--v${i})var(--v${i})var(--v${i});`).join('')}}</style>`,
  ),
  file('/bomb.woff2', 'font/woff2', () => {
    const head = Buffer.alloc(48)
    head.write('wOF2', 0)
    head.writeUInt32BE(0x00010000, 4)
    head.writeUInt32BE(48, 8)
    head.writeUInt16BE(65_535, 12)
    head.writeUInt32BE(0xff_ff_ff_f0, 16)
    head.writeUInt32BE(0xff_ff_ff_f0, 20)
    return head
  }),
  page(
    '/clobbers/',
    'clobbers',
    `${['body', 'documentElement', 'images', 'links', 'title', 'querySelectorAll', 'querySelector', 'createTreeWalker', 'fonts', 'scrollingElement', 'doctype', 'cookie', 'readyState'].map((name) => `<img name="${name}" id="${name}"><form name="${name}"></form>`).join('')}<form>${['id', 'tagName', 'children', 'getClientRects', 'getBoundingClientRect', 'getAttribute', 'querySelector', 'ownerDocument', 'innerText', 'shadowRoot', 'attributes', 'parentNode', 'cloneNode', 'getAnimations', 'contains'].map((name) => `<input name="${name}">`).join('')}</form>`,
  ),
  script(
    '/poisons/',
    `Object.defineProperty(Array.prototype,'map',{value(){throw 1}});Array.prototype[Symbol.iterator]=function*(){throw 2};Object.prototype.toJSON=()=>'poisoned';window.getComputedStyle=()=>{throw 3};Document.prototype.createTreeWalker=()=>{throw 4};Element.prototype.getBoundingClientRect=()=>{throw 5};Element.prototype.getHTML=()=>'forged';window.requestAnimationFrame=()=>0;window.setTimeout=()=>0;Promise.prototype.then=function(){return this};performance.now=()=>0;window.scrollTo=()=>{throw 6}`,
  ),
  script('/no-root/', `addEventListener('load',()=>document.documentElement.remove())`),
  script(
    '/rewrites/',
    `const w=()=>{document.open();document.write('<title>rewrites</title><p>Rewritten '+Date.now()+' with words enough to be read by anyone.</p>');document.close()};addEventListener('load',()=>{w();setInterval(w,50)})`,
  ),
  page('/too-wide/', 'too-wide', '<div style="width:50000px;height:40px;background:linear-gradient(90deg,red,blue)">wide</div>'),
  page('/too-high/', 'too-high', '<div style="height:30000000px">high</div>'),
  script(
    '/ten-thousand/',
    `let n=0;const go=()=>{if(n>=10000)return;fetch('/tiny?'+(n++)).catch(()=>{}).finally(go)};for(let i=0;i<40;i++)go()`,
  ),
  {
    path: '/tiny',
    answer: (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\n1'),
  },
  page(
    '/title/',
    `\u202Egnp.exe\u202C \u2066x\u2069 ${'\u0301'.repeat(50)} &lt;script&gt; &#27;[31m &#0; ${'long '.repeat(1000)}`,
    '',
  ),
  file('/invalid-utf8/', 'text/html; charset=utf-8', () =>
    Buffer.concat([
      Buffer.from('<!doctype html><title>'),
      Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xf8, 0x88, 0x80]),
      Buffer.from(`</title>${prose}<p>`),
      Buffer.from([0xc0, 0xaf, 0xff]),
      Buffer.from('</p>'),
    ]),
  ),
  file(
    '/laughs/',
    'application/xhtml+xml',
    () => `${laughs}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>laughs</title></head><body><p>&y;</p></body></html>`,
  ),
  page(
    '/use-bomb/',
    'use-bomb',
    `<svg width="10" height="10">${Array.from({ length: 22 }, (_, i) => `<g id="u${i}">${i === 0 ? '<rect width="1" height="1"/>' : `<use href="#u${i - 1}"/>`.repeat(4)}</g>`).join('')}<use href="#u21"/></svg>`,
  ),
  page('/regexp/', 'regexp', `<script>addEventListener('load',()=>/^(a+)+$/.test('a'.repeat(60)+'!'))</script>`),
]

const video = Buffer.from(
  '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff',
  'hex',
)
const documents: readonly FightingPage[] = [
  file('/document.pdf', 'application/pdf', () => pdf),
  file(
    '/document.svg',
    'image/svg+xml',
    () =>
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 40"><title>document.svg</title><text y="20">Les œuvres</text></svg>',
  ),
  file(
    '/document.xml',
    'application/xml',
    () => '<?xml version="1.0"?><catalogue><œuvre prix="118,80">Naïades</œuvre></catalogue>',
  ),
  file('/document.json', 'application/json', () => JSON.stringify({ œuvres: ['Naïades', 'Forêts'], prix: 118.8 })),
  file('/document.txt', 'text/plain; charset=utf-8', () => 'Les œuvres de l’été\n'.repeat(100)),
  file('/document.png', 'image/png', () => flatPng(300, 200)),
  file('/document.webm', 'video/webm', () => video),
  file('/document.unknown', 'application/x-nobody-knows', () => 'what is this?'),
  file('/document.sniffed', 'text/plain', () => Buffer.from([0, 1, 2, 3, 0xff, 0xfe, 5, 6, 7])),
]

export const fightingPages: readonly FightingPage[] = [...wire, ...behaviour, ...documents]
