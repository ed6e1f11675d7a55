/** One page for each sign of the quality gate, and one for each look-alike that must not raise it. */
import { drawPng } from './pixels.ts'
import { html, prose } from './page.ts'
import type { LoggedPage } from './start-logged-site.ts'

export type QualityPage = {
  readonly path: string
  /** `HOST` of the name that the page is called by; `site.test` unless told. */
  readonly codes: readonly string[]
  readonly verdict: 'good' | 'doubtful' | 'poor'
  readonly advice: readonly string[]
  /** Data of the first warning, as far as given. */
  readonly data?: Readonly<Record<string, string | number>>
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly redirect?: (port: number) => string
  readonly body: (port: number) => string
}

/** Names that the pages use; all lead to the site. */
export const qualityNames = [
  'site.test',
  'm.site.test',
  'other.test',
  'consent.site.test',
  'geo.captcha-delivery.com',
  'newassets.hcaptcha.com',
  'www.google.com',
  'captcha.px-cdn.net',
] as const

const article = `${prose.repeat(5)}<p>${'The court sat at ten. La cour s’est réunie à dix heures. '.repeat(40)}</p>`
const links = (count: number) => Array.from({ length: count }, (_, i) => `<a href="/rubrique-${i}">Rubrique ${i}</a>`).join(' ')
const page =
  (title: string, body: string, head = '') =>
  () =>
    html(title, body, head)
const fixedBox = (style: string, inside: string, attributes = '') =>
  `<div ${attributes} style="position:fixed;background:#fff;color:#000;border:2px solid #000;${style}">${inside}</div>`
const loginForm = `<form><label>E-mail <input type="email" name="email"></label><label>Password <input type="password"></label><button>Log in</button></form>`

