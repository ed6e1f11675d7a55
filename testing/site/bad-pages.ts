import { fixed, html, prose, send, type Page } from './page.ts'
import { drained, pour } from './good-pages.ts'

const redirect = (path: string, about: string, to: (url: URL, other: string) => string, status = 302): Page => ({
  path,
  about,
  answer: (context, _request, response) =>
    send(response, status, 'text/plain', 'moved', { location: to(context.url, context.otherOrigin) }),
})

const never = new Promise<void>(() => {})

/** Pages that misbehave, each in one way. */
export const badPages: readonly Page[] = [
  fixed('/error/404', 'not found', 'Introuvable', '<h1>Introuvable</h1><p>Cette page n’existe plus.</p>', { status: 404 }),
  fixed('/error/500', 'server error', 'Erreur', '<h1>Erreur interne</h1><p>Réessayez plus tard.</p>', { status: 500 }),
  fixed('/blank/', 'nothing to see', 'Vide', ''),
  fixed('/white-on-white/', 'text that nobody sees', 'Blanc', '<p style="color:#fff">invisible</p>', {
    head: '<style>body{background:#fff}</style>',
  }),
  fixed(
    '/missing-images/',
    'two images of three are missing',
    'Images manquantes',
    `${prose}<img src="/asset/image-1.png" alt="one"><img src="/nowhere/a.png" alt="two"><img src="/nowhere/b.png" alt="three">`,
  ),
  fixed(
    '/missing-script/',
    'a script and a style that answer 404',
    'Scripts manquants',
    `${prose}<script src="/nowhere/x.js"></script><link rel="stylesheet" href="/nowhere/x.css">`,
  ),
  fixed(
    '/login/',
    'a login form and nothing else',
    'Log in – Connexion',
    `<main><h1>Log in to continue</h1><form method="post" action="/login/"><label>E-mail <input type="email" name="email"></label><label>Password <input type="password" name="password"></label><button>Log in</button></form></main>`,
  ),
  fixed(
    '/bot-wall/',
    'a challenge page as a protection service shows it',
    'Just a moment...',
    `<h1>site.test</h1><p>Checking your browser before accessing the site. Enable JavaScript and cookies to continue.</p><div id="challenge-form" class="cf-challenge"></div>`,
    { status: 403, headers: { 'cf-mitigated': 'challenge', server: 'cloudflare' } },
  ),
  fixed(
    '/cookie-banner/',
    'a consent dialog that covers the page',
    'Bandeau',
    `${prose.repeat(6)}<div id="cookie-consent" role="dialog" aria-label="Cookies" style="position:fixed;inset:20% 0 0 0;background:#fff;border:4px solid #000;z-index:99"><p>Nous utilisons des cookies. We use cookies.</p><button>Tout refuser</button><button>Tout accepter</button></div>`,
  ),
  {
    path: '/download/',
    about: 'a file to save instead of a page',
    answer: (_context, _request, response) =>
      send(response, 200, 'application/zip', Buffer.alloc(5000, 7), {
        'content-disposition': 'attachment; filename="ete.zip"; filename*=UTF-8\'\'%C3%A9t%C3%A9.zip',
      }),
  },
  {
    path: '/empty/',
    about: 'closes the connection without an answer',
    answer: (_context, request) => void request.socket.destroy(),
  },
  {
    path: '/no-content/',
    about: 'answers 204',
    answer: (_context, _request, response) => void (response.writeHead(204), response.end()),
  },
  { path: '/slow/', about: 'never answers', answer: () => never },
  fixed('/slow-image/', 'an image that never comes', 'Image lente', `${prose}<img src="/slow/" alt="never">`),
  {
    path: '/endless-stream/',
    about: 'a document that never ends, slowly',
    answer: async (_context, request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.write(html('Sans fin', prose).replace('</body>\n</html>\n', ''))
      const timer = setInterval(() => response.write('<p>Encore une ligne.</p>\n'), 200)
      await new Promise<void>((resolve) => request.socket.once('close', () => resolve()))
      clearInterval(timer)
    },
  },
  fixed(
    '/endless-scroll/',
    'grows as one scrolls, for ever',
    'Défilement sans fin',
    `<main></main><script>let n=0;const more=()=>{for(let i=0;i<20;i++){const p=document.createElement('p');p.style.height='80px';p.textContent='Ligne '+(++n);document.querySelector('main').append(p)}};more();addEventListener('scroll',()=>{if(innerHeight+scrollY>document.documentElement.scrollHeight-400)more()})</script>`,
  ),
  {
    path: '/huge-document/',
    about: 'a 500 MB document',
    answer: async (_context, _request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.write(html('Énorme', prose).replace('</body>\n</html>\n', ''))
      const line = Buffer.from(`<!-- ${'x'.repeat(65_500)} -->\n`)
      for (let sent = 0; sent < 500 * 1024 * 1024 && !response.destroyed; sent += line.length) {
        if (!response.write(line)) await drained(response)
      }
      response.end()
    },
  },
  fixed(
    '/huge-body/',
    '500 MB fetched by the page',
    'Énorme requête',
    `${prose}<script>fetch('/asset-huge/body.bin').then(async r=>{const d=r.body.getReader();while(!(await d.read()).done);}).catch(()=>{})</script>`,
  ),
  {
    path: '/asset-huge/',
    about: 'the 500 MB',
    answer: async (_context, _request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': String(500 * 1024 * 1024) })
      await pour(response, 500 * 1024 * 1024)
    },
  },
  fixed(
    '/alert-forever/',
    'alert, confirm and prompt without end',
    'Alertes',
    `${prose}<script>setInterval(()=>{alert('Encore');confirm('Sûr ?');prompt('Nom ?')},5)</script>`,
  ),
  fixed(
    '/alert-before-load/',
    'a loop of alerts that blocks parsing',
    'Alertes',
    `<script>for(;;)alert('Bloqué')</script>${prose}`,
  ),
  fixed(
    '/beforeunload/',
    'asks before one leaves',
    'Avant de partir',
    `${prose}<script>addEventListener('beforeunload',e=>{e.preventDefault();e.returnValue='Restez'})</script>`,
  ),
  fixed('/print-forever/', 'opens the print dialog for ever', 'Imprimer', `${prose}<script>setInterval(()=>print(),20)</script>`),
  fixed(
    '/popups/',
    'opens windows for ever',
    'Fenêtres',
    `${prose}<script>setInterval(()=>{window.open('/simple/?'+Math.random(),'_blank')},20)</script>`,
  ),
  redirect('/redirect-loop/', 'redirects to itself', (url) => `/redirect-loop/?n=${Number(url.searchParams.get('n') ?? 0) + 1}`),
  redirect('/redirect-once/', 'redirects to /simple/', () => '/simple/', 301),
  redirect('/redirect-elsewhere/', 'redirects to another site', (_url, other) => `${other}/simple/`),
  redirect('/redirect-private/', 'redirects to a private address', () => 'http://10.0.0.1/'),
  redirect('/redirect-file/', 'redirects to a file of the machine', () => 'file:///etc/passwd'),
  fixed(
    '/js-redirect-loop/',
    'a script that goes to itself',
    'Boucle',
    `${prose}<script>location.replace('/js-redirect-loop/?'+Math.random())</script>`,
  ),
  fixed('/meta-refresh-loop/', 'refreshes itself at once', 'Boucle', prose, { head: '<meta http-equiv="refresh" content="0">' }),
  fixed('/meta-refresh/', 'goes to /simple/ by meta refresh', 'Passage', '<p>Un instant…</p>', {
    head: '<meta http-equiv="refresh" content="0;url=/simple/">',
  }),
  fixed(
    '/navigates-away/',
    'leaves for /simple/ two seconds after load',
    'Départ',
    `${prose}<script>setTimeout(()=>{location.href='/simple/?left'},2000)</script>`,
  ),
  fixed('/reloads/', 'reloads itself every 700 ms', 'Recharge', `${prose}<script>setTimeout(()=>location.reload(),700)</script>`),
  fixed(
    '/window-close/',
    'closes its own window',
    'Fermeture',
    // A window that a script opened may be closed by one; opened once, or it would only be a loop of navigations.
    `${prose}<script>if(!location.search)open('?opened','_self');window.close();setInterval(()=>window.close(),50)</script>`,
  ),
  fixed(
    '/permissions/',
    'asks for every permission',
    'Permissions',
    `${prose}<p id="state"></p><script>Notification.requestPermission();navigator.geolocation.getCurrentPosition(()=>{},()=>{});navigator.mediaDevices&&navigator.mediaDevices.getUserMedia({audio:true,video:true}).catch(()=>{});navigator.clipboard&&navigator.clipboard.readText().catch(()=>{})</script>`,
  ),
  fixed('/busy/', 'a script that never yields', 'Occupé', `${prose}<script>setTimeout(()=>{for(;;){}},300)</script>`),
  fixed('/busy-at-once/', 'a script that never yields, before load', 'Occupé', `${prose}<script>for(;;){}</script>`),
  fixed(
    '/memory-hog/',
    'fills the memory',
    'Mémoire',
    `${prose}<script>const a=[];setInterval(()=>{for(let i=0;i<8;i++){const b=new Uint8Array(16<<20);crypto.getRandomValues(b.subarray(0,65536));b.fill(1+a.length);a.push(b)}},10)</script>`,
  ),
  fixed(
    '/private-resource/',
    'an image and a frame on private addresses',
    'Interne',
    `${prose}<img src="http://10.0.0.1/a.png" alt="a"><img src="http://169.254.169.254/latest/" alt="b"><iframe src="http://192.168.1.1/"></iframe>`,
  ),
  fixed(
    '/file-resource/',
    'tries to read the machine’s files',
    'Fichiers',
    `${prose}<iframe src="file:///etc/passwd"></iframe><p id="state"></p><script>fetch('file:///etc/passwd').then(r=>r.text(),e=>String(e)).then(t=>{document.getElementById('state').textContent=t});setTimeout(()=>{location.href='file:///etc/passwd'},100)</script>`,
  ),
  fixed(
    '/hostile-title/',
    'markup and bidirectional controls in the title',
    '&lt;script&gt;alert(1)&lt;/script&gt; \u202Egnp.exe "\'&amp;',
    prose,
  ),
  fixed(
    '/hides-on-scroll/',
    'a header that appears on scrolling only',
    'Défilement',
    `${prose}<div style="height:5000px"></div><script>addEventListener('scroll',()=>{if(!document.getElementById('late')){const d=document.createElement('div');d.id='late';d.textContent='scrolled';d.style.cssText='position:fixed;top:0;left:0;right:0;height:80px;background:#f0f';document.body.append(d)}})</script>`,
  ),
]
