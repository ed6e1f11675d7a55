import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { drawPng, noise, rowColour, rowHeight } from './pixels.ts'
import { fixed, html, prose, send, type Page, type SiteResponse } from './page.ts'

const find = createRequire(import.meta.url)
const fonts = {
  'mono.woff2': '@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2',
  'sans.woff2': '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2',
  'serif.woff2': '@fontsource/source-serif-4/files/source-serif-4-latin-400-normal.woff2',
} as const

const count = { css: 6, js: 8, png: 24, svg: 6, lazy: 6, json: 5, frame: 2 } as const
/** Resources of `/resources/` besides the document itself; the fonts and the imported sheet included. */
export const resourceCount =
  count.css + 1 + count.js + count.png + count.svg + count.lazy + count.json + count.frame + Object.keys(fonts).length

const times = (n: number, make: (i: number) => string) => Array.from({ length: n }, (_, i) => make(i)).join('\n')

function compressed(response: SiteResponse, type: string, text: string, coding: number): void {
  const body = Buffer.from(text)
  if (coding === 0) send(response, 200, type, brotliCompressSync(body), { 'content-encoding': 'br' })
  else if (coding === 1) send(response, 200, type, gzipSync(body), { 'content-encoding': 'gzip' })
  else if (coding === 2) send(response, 200, type, deflateSync(body), { 'content-encoding': 'deflate' })
  else send(response, 200, type, body)
}

const resourcesPage: Page = {
  path: '/resources/',
  about: `a bilingual page of ${resourceCount} resources: styles, scripts, fonts, images, lazy images, frames, fetches; br, gzip, deflate`,
  answer: (_context, _request, response) =>
    send(
      response,
      200,
      'text/html; charset=utf-8',
      html(
        'Ressources : œuvres et naïades',
        `${prose}
<p style="font-family:FixtureSans">Sans</p><p style="font-family:FixtureSerif">Serif</p><p style="font-family:FixtureMono">Mono</p>
<p>${times(count.png, (i) => `<img src="/asset/image-${i}.png" width="40" height="40" alt="Image ${i}">`)}</p>
<p>${times(count.svg, (i) => `<img src="/asset/drawing-${i}.svg" width="40" height="40" alt="Drawing ${i}">`)}</p>
${times(count.frame, (i) => `<iframe src="/asset/frame-${i}.html" title="Frame ${i}" width="300" height="60"></iframe>`)}
<ul id="answers"></ul>
${times(count.lazy, (i) => `<div style="height:1500px"></div><img loading="lazy" src="/asset/lazy-${i}.png" width="200" height="100" alt="Lazy ${i}">`)}
<p id="end" lang="fr">Fin de la page.</p>`,
        `${times(count.css, (i) => `<link rel="stylesheet" href="/asset/style-${i}.css">`)}
${times(count.js, (i) => `<script src="/asset/script-${i}.js" defer></script>`)}`,
      ),
      { 'set-cookie': 'first=1; Path=/' },
    ),
}