const walls: readonly QualityPage[] = [
  {
    path: '/http-404',
    codes: ['http_error'],
    verdict: 'poor',
    advice: ['check_address'],
    data: { status: 404 },
    status: 404,
    body: page('Introuvable', '<h1>Page introuvable</h1><p>Cette page n’existe plus.</p>'),
  },
  {
    path: '/http-503',
    codes: ['http_error'],
    verdict: 'poor',
    advice: ['retry'],
    data: { status: 503 },
    status: 503,
    body: page('Maintenance', '<h1>Back soon</h1><p>The site is being worked on; please come back later.</p>'),
  },
  {
    path: '/soft-404',
    codes: ['soft_error'],
    verdict: 'poor',
    advice: ['check_address'],
    data: { words: 'Erreur 404 : page introuvable' },
    body: page(
      'Boutique',
      `<h1>Erreur 404 : page introuvable</h1><p>Le produit que vous cherchez a été retiré. ${links(12)}</p>`,
    ),
  },
  {
    path: '/cloudflare',
    codes: ['http_error', 'bot_wall'],
    verdict: 'poor',
    advice: ['retry', 'interactive'],
    status: 403,
    headers: { 'cf-mitigated': 'challenge', server: 'cloudflare' },
    body: page(
      'Just a moment...',
      '<h1>site.test</h1><p>Verify you are human by completing the action below.</p><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>',
    ),
  },
  {
    path: '/cloudflare-200-fr',
    codes: ['bot_wall'],
    verdict: 'poor',
    advice: ['retry', 'interactive'],
    data: { signal: 'address', name: 'Cloudflare' },
    body: page(
      'Un instant…',
      '<h1>site.test</h1><p>Vérification que vous êtes humain. Cela peut prendre quelques secondes.</p><script src="/cdn-cgi/challenge-platform/h/g/orchestrate/jsch/v1"></script>',
    ),
  },
  {
    path: '/datadome',
    codes: ['http_error', 'bot_wall'],
    verdict: 'poor',
    advice: ['retry', 'interactive'],
    status: 403,
    headers: { 'x-datadome': 'protected' },
    body: (port) =>
      html(
        'site.test',
        `<p>Please enable JS and disable any ad blocker</p><iframe src="http://geo.captcha-delivery.com:${port}/captcha/" width="100%" height="600"></iframe>`,
      ),
  },
  {
    path: '/datadome-200',
    codes: ['bot_wall'],
    verdict: 'poor',
    advice: ['retry', 'interactive'],
    data: { signal: 'address', name: 'DataDome' },
    body: (port) =>
      html('site.test', `<iframe src="http://geo.captcha-delivery.com:${port}/captcha/" width="100%" height="600"></iframe>`),
  },
  {
    path: '/human',
    codes: ['http_error', 'bot_wall'],
    verdict: 'poor',
    advice: ['retry', 'interactive'],
    status: 403,
    body: (port) =>
      html(
        'Access to this page has been denied',
        `<h1>Press &amp; Hold to confirm you are a human</h1><div id="px-captcha" style="height:80px">…</div><script src="http://captcha.px-cdn.net:${port}/PX123/captcha.js"></script>`,
      ),
  },
  {
    path: '/akamai',
    codes: ['http_error', 'bot_wall'],
    verdict: 'poor',
    advice: ['retry', 'interactive'],
    status: 403,
    headers: { server: 'AkamaiGHost' },
    body: page(
      'Access Denied',
      '<h1>Access Denied</h1><p>You don’t have permission to access "http://site.test/" on this server.</p><p>Reference #18.2f1c1702.1763700000.1a2b3c</p>',
    ),
  },
  {
    path: '/aws-waf',
    codes: ['bot_wall'],
    verdict: 'poor',
    advice: ['retry', 'interactive'],
    data: { signal: 'field', name: 'x-amzn-waf-action' },
    status: 202,
    headers: { 'x-amzn-waf-action': 'challenge' },
    body: page('', '<p>JavaScript is disabled. In order to continue, we need to verify that you’re not a robot.</p>'),
  },
  {
    path: '/imperva',
    codes: ['bot_wall'],
    verdict: 'poor',
    advice: ['retry', 'interactive'],
    body: page(
      '',
      '<iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=23&amp;incident_id=1" width="100%" height="600">Request unsuccessful. Incapsula incident ID: 1</iframe>',
    ),
  },
  {
    path: '/hcaptcha',
    codes: ['bot_wall'],
    verdict: 'poor',
    advice: ['retry', 'interactive'],
    data: { signal: 'element', name: 'hCaptcha' },
    body: (port) =>
      html(
        'One more step',
        `<h1>One more step</h1><p>Please complete this to go on.</p><div class="h-captcha"><iframe src="http://newassets.hcaptcha.com:${port}/captcha/v1/x" width="303" height="78"></iframe></div>`,
      ),
  },
  {
    path: '/recaptcha-fr',
    codes: ['bot_wall'],
    verdict: 'poor',
    advice: ['retry', 'interactive'],
    data: { signal: 'element', name: 'reCAPTCHA' },
    body: (port) =>
      html(
        'Contrôle',
        `<p>Notre système a détecté un trafic inhabituel. Confirmez que vous n’êtes pas un robot.</p><iframe src="http://www.google.com:${port}/recaptcha/api2/anchor?k=1" width="304" height="78"></iframe>`,
      ),
  },
  {
    path: '/turnstile',
    codes: ['bot_wall'],
    verdict: 'poor',
    advice: ['retry', 'interactive'],
    data: { signal: 'element', name: 'Cloudflare Turnstile' },
    // The maker's own host is known to browsers for HTTPS only: the widget's element stands alone.
    body: page(
      'site.test',
      '<h1>site.test</h1><div class="cf-turnstile" style="width:300px;height:65px;border:1px solid"></div>',
    ),
  },
  {
    path: '/login-401',
    codes: ['http_error', 'login_wall'],
    verdict: 'poor',
    advice: ['interactive'],
    status: 401,
    body: page('Unauthorized', '<h1>Members only</h1><p>This part of the site is for members. Ask the secretary for access.</p>'),
  },
  {
    path: '/login-email-first',
    codes: ['login_wall'],
    verdict: 'poor',
    advice: ['interactive'],
    data: { signal: 'identifier_field' },
    body: page(
      'Compte',
      '<h1>Connexion</h1><form><label>Adresse électronique <input type="email" name="identifier" autocomplete="username"></label><button>Suivant</button></form>',
    ),
  },
  {
    path: '/members/report-7',
    codes: ['login_wall'],
    verdict: 'poor',
    advice: ['interactive'],
    data: { signal: 'redirect' },
    redirect: (port) => `http://site.test:${port}/account/login?next=%2Fmembers%2Freport-7`,
    body: page('moved', 'moved'),
  },
  {
    path: '/login-overlay',
    codes: ['login_wall'],
    verdict: 'poor',
    advice: ['interactive'],
    data: { signal: 'overlay' },
    body: page(
      'Profile',
      `${article}${fixedBox('inset:10% 20%', `<h2>Log in or sign up to see the profile</h2>${loginForm}`, 'role="dialog" aria-modal="true"')}`,
    ),
  },
  {
    path: '/paywall-overlay',
    codes: ['paywall'],
    verdict: 'doubtful',
    advice: ['interactive'],
    data: { signal: 'overlay' },
    body: page(
      'Article',
      `${article}${fixedBox('left:0;right:0;bottom:0;height:50%', '<h2>Abonnez-vous pour poursuivre votre lecture</h2><p>Article réservé aux abonnés.</p><a href="/offre">Voir les offres</a>')}`,
    ),
  },
  {
    path: '/paywall-markup',
    codes: ['paywall'],
    verdict: 'doubtful',
    advice: ['interactive'],
    data: { signal: 'markup' },
    body: page(
      'Article',
      `${prose}<p>The rest of this article is for subscribers only. Subscribe to continue reading.</p>${links(8)}`,
      '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script>',
    ),
  },
]

