import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { html } from './page.ts'
import { drawPng } from './pixels.ts'
import { answerWith } from './stream-pages.ts'
import type { WireHandler } from './wire-site.ts'

const mono = readFileSync(
  createRequire(import.meta.url).resolve('@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2'),
)

/** One second of silence: 8-bit mono PCM in RIFF (WAVE). */
function wave(): Buffer {
  const samples = Buffer.alloc(8_000, 128)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

/** Answers whole or by the range that is asked for (RFC 9110 §14). */
const ranged = (type: string, body: Buffer): WireHandler => {
  return (asked, request, response) => {
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
    const from = Number(range?.[1] ?? 0)
    const to = Math.min(body.length - 1, range?.[2] === undefined || range[2] === '' ? body.length - 1 : Number(range[2]))
    return answerWith(
      range === null
        ? { headers: { 'content-type': type, 'accept-ranges': 'bytes' }, body }
        : {
            status: 206,
            headers: { 'content-type': type, 'accept-ranges': 'bytes', 'content-range': `bytes ${from}-${to}/${body.length}` },
            body: body.subarray(from, to + 1),
          },
    )(asked, request, response)
  }
}

/** Height of `/shown/`: more than two images of a full page. */
export const shownHeight = 20_000
/** Tops of the bands that lie under everything on `/shown/`, each in its own colour. */
export const bandAt = (y: number): string => `${Math.floor(y / 1000) * 10},${255 - Math.floor(y / 1000) * 10},128`

/**
 * Everything that is painted rather than loaded: each at a known place, in a known colour.
 * @param video a WebM file whose picture is one colour.
 */
export const shownPages = (video: Buffer): Readonly<Record<string, WireHandler>> => {
  // A Void element (RFC 8794 §11.3.2) after the last cluster: bytes that a player has no reason to read.
  const filler = Buffer.alloc(12 * 1024 * 1024)
  filler[0] = 0xec
  filler.writeBigUInt64BE((1n << 56n) | BigInt(filler.length - 9), 1)
  const long = Buffer.concat([video, filler])
  return {
    '/shown/': answerWith({
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: html(
        'Painted',
        `<div id="bands">${Array.from({ length: shownHeight / 1000 }, (_, i) => `<div style="height:1000px;background:rgb(${bandAt(i * 1000)})"></div>`).join('')}</div>
<header style="position:fixed;top:0;left:900px;width:100px;height:50px;background:rgb(255,0,255)"></header>
<footer style="position:fixed;bottom:0;left:900px;width:100px;height:40px;background:rgb(0,255,255)"></footer>
<div style="position:absolute;top:0;left:1020px;width:100px;height:${shownHeight}px"><div style="position:sticky;top:0;height:60px;background:rgb(255,255,0)"></div></div>
<div style="position:absolute;top:3000px;left:1140px;width:100px;height:5000px"><div style="position:sticky;top:20px;height:60px;background:rgb(255,128,0)"></div></div>
<canvas id="c" width="100" height="100" style="top:100px"></canvas>
<canvas id="g" width="100" height="100" style="top:250px"></canvas>
<video id="v" src="/video.webm" muted style="top:400px;width:160px;height:90px"></video>
<video src="/long-video.webm" preload="auto" muted style="top:500px;width:160px;height:90px"></video>
<audio src="/sound.wav" preload="auto" controls style="top:600px"></audio>
<span id="f" style="top:700px;font:100px/1 Plain,serif;background:rgb(1,2,3)">MMMM</span>
<div id="open" style="top:850px"></div><div id="closed" style="top:950px"></div>
<img loading="lazy" src="/late.png" style="top:15000px" width="100" height="100" alt="late">
<div id="seen-late" style="top:17000px;width:100px;height:100px"></div>
<div style="top:100vh;left:300px;width:50px;height:50px;background:rgb(9,9,9)"></div>
<script>
const c = document.getElementById('c').getContext('2d'); c.fillStyle = 'rgb(12,34,56)'; c.fillRect(0, 0, 100, 100)
const g = document.getElementById('g').getContext('webgl', { preserveDrawingBuffer: true })
if (g) { g.clearColor(200 / 255, 100 / 255, 50 / 255, 1); g.clear(g.COLOR_BUFFER_BIT) } else document.body.dataset.webgl = 'none'
const box = (colour) => '<div style="width:100px;height:80px;background:rgb(' + colour + ')">in the shade of ' + colour + '</div>'
document.getElementById('open').attachShadow({ mode: 'open' }).innerHTML = box('77,0,0')
document.getElementById('closed').attachShadow({ mode: 'closed' }).innerHTML = box('0,77,0') + '<div id="inner"></div>'
new IntersectionObserver((entries, self) => { if (entries.some((e) => e.isIntersecting)) { fetch('/seen-late').then((r) => r.text()).then((colour) => { document.getElementById('seen-late').style.background = colour }); self.disconnect() } }).observe(document.getElementById('seen-late'))
</script>`,
        `<style>html,body{margin:0}@font-face{font-family:Plain;src:url(/plain.woff2)}canvas,video,audio,span,img,#open,#closed,#seen-late,body>div[style*=vh]{position:absolute;left:100px}</style>`,
      ),
    }),
    '/video.webm': ranged('video/webm', video),
    '/long-video.webm': ranged('video/webm', long),
    '/sound.wav': ranged('audio/wav', wave()),
    '/plain.woff2': answerWith({ headers: { 'content-type': 'font/woff2' }, body: mono }),
    '/late.png': answerWith({ headers: { 'content-type': 'image/png' }, body: drawPng(100, 100, () => [11, 22, 33]) }),
    '/seen-late': answerWith({ headers: { 'content-type': 'text/plain' }, body: 'rgb(44,55,66)' }),
    '/latin/': answerWith({
      headers: { 'content-type': 'text/html; charset=windows-1252' },
      body: Buffer.from(
        '<!doctype html><html lang="fr"><head><meta charset="windows-1252"><link rel="icon" href="data:,"><title>\x8cuvre d\x92\xe9t\xe9</title></head><body><h1>D\xe9j\xe0 vu \xe0 No\xebl, gar\xe7on\x85</h1></body></html>',
        'latin1',
      ),
    }),
    '/scroll-forever/': answerWith({
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: html(
        'Without end',
        `<main></main><script>let n=0;const more=()=>{for(let i=0;i<20;i++){const p=document.createElement('p');p.style.height='80px';p.textContent='Line '+(++n);document.querySelector('main').append(p)}};more();addEventListener('scroll',()=>{if(innerHeight+scrollY>document.documentElement.scrollHeight-400)fetch('/more?'+n).then(more)})</script>`,
      ),
    }),
    '/more': answerWith({ headers: { 'content-type': 'text/plain' }, body: 'more' }),
  }
}