/** Answers `/asset/<name>`; each name always gives the same bytes. */
export const assets: Page = {
  path: '/asset/',
  about: 'the parts of the pages above',
  answer: (context, _request, response) => {
    const name = context.url.pathname.slice('/asset/'.length)
    const index = Number(/-(\d+)\./.exec(name)?.[1] ?? 0)
    if (name.endsWith('.png')) {
      const lazy = name.startsWith('lazy')
      const [width, height] = lazy ? [200, 100] : [40, 40]
      send(
        response,
        200,
        'image/png',
        drawPng(width, height, (x, y) => [(index * 40 + x) & 255, (y * 5) & 255, lazy ? 200 : 60]),
      )
    } else if (name.endsWith('.svg')) {
      compressed(
        response,
        'image/svg+xml',
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="${1 + (index % 4)}" fill="#0f5e63"/></svg>`,
        index % 4,
      )
    } else if (name === 'imported.css') {
      send(response, 200, 'text/css', `@font-face{font-family:FixtureMono;src:url(/asset/mono.woff2)}`)
    } else if (name.endsWith('.css')) {
      const family = (['FixtureSans', 'FixtureSerif'] as const)[index]
      const face = family ? `@font-face{font-family:${family};src:url(/asset/${index === 0 ? 'sans' : 'serif'}.woff2)}` : ''
      const first = index === 0 ? '@import "/asset/imported.css";' : ''
      compressed(
        response,
        'text/css',
        `${first}${face}.style-${index}{color:#16202b}\n${`/* ${index} */\n`.repeat(200)}`,
        index % 4,
      )
    } else if (name.endsWith('.js')) {
      const body =
        index < count.json
          ? `fetch('/asset/data-${index}.json').then(r=>r.json()).then(d=>{const li=document.createElement('li');li.textContent=d.text;document.getElementById('answers').append(li)})`
          : `console.log('script ${index}', {index:${index}})`
      compressed(response, 'text/javascript', `${body}\n${'// filler of the script\n'.repeat(300)}`, index % 4)
    } else if (name.endsWith('.json')) {
      compressed(
        response,
        'application/json',
        JSON.stringify({ text: `Réponse n° ${index}`, rows: Array.from({ length: 100 }, (_, i) => i * index) }),
        index % 4,
      )
    } else if (name.endsWith('.html')) {
      send(response, 200, 'text/html; charset=utf-8', html(`Frame ${index}`, `<p>Frame ${index}</p>`))
    } else if (name in fonts) {
      send(response, 200, 'font/woff2', readFileSync(find.resolve(fonts[name as keyof typeof fonts])), {
        'access-control-allow-origin': '*',
      })
    } else send(response, 404, 'text/plain', 'no such asset')
  },
}

/** Height in CSS pixels of `/tall/`, unless `?height=` says otherwise. */
export const tallHeight = 41_000

const tallPage: Page = {
  path: '/tall/',
  about: `exactly ${tallHeight} px high (or ?height=): every ${rowHeight} lines have their own colour; ?fixed=1 adds fixed and sticky parts`,
  answer: (context, _request, response) => {
    const height = Math.min(200_000, Number(context.url.searchParams.get('height') ?? tallHeight))
    const rows = Array.from(
      { length: Math.ceil(height / rowHeight) },
      (_, row) => `<i style="background:rgb(${rowColour(row).join()})"></i>`,
    ).join('')
    const extra = context.url.searchParams.has('fixed')
      ? `<header style="position:fixed;top:0;right:0;width:300px;height:60px;background:#f0f"></header>
<footer style="position:fixed;bottom:0;right:0;width:300px;height:40px;background:#0ff"></footer>
<div style="position:absolute;top:2000px;right:0;width:100px;height:30000px"><div style="position:sticky;top:100px;height:50px;background:#ff0"></div></div>`
      : ''
    const style = `<style>html,body{margin:0}body{height:${height}px;overflow-x:hidden;position:relative}i{display:block;height:${rowHeight}px}i:last-of-type{height:${height % rowHeight || rowHeight}px}</style>`
    send(response, 200, 'text/html; charset=utf-8', html('Une très haute page', rows + extra, style))
  },
}

/** Length and path of the large body that a capture must keep whole. */
export const bigBody = { path: '/asset-big/body.bin', bytes: 60 * 1024 * 1024 } as const

const bigBodyPage = fixed(
  '/big-body/',
  '60 MB fetched by the page',
  'Soixante mégaoctets',
  `${prose}<p id="state">…</p><script>fetch('${bigBody.path}').then(r=>r.arrayBuffer()).then(b=>{document.getElementById('state').textContent=b.byteLength+' bytes'})</script>`,
)

export const bigBodyBytes: Page = {
  path: '/asset-big/',
  about: 'the 60 MB, uncompressible, the same each time',
  answer: async (_context, _request, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': String(bigBody.bytes) })
    await pour(response, bigBody.bytes)
  },
}

const block = 64 * 1024
const blocks = Array.from({ length: 16 }, (_, i) => noise(i * block, block))

/** Byte block `index` of every large body: 16 blocks in turn, each prefixed by nothing; cheap, and known to tests. */
export function bodyBlock(index: number): Buffer {
  return blocks[index % blocks.length] as Buffer
}

/** Waits until the reader takes more, or has left. */
export async function drained(response: SiteResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

/** Writes `bytes` of blocks at the reader's pace, then ends; stops when the reader leaves. */
export async function pour(response: SiteResponse, bytes: number): Promise<void> {
  for (let sent = 0, index = 0; sent < bytes; index += 1) {
    const part = bodyBlock(index).subarray(0, Math.min(block, bytes - sent))
    sent += part.length
    if (response.destroyed || response.writableEnded) return
    if (!response.write(part)) {
      await drained(response)
    }
  }
  response.end()
}

export const goodPages: readonly Page[] = [
  fixed('/simple/', 'a few sentences in two languages', 'Simple : œuvre d’été', prose, {
    headers: { 'set-cookie': 'a=1; Path=/' },
  }),
  resourcesPage,
  assets,
  tallPage,
  bigBodyPage,
  bigBodyBytes,
  {
    path: '/latin1/',
    about: 'a document in ISO-8859-1',
    answer: (_context, _request, response) =>
      send(
        response,
        200,
        'text/html; charset=iso-8859-1',
        Buffer.from('<!doctype html><html lang="fr"><title>Été</title><h1>Déjà vu à Noël, garçon</h1></html>', 'latin1'),
      ),
  },
  fixed(
    '/shadow/',
    'declarative and scripted shadow trees',
    'Shadow',
    `${prose}<div id="declared"><template shadowrootmode="open"><p>Declared in the shade</p></template></div><div id="scripted"></div>
<script>document.getElementById('scripted').attachShadow({mode:'open'}).innerHTML='<p>Scripted in the shade</p>'</script>`,
  ),
  fixed(
    '/console/',
    'writes to the console and throws',
    'Console',
    `${prose}<script>console.log('journal', 1, {a:[2]});console.warn('été');console.error('erreur');setTimeout(()=>{throw new Error('thrown on purpose')},0);Promise.reject(new Error('rejected on purpose'))</script>`,
  ),
  {
    path: '/image.png',
    about: 'a bare image',
    answer: (_context, _request, response) =>
      send(
        response,
        200,
        'image/png',
        drawPng(320, 200, (x, y) => [x & 255, y & 255, 90]),
      ),
  },
  {
    path: '/text.txt',
    about: 'plain text',
    answer: (_context, _request, response) => send(response, 200, 'text/plain; charset=utf-8', 'Déjà vu.\n'.repeat(40)),
  },
  {
    path: '/worker.js',
    about: 'a service worker that rewrites what it serves',
    answer: (_context, _request, response) =>
      send(
        response,
        200,
        'text/javascript',
        `self.addEventListener('install',()=>self.skipWaiting());self.addEventListener('activate',e=>e.waitUntil(clients.claim()));self.addEventListener('fetch',e=>{if(e.request.url.endsWith('/from-worker'))e.respondWith(new Response('written by the worker'))})`,
      ),
  },
  fixed(
    '/service-worker/',
    'registers a service worker and reads through it',
    'Service worker',
    `${prose}<p id="state">…</p><script>const taken=new Promise(r=>navigator.serviceWorker.addEventListener('controllerchange',r));navigator.serviceWorker.register('/worker.js').then(()=>navigator.serviceWorker.controller||taken).then(()=>fetch('/from-worker')).then(r=>r.text()).then(t=>{document.getElementById('state').textContent=t}).catch(e=>{document.getElementById('state').textContent=String(e)})</script>`,
  ),
]