const gaps: readonly QualityPage[] = [
  { path: '/blank', codes: ['blank_page'], verdict: 'poor', advice: ['retry'], data: { characters: 0 }, body: page('', '') },
  {
    path: '/painted-over',
    codes: ['blank_page'],
    verdict: 'poor',
    advice: ['retry'],
    body: page('Hidden', `<div style="opacity:0">${article}</div>`),
  },
  {
    path: '/nearly-blank',
    codes: ['blank_page'],
    verdict: 'poor',
    advice: ['retry'],
    data: { characters: 1 },
    body: page('', '<p>.</p>'),
  },
  {
    path: '/spinner',
    codes: ['still_loading'],
    verdict: 'poor',
    advice: ['retry'],
    body: page(
      'App',
      '<div id="root"><div class="spinner" role="progressbar"></div></div>',
      '<style>.spinner{width:80px;height:80px;margin:200px auto;border:12px solid #ccc;border-top-color:#06c;border-radius:50%;animation:t 1s linear infinite}@keyframes t{to{transform:rotate(1turn)}}</style>',
    ),
  },
  {
    path: '/skeleton',
    codes: ['still_loading'],
    verdict: 'poor',
    advice: ['retry'],
    body: page(
      'Shop',
      `<h1>Catalogue</h1>${'<div class="card-skeleton"></div>'.repeat(6)}`,
      '<style>.card-skeleton{height:110px;margin:10px;background:#ddd}</style>',
    ),
  },
  {
    path: '/cookie-bottom',
    codes: ['cookie_banner'],
    verdict: 'doubtful',
    advice: ['cookie_option'],
    body: page(
      'Journal',
      `${article}${fixedBox('left:0;right:0;bottom:0;height:300px', '<p>Nous et nos partenaires utilisons des cookies.</p><button>Tout refuser</button><button>Tout accepter</button>')}`,
    ),
  },
  {
    path: '/cookie-frame',
    codes: ['cookie_banner'],
    verdict: 'doubtful',
    advice: ['cookie_option'],
    body: page(
      'Journal',
      `${article}<iframe id="sp_message_iframe_1" title="Consent" src="/cmp" style="position:fixed;left:10%;top:10%;width:80%;height:80%"></iframe>`,
    ),
  },
  {
    path: '/cookie-shadow',
    codes: ['cookie_banner'],
    verdict: 'doubtful',
    advice: ['cookie_option'],
    body: page(
      'Journal',
      `${article}<div id="usercentrics-root"><template shadowrootmode="open"><div role="dialog" style="position:fixed;inset:20% 10%;background:#fff;border:2px solid"><p>We use cookies.</p><button>Deny</button><button>Accept all</button></div></template></div>`,
    ),
  },
  {
    path: '/watch',
    codes: ['consent_page'],
    verdict: 'poor',
    advice: ['interactive', 'cookie_option'],
    data: { redirected: 1 },
    redirect: (port) => `http://consent.site.test:${port}/m?continue=watch`,
    body: page('moved', 'moved'),
  },
  {
    path: '/missing-pictures',
    codes: ['missing_images', 'resources_failed'],
    verdict: 'doubtful',
    advice: ['retry'],
    data: { missing: 4, total: 5 },
    body: page(
      'Pictures',
      `${article}<img src="/picture.png" width="200" height="100"><img src="/gone/a.png" width="200" height="100"><img src="/broken.png" width="200" height="100">
<img class="lazy" data-src="/picture.png?later" src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" width="200" height="100">
<div class="hero"></div><img src="/gone/pixel.gif" width="1" height="1"><img src="/gone/hidden.png" style="display:none">`,
      '<style>.hero{height:100px;background:url(/gone/hero.jpg)}</style>',
    ),
  },
  {
    path: '/too-tall',
    codes: ['height_cut'],
    verdict: 'doubtful',
    advice: [],
    data: { captured_height: 12_000, page_height: 20_000 },
    body: page('Tall', `${prose}<div style="position:absolute;top:0;height:20000px;width:10px;background:#06c"></div>`),
  },
  {
    path: '/scrolls-inside',
    codes: ['inner_scroll'],
    verdict: 'doubtful',
    advice: ['interactive'],
    data: { visible: 800, height: 9_000 },
    body: page(
      'Application',
      `<main style="height:100vh;overflow-y:auto"><div style="height:9000px;display:flow-root">${article}</div></main>`,
      '<style>html,body{margin:0;height:100%;overflow:hidden}</style>',
    ),
  },
  {
    path: '/sold',
    codes: ['redirected_elsewhere'],
    verdict: 'doubtful',
    advice: ['check_address'],
    redirect: (port) => `http://other.test:${port}/ordinary`,
    body: page('moved', 'moved'),
  },
  {
    path: '/shop/item-7',
    codes: ['redirected_home'],
    verdict: 'doubtful',
    advice: ['check_address'],
    redirect: (port) => `http://site.test:${port}/`,
    body: page('moved', 'moved'),
  },
  {
    path: '/fr/conditions',
    codes: ['other_language'],
    verdict: 'doubtful',
    advice: ['check_address'],
    data: { asked: 'fr', shown: 'en' },
    redirect: (port) => `http://site.test:${port}/en/conditions`,
    body: page('moved', 'moved'),
  },
  {
    path: '/no-style',
    codes: ['resources_failed'],
    verdict: 'doubtful',
    advice: ['retry'],
    data: { failed: 1, visible: 1 },
    body: page('Plain', article, '<link rel="stylesheet" href="/gone/style.css">'),
  },
]

