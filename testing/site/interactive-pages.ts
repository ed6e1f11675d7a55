/** Pages that somebody steers: everything that a live session must show, take, refuse or keep. All under `/live/`. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { pour } from './good-pages.ts'
import { fixed, html, prose, send, type Page, type SiteRequest } from './page.ts'

/** Login that every form of `/live/login/` takes. The password is long and of many scripts: it is looked for in every piece. */
export const account = { user: 'zoé@exemple.fr', password: 'Tr0ub4dor&3-çœ漢/é=ß+"x' } as const

async function textOf(request: SiteRequest, most = 1_000_000): Promise<string> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += part as string
    if (text.length > most) break
  }
  return text
}

const welcome = (who: string, more = ''): string =>
  html(
    'Welcome – Bienvenue',
    `<h1 id="welcome">Welcome, <span id="who">${who.replaceAll(/[<>&"]/g, '')}</span></h1>${more}${prose}`,
  )

const toldApart = { 'cache-control': 'no-store' }

/** A digit of the pointer's last button, drawn large: what a viewer sees change is what the page was told. */
const latency = `<style>html,body{margin:0;height:100%}#c{position:fixed;inset:0;background:#000}</style><div id="c"></div><script>
let on=false;addEventListener('pointerdown',()=>{on=!on;document.getElementById('c').style.background=on?'#fff':'#000'})</script>`

/** The same with every pixel below the first 100 rows in motion, 60 times a second. */
const animated = `<style>html,body{margin:0;height:100%;overflow:hidden}#c{position:fixed;inset:0 0 auto 0;height:100px;background:#000;z-index:1}canvas{position:fixed;top:100px;left:0}</style>
<div id="c"></div><canvas width="1280" height="700"></canvas><script>
let on=false;addEventListener('pointerdown',()=>{on=!on;document.getElementById('c').style.background=on?'#fff':'#000'})
const g=document.querySelector('canvas').getContext('2d');let n=0
const draw=()=>{n++;for(let y=0;y<14;y++)for(let x=0;x<26;x++){g.fillStyle='hsl('+((x*13+y*29+n*4)%360)+' 80% 55%)';g.fillRect(x*50,y*50,50,50)}g.fillStyle='#000';g.font='90px sans-serif';g.fillText(String(n),500,360);requestAnimationFrame(draw)};draw()</script>`

/** What was typed, by code points, so that a picture alone would not do as proof. */
const echo = `<h1>Echo</h1><p><label>Text <input id="field" size="60" autocomplete="off"></label></p><p><label>Area <textarea id="area" rows="5" cols="60"></textarea></label></p>
<p contenteditable="true" id="editable" style="border:1px solid #888;min-height:2em"></p><pre id="points"></pre><pre id="events"></pre><script>
const show=(e)=>{const t=e.target.value??e.target.textContent;document.getElementById('points').textContent=[...t].map(c=>c.codePointAt(0).toString(16)).join(' ')}
for(const id of ['field','area','editable'])document.getElementById(id).addEventListener('input',show)
const log=[];for(const type of ['keydown','keyup','paste','compositionstart','compositionupdate','compositionend','beforeinput'])addEventListener(type,e=>{log.push(type+' '+(e.code||e.inputType||'')+' '+(e.key||e.data||''));document.getElementById('events').textContent=log.slice(-12).join('\\n')},true)
window.inputLog=log</script>`

const widgets = `<h1>Widgets · Composants</h1><form>
<p><label>Select <select id="select"><option>un</option><option>deux</option><option>trois</option><option>œuvre</option></select></label></p>
<p><label>Date <input type="date" id="date"></label> <label>Time <input type="time"></label> <label>Colour <input type="color" id="colour"></label></p>
<p><label>City <input list="cities" id="city"></label><datalist id="cities"><option>Besançon</option><option>Évreux</option><option>Nîmes</option></datalist></p>
<p><label>Range <input type="range" id="range"></label> <label><input type="checkbox" id="check"> Check</label></p>
<p><label>File <input type="file" id="file" multiple></label> <output id="files"></output></p>
<p><span id="tip" title="A tooltip – une infobulle" style="background:#cde;padding:8px">Hover me</span></p></form><script>
document.getElementById('file').onchange=async e=>{const all=[];for(const f of e.target.files){const h=await crypto.subtle?.digest('SHA-256',await f.arrayBuffer());all.push(f.name+' '+f.size+' '+(h?[...new Uint8Array(h)].map(b=>b.toString(16).padStart(2,'0')).join(''):''))}document.getElementById('files').textContent=all.join('\\n')}</script>`

const dialogs = `<h1>Dialogs · Dialogues</h1>
<p><button id="alert" onclick="alert('Attention : « œ »');said('alerted')">Alert</button> <button id="confirm" onclick="said(confirm('Sure? Sûr ?'))">Confirm</button>
<button id="prompt" onclick="said(prompt('Name? Nom ?','Zoé'))">Prompt</button> <button id="leave" onclick="addEventListener('beforeunload',e=>{e.preventDefault();e.returnValue='x'});said('guarded')">Guard leaving</button>
<button id="print" onclick="print();said('printed')">Print</button></p><output id="said"></output><script>function said(x){document.getElementById('said').textContent=String(x)}</script>`