const nothing = { codes: [], verdict: 'good', advice: [] } as const
const lookAlikes: readonly QualityPage[] = [
  { path: '/ordinary', ...nothing, body: page('Ordinary', article) },
  {
    path: '/article-on-captchas',
    ...nothing,
    body: page(
      'Why sites verify you are human',
      `<header>${links(9)}</header><h1>Verify you are human: the story of the captcha</h1><p>“Checking your browser…”: who has not read it? Cloudflare, hCaptcha and reCAPTCHA ask you to verify you are human.</p>`,
    ),
  },
  {
    path: '/login-in-header',
    ...nothing,
    body: page('Forum', `<header style="position:sticky;top:0;background:#eee">${loginForm}</header>${article}${links(40)}`),
  },
  {
    path: '/dark-hero',
    ...nothing,
    body: page(
      'Studio',
      `<section style="height:100vh;background:#101014"></section>${article}`,
      '<style>body{margin:0}</style>',
    ),
  },
  { path: '/short', ...nothing, body: page('Status', '<p>All systems operational.</p>') },
  {
    path: '/newsletter',
    ...nothing,
    body: page(
      'Lettre',
      '<h1>La lettre du musée</h1><p>Chaque mois, nos expositions.</p><form><input type="email" name="email"><button>S’abonner</button></form>',
    ),
  },
  {
    path: '/contact',
    ...nothing,
    body: (port) =>
      html(
        'Contact',
        `<h1>Contact</h1><form><input name="name"><input type="email" name="email"><textarea></textarea><div class="g-recaptcha"><iframe src="http://www.google.com:${port}/recaptcha/api2/anchor" width="304" height="78"></iframe></div><button>Send</button></form>`,
      ),
  },
  {
    path: '/sticky-header',
    ...nothing,
    body: page(
      'Magasin',
      `<header style="position:sticky;top:0;height:120px;background:#fff">${links(8)} <a href="/privacy">Privacy</a> <a href="/cookies">Cookies</a></header>${article}`,
    ),
  },
  {
    path: '/some-wheel',
    ...nothing,
    body: page(
      'News',
      `${article}<div class="spinner" style="width:30px;height:30px;border:3px solid;animation:t 1s infinite"></div><style>@keyframes t{to{transform:rotate(1turn)}}</style>`,
    ),
  },
  {
    path: '/room-404',
    ...nothing,
    body: page(
      'Room 404',
      '<h1>404 rue de la Paix</h1><p>Chambre 404, vue sur cour, deux personnes, petit déjeuner compris.</p>',
    ),
  },
  {
    path: '/subscribe-box',
    ...nothing,
    body: page('Gazette', `${article.repeat(4)}<aside><h3>Subscribe to our newsletter</h3></aside>`),
  },
  {
    path: '/tracker-down',
    ...nothing,
    codes: ['resources_failed'],
    data: { failed: 1, visible: 0 },
    body: (port) => html('Blog', `${article}<script src="http://other.test:${port}/gone/tracker.js"></script>`),
  },
  { path: '/mobile', ...nothing, redirect: (port) => `http://m.site.test:${port}/ordinary`, body: page('moved', 'moved') },
]