const tabs = `<h1>Tabs · Onglets</h1><ul><li><a id="blank" href="/live/echo/" target="_blank">New tab</a></li><li><a id="same" href="/live/scroll/">Same tab</a></li>
<li><button id="open" onclick="window.open('/live/widgets/')">window.open</button></li><li><button id="popup" onclick="window.open('/live/dialogs/','_blank','width=420,height=320')">Popup with a size</button></li>
<li><button id="push" onclick="history.pushState({},'','?page='+(++n));document.title='Page '+n">pushState</button></li></ul><script>let n=0</script>`

const sound = `<h1>Sound · Son</h1><p><button id="tone" onclick="tone()">440 Hz</button> <button id="stop" onclick="o?.stop()">Stop</button></p><p><video id="video" src="/live/clip.webm" width="320" height="180" controls loop></video></p><output id="state"></output><script>
let o;function tone(){const c=new AudioContext();o=c.createOscillator();o.frequency.value=440;const g=c.createGain();g.gain.value=0.4;o.connect(g).connect(c.destination);o.start();document.getElementById('state').textContent=c.state}
document.getElementById('video').onplaying=()=>document.getElementById('state').textContent='playing'</script>`

const clip = { bytes: null as Promise<Buffer> | null }
/** Two seconds of a picture that moves and a tone of 880 Hz, made by ffmpeg when first asked for. */
function clipBytes(): Promise<Buffer> {
  clip.bytes ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'probant-clip-'))
    try {
      const file = join(folder, 'clip.webm')
      const source = [
        '-f',
        'lavfi',
        '-i',
        'testsrc=size=320x180:rate=15:duration=2',
        '-f',
        'lavfi',
        '-i',
        'sine=frequency=880:duration=2',
      ]
      const codecs = ['-c:v', 'libvpx', '-b:v', '200k', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus']
      await promisify(execFile)('ffmpeg', ['-v', 'error', '-y', ...source, ...codecs, file])
      return await readFile(file)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })()
  return clip.bytes
}

/** Forms that send the password each in another way, and a page that shows it again where it should not. */
const login = `<main><h1>Log in – Connexion</h1>
<form id="form" method="post" action="/live/login/form"><p><label>E-mail <input type="email" name="user" id="user"></label> <label>Password <input type="password" name="password" id="password"></label> <button id="send">Log in</button></p></form>
<form id="multipart" method="post" action="/live/login/form" enctype="multipart/form-data"><p><input name="user" value="x"><input type="password" name="password" id="password2"><button id="send2">Multipart</button></p></form>
<p><input type="password" id="password3" aria-label="Password for a script"><button id="json" onclick="json()">JSON</button><button id="query" onclick="location='/live/login/query?p='+encodeURIComponent(document.getElementById('password3').value)">Query</button><button id="socket" onclick="socket()">WebSocket</button><button id="echoes" onclick="echoes()">Echo</button></p>
<p><label>Code <input id="plain" name="code" autocomplete="off"></label></p><output id="out"></output><a id="basic" href="/live/login/basic">HTTP authentication</a></main><script>
const value=()=>document.getElementById('password3').value
async function json(){const r=await fetch('/live/login/json',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({user:'x',password:value(),nested:{b64:btoa(unescape(encodeURIComponent('me:'+value())))}})});document.getElementById('out').textContent=await r.text();history.replaceState(null,'','#answered')}
function socket(){const s=new WebSocket(location.origin.replace('http','ws')+'/live/socket');s.onopen=()=>s.send(value());s.onmessage=e=>{document.getElementById('out').textContent='echo '+e.data.length;history.replaceState(null,'','#echoed')}}
function echoes(){const f=document.getElementById('password3');f.setAttribute('value',f.value);document.getElementById('out').dataset.copy=f.value;document.cookie='kept='+encodeURIComponent(f.value);localStorage.kept=f.value;console.log('typed',f.value);document.getElementById('out').textContent='echoed';history.replaceState(null,'','#repeated')}</script>`

/** What was typed goes where it cannot be masked: a file that is saved, text that is printed; and a console whose line is cut in the midst of it. */
const keeps = `<h1>Keeps · Garde</h1><p><label>Secret <input id="secret" type="password" autocomplete="off"></label> <button id="keep" onclick="keep()">Keep</button></p><output id="out"></output><script>
function keep(){const v=document.getElementById('secret').value;console.log('.'.repeat(3990)+v);console.log('"'.repeat(4500)+v)
const a=document.createElement('a');a.href=URL.createObjectURL(new Blob(['kept: ',v]));a.download='kept.txt';a.click();document.getElementById('out').textContent=v;history.replaceState(null,'','#kept')}</script>`

const scroll = `<h1>Scroll · Défilement</h1><div style="height:6000px;background:linear-gradient(#fde,#def)"><p style="position:sticky;top:0" id="at"></p></div><p id="end">The end – la fin</p><script>addEventListener('scroll',()=>{document.getElementById('at').textContent=Math.round(scrollY)})</script>`