export const qualityPages: readonly QualityPage[] = [...walls, ...gaps, ...lookAlikes]

const picture = drawPng(200, 100, (x, y) => [x & 255, y * 2, 120])
const helpers: readonly LoggedPage[] = [
  ['/', html('Site', article)],
  ['/account/login', html('Connexion', `<h1>Sign in</h1>${loginForm}`)],
  ['/en/conditions', html('Conditions', article)],
  [
    '/m',
    html(
      'Before you continue',
      '<h1>Before you continue</h1><p>We use cookies and data to deliver the service.</p><button>Reject all</button><button>Accept all</button>',
    ),
  ],
  ['/cmp', html('Consent', '<p>We value your privacy.</p><button>Accept</button>')],
  ['/captcha/', html('Puzzle', '<p>Slide to the right</p>')],
  ['/captcha/v1/', html('Puzzle', '<p>I am human</p>')],
  ['/recaptcha/api2/', html('Puzzle', '<p>Je ne suis pas un robot</p>')],
  ['/_Incapsula_Resource', html('Puzzle', '<p>Request unsuccessful. Incapsula incident ID: 1</p>')],
].map(([path = '', body = '']) => ({
  path,
  answer: (_request, response) => void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body),
}))

/** Everything that a site of these pages answers. */
export const qualitySite: readonly LoggedPage[] = [
  ...qualityPages.map(({ path, body, status, headers, redirect }): LoggedPage => ({
    path,
    answer: (_request, response, url) => {
      const port = Number(url.port)
      if (redirect !== undefined) response.writeHead(302, { location: redirect(port) }).end()
      else response.writeHead(status ?? 200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body(port))
    },
  })),
  ...helpers,
  {
    path: '/picture.png',
    answer: (_request, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(picture),
  },
  {
    path: '/broken.png',
    answer: (_request, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(picture.subarray(0, 20)),
  },
  {
    path: '/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/',
    answer: (_request, response) => void response.writeHead(200, { 'content-type': 'text/javascript' }).end('void 0'),
  },
  {
    path: '/cdn-cgi/challenge-platform/h/g/orchestrate/jsch/',
    answer: (_request, response) => void response.writeHead(200, { 'content-type': 'text/javascript' }).end('void 0'),
  },
  {
    path: '/PX123/',
    answer: (_request, response) => void response.writeHead(200, { 'content-type': 'text/javascript' }).end('void 0'),
  },
]