const downloads = `<h1>Downloads · Téléchargements</h1><ul><li><a id="small" href="/live/file">Small</a></li><li><a id="named" href="/live/file?name=..%2F..%2Fetc%2Fpasswd">Odd name</a></li>
<li><a id="endless" href="/live/endless">Endless</a></li><li><a id="blob" download="note.txt" href="data:text/plain,Bonjour">data:</a></li></ul>`

export const interactivePages: readonly Page[] = [
  fixed(
    '/live/',
    'start of the pages that are steered',
    'Live – En direct',
    `<h1>Live · En direct</h1>${prose}<ul>${['login', 'tabs', 'echo', 'widgets', 'dialogs', 'sound', 'scroll', 'downloads'].map((name) => `<li><a id="to-${name}" href="/live/${name}/">${name}</a></li>`).join('')}</ul>`,
  ),
  fixed('/live/login/', 'a login, sent in every way', 'Log in – Connexion', login),
  fixed('/live/keeps/', 'saves, prints and logs a secret', 'Keeps – Garde', keeps),
  fixed('/live/tabs/', 'links that open tabs and windows', 'Tabs – Onglets', tabs),
  fixed('/live/echo/', 'shows the code points that were typed', 'Echo', echo),
  fixed('/live/widgets/', 'every native widget', 'Widgets – Composants', widgets),
  fixed('/live/dialogs/', 'alert, confirm, prompt, beforeunload, print', 'Dialogs – Dialogues', dialogs),
  fixed('/live/sound/', 'a tone of 440 Hz and a video with sound', 'Sound – Son', sound),
  fixed('/live/scroll/', 'a page of 6,000 pixels', 'Scroll – Défilement', scroll),
  fixed('/live/downloads/', 'files to keep and to refuse', 'Downloads – Téléchargements', downloads),
  fixed('/live/latency/', 'white or black, by a click', 'Latency', latency),
  fixed('/live/animated/', 'the same, with 60 pictures a second', 'Animated', animated),
  {
    path: '/live/clip.webm',
    about: 'two seconds of video with a tone of 880 Hz',
    answer: async (_context, _request, response) => send(response, 200, 'video/webm', await clipBytes()),
  },
  {
    path: '/live/file',
    about: 'a file to keep',
    answer: ({ url }, _request, response) =>
      send(response, 200, 'application/pdf', Buffer.alloc(70_000, 0x2a), {
        'content-disposition': `attachment; filename="${(url.searchParams.get('name') ?? 'contrat.pdf').replaceAll('"', '')}"`,
      }),
  },
  {
    path: '/live/endless',
    about: 'a file of two gigabytes',
    answer: async (_context, _request, response) => {
      const bytes = 2 * 1024 ** 3
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-length': String(bytes),
        'content-disposition': 'attachment; filename="endless.bin"',
      })
      await pour(response, bytes)
    },
  },
  {
    path: '/live/login/form',
    about: 'takes the form',
    answer: async (_context, request, response) => {
      const body = await textOf(request)
      send(response, body === '' ? 400 : 200, 'text/html; charset=utf-8', welcome(account.user), {
        ...toldApart,
        'set-cookie': 'session=1; HttpOnly; Path=/',
      })
    },
  },
  {
    path: '/live/login/json',
    about: 'takes JSON and gives it back, compressed',
    answer: async (_context, request, response) => {
      const body = gzipSync(JSON.stringify({ ok: true, you_sent: await textOf(request) }))
      send(response, 200, 'application/json', body, { ...toldApart, 'content-encoding': 'gzip' })
    },
  },
  {
    path: '/live/login/query',
    about: 'has what was typed in its address',
    answer: ({ url }, _request, response) =>
      send(
        response,
        200,
        'text/html; charset=utf-8',
        welcome(account.user, `<p hidden data-p="${encodeURIComponent(url.searchParams.get('p') ?? '')}"></p>`),
        toldApart,
      ),
  },
  fixed(
    '/live/login/parts',
    'has parts that ask for HTTP authentication',
    'Parts',
    `<h1>Parts</h1><img src="/live/login/basic?image" alt=""><script>Promise.allSettled([fetch('/live/login/basic?a'),fetch('/live/login/basic?b')]).then(all=>{document.title='Parts '+all.map(x=>x.value?.status).join(' ');history.replaceState(null,'','#answered')})</script>${prose}`,
  ),
  {
    path: '/live/login/basic',
    about: 'asks for HTTP authentication',
    answer: (_context, request, response) => {
      if (request.headers.authorization === undefined)
        return send(response, 401, 'text/plain; charset=utf-8', 'who are you?', {
          'www-authenticate': 'Basic realm="Réserve", charset="UTF-8"',
        })
      const [user = ''] = Buffer.from(request.headers.authorization.replace(/^Basic /, ''), 'base64')
        .toString('utf8')
        .split(':')
      return send(response, 200, 'text/html; charset=utf-8', welcome(user), toldApart)
    },
  },
]
