import { fixed, html, prose, send, type Page } from './page.ts'

/** Banners built as the consent platforms of the market build theirs: same ids and classes, our own words and behaviour. */

const overlay =
  'position:fixed;left:0;right:0;bottom:0;min-height:300px;padding:30px;background:#fff;border:4px solid #000;z-index:99'
const say = 'Nous utilisons des cookies pour mesurer l’audience. We use cookies to measure our audience.'
/** What a click did is written where the test can read it. */
const report = `<p id="answer">Aucune réponse.</p><script>const answer=(word,box)=>{document.getElementById('answer').textContent='Réponse : '+word;if(box)box.remove()}</script>`

const banner = (path: string, about: string, body: string): Page =>
  fixed(path, about, 'Bandeau', `${prose.repeat(4)}${report}${body}`)

const button = (id: string, words: string, word: string, box: string, more = '') =>
  `<button id="${id}" ${more} onclick="answer('${word}',document.querySelector('${box}'))">${words}</button>`

const known: readonly (readonly [name: string, body: string, expected: string])[] = [
  [
    'onetrust',
    `<div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" role="region" aria-label="Cookie banner" style="${overlay}"><p>${say}</p>${button('onetrust-accept-btn-handler', 'Accept All Cookies', 'accept', '#onetrust-consent-sdk')}${button('onetrust-reject-all-handler', 'Reject All', 'refuse', '#onetrust-consent-sdk')}</div></div>`,
    'refuse',
  ],
  [
    'didomi',
    `<div id="didomi-host"><div id="didomi-notice" role="dialog" style="${overlay}"><span role="button" tabindex="0" class="didomi-continue-without-agreeing" onclick="answer('continue',document.getElementById('didomi-host'))">Continuer sans accepter →</span><p>${say}</p>${button('didomi-notice-learn-more-button', 'En savoir plus', 'more', '#none')}${button('didomi-notice-agree-button', 'Accepter &amp; Fermer', 'accept', '#didomi-host')}</div></div>`,
    'continue',
  ],
  [
    'axeptio',
    `<div id="axeptio_overlay" style="position:fixed;left:20px;bottom:20px;width:400px;z-index:99"></div><script>{const host=document.getElementById('axeptio_overlay');const root=host.attachShadow({mode:'open'});root.innerHTML='<div style="background:#fff;border:4px solid #000;padding:20px"><p>${say}</p><button id="axeptio_btn_dismiss">Non merci</button><button id="axeptio_btn_configure">Je choisis</button><button id="axeptio_btn_acceptAll">OK pour moi</button></div>';root.getElementById('axeptio_btn_dismiss').onclick=()=>answer('refuse',host);root.getElementById('axeptio_btn_acceptAll').onclick=()=>answer('accept',host)}</script>`,
    'refuse',
  ],
  [
    'quantcast',
    `<div class="qc-cmp2-container" id="qc-cmp2-container"><div id="qc-cmp2-main"><div class="qc-cmp-cleanslate" style="${overlay}"><div id="qc-cmp2-ui" role="dialog"><p>${say} Nous respectons votre vie privée.</p><div class="qc-cmp2-summary-buttons"><button mode="secondary" onclick="answer('more')">PLUS D'OPTIONS</button><button mode="secondary" onclick="answer('refuse',document.getElementById('qc-cmp2-container'))"><span>TOUT REFUSER</span></button><button mode="primary" onclick="answer('accept',document.getElementById('qc-cmp2-container'))"><span>ACCEPTER</span></button></div></div></div></div></div>`,
    'refuse',
  ],
  [
    'cookiebot',
    `<div id="CybotCookiebotDialog" role="dialog" style="${overlay}"><p>${say}</p>${button('CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll', 'Alle zulassen', 'accept', '#CybotCookiebotDialog')}${button('CybotCookiebotDialogBodyButtonDecline', 'Ablehnen', 'refuse', '#CybotCookiebotDialog')}</div>`,
    'refuse',
  ],
  [
    'tarteaucitron',
    `<div id="tarteaucitronRoot"><div id="tarteaucitronAlertBig" style="${overlay}"><span id="tarteaucitronDisclaimerAlert">${say}</span>${button('tarteaucitronPersonalize2', '✓ Tout accepter', 'accept', '#tarteaucitronRoot')}${button('tarteaucitronAllDenied2', '✗ Interdire tous les cookies', 'refuse', '#tarteaucitronRoot')}${button('tarteaucitronCloseAlert', 'Personnaliser', 'more', '#none')}</div></div>`,
    'refuse',
  ],
  [
    'google',
    `<div class="fc-consent-root"><div class="fc-dialog-overlay" style="position:fixed;inset:0;background:#0008"></div><div class="fc-dialog-container" style="${overlay}"><div class="fc-dialog fc-choice-dialog" role="dialog"><p>${say}</p><button class="fc-button fc-cta-consent" onclick="answer('accept',document.querySelector('.fc-consent-root'))"><p class="fc-button-label">Autoriser</p></button><button class="fc-button fc-cta-do-not-consent" onclick="answer('refuse',document.querySelector('.fc-consent-root'))"><p class="fc-button-label">Ne pas autoriser</p></button></div></div></div>`,
    'refuse',
  ],
]

/** Name of each platform whose banner `/banner/<name>/` mimics, and what dismissing it answers. */
export const knownBannerPages: readonly (readonly [name: string, expected: string])[] = known.map(([name, , expected]) => [
  name,
  expected,
])

const words: readonly (readonly [name: string, words: string])[] = [
  ['de', 'Nur notwendige Cookies akzeptieren'],
  ['en', 'Only necessary cookies'],
]

const frameBody = (inside: string) =>
  `<p>${say}</p><button onclick="document.title='accepted';parent.postMessage('accept','*')">Accept all</button><button onclick="parent.postMessage('refuse','*')">${inside}</button>`

const framed = (path: string, about: string, source: (context: Parameters<Page['answer']>[0]) => string): Page => ({
  path,
  about,
  answer: (context, _request, response) =>
    send(
      response,
      200,
      'text/html; charset=utf-8',
      html(
        'Bandeau',
        `${prose.repeat(4)}${report}<div id="holder" style="position:fixed;left:100px;top:200px;width:600px;height:320px;border:6px solid #000;padding:12px;background:#fff"><iframe title="consent" src="${source(context)}" style="width:100%;height:100%;border:3px solid #00f"></iframe></div><script>addEventListener('message',e=>answer(e.data,document.getElementById('holder')))</script>`,
      ),
    ),
})

const filler = (n: number) => `<p>${prose}</p>`.repeat(n)

export const scenarioPages: readonly Page[] = [
  ...known.map(([name, body]) => banner(`/banner/${name}/`, `a cookie banner as ${name} builds it`, body)),
  ...words.map(([name, text]) =>
    banner(
      `/banner/words-${name}/`,
      `a cookie banner known by its words alone (${name})`,
      `<section id="box" style="${overlay}"><p>${say}</p>${button('a', 'Accetta', 'accept', '#box')}${button('b', 'OK', 'accept', '#box')}${button('c', text, 'refuse', '#box')}</section>`,
    ),
  ),
  banner(
    '/banner/closed-shadow/',
    'a cookie banner in a closed shadow tree, which comes after a moment',
    `<consent-box></consent-box><script>setTimeout(()=>{const host=document.querySelector('consent-box');const root=host.attachShadow({mode:'closed'});root.innerHTML='<div style="${overlay}"><p>${say}</p><button id="yes">Tout accepter</button><button id="no">Continuer sans accepter</button></div>';root.getElementById('no').onclick=()=>answer('continue',host);root.getElementById('yes').onclick=()=>answer('accept',host)},600)</script>`,
  ),
  framed('/banner/frame/', 'a cookie banner in a frame of the same site', () => '/banner/inside/'),
  framed(
    '/banner/other-origin/',
    'a cookie banner in a frame of another origin',
    ({ otherOrigin }) => `${otherOrigin}/banner/inside/`,
  ),
  framed(
    '/banner/other-site/',
    'a cookie banner in a frame of another site, cmp.localhost',
    ({ otherOrigin }) => `${otherOrigin.replace('127.0.0.1', 'cmp.localhost')}/banner/inside/`,
  ),
  fixed('/banner/inside/', 'what stands in those frames', 'Consent', frameBody('Tout refuser')),
  banner(
    '/banner/accept-only/',
    'a cookie banner that can only be accepted',
    `<div role="dialog" id="box" style="${overlay}"><p>${say}</p>${button('a', 'Tout accepter', 'accept', '#box')}<a href="/simple/">Personnaliser</a></div>`,
  ),
  banner(
    '/banner/stubborn/',
    'a cookie banner that stays whatever is pressed',
    `<div role="dialog" id="box" style="${overlay}"><p>${say}</p><button onclick="answer('refuse')">Tout refuser</button></div>`,
  ),
  banner(
    '/banner/reloads/',
    'a cookie banner whose refusal reloads the page',
    `<div role="dialog" id="box" style="${overlay}"><p>${say}</p><button onclick="document.cookie='said=no';answer('refuse',document.getElementById('box'));location.reload()">Tout refuser</button></div>`,
  ),
  banner(
    '/banner/clobbered/',
    'a page whose elements carry the names of what a script calls on the document and on forms',
    `<img name="querySelectorAll" alt=""><img name="body" alt=""><form id="box" style="${overlay}"><input name="localName"><input name="innerText"><input name="getAttribute"><input name="querySelectorAll"><input name="parentElement"><input name="shadowRoot"><input name="getBoundingClientRect"><input name="checkVisibility"><p>${say}</p><button type="button" onclick="answer('refuse',document.getElementById('box'))">Tout refuser</button></form>`,
  ),
  banner(
    '/banner/none/',
    'a menu that names cookies and a dialog that does not: no banner',
    `<nav style="position:sticky;top:0;background:#fff"><a href="/simple/">Home</a> <a href="/simple/">Cookie policy</a> <button onclick="answer('menu')">Menu</button></nav><div role="dialog" style="position:fixed;right:0;bottom:0;background:#ff0"><p>Subscribe to our letter.</p><button onclick="answer('letter',this.parentElement)">Close</button></div>`,
  ),
  fixed(
    '/steps/',
    'everything that the steps of a scenario touch',
    'Étapes',
    `${prose}
<p id="log"></p><script>const log=(word)=>{document.getElementById('log').textContent+=word+';'}</script>
<main>
<details><summary>Conditions</summary><p>Première partie repliée.</p><details><summary>Annexe</summary><p>Partie repliée dans la partie.</p></details></details>
<h2><button aria-expanded="false" aria-controls="more" onclick="this.setAttribute('aria-expanded','true');document.getElementById('more').hidden=false">Lire la suite</button></h2><div id="more" hidden><p>Suite du texte.</p></div>
<button id="trusted" onclick="log(event.isTrusted?'hand':'script')">Afficher  le prix</button>
<label>Recherche <input id="query" name="q" onkeydown="log('key')" oninput="log('typed '+this.value)"></label>
<label>Mot de passe <input id="secret" type="password"></label>
<a id="away" href="/simple/">Ailleurs</a> <a id="new" href="/simple/?new" target="_blank">Nouvelle fenêtre</a> <a href="#end">Vers le bas</a>
<div style="position:relative;width:200px;height:40px"><button id="under">Dessous</button><div style="position:absolute;inset:0;background:#eee"></div></div>
<div id="late"></div><script>setTimeout(()=>{document.getElementById('late').innerHTML='<p id="came">Arrivé plus tard.</p>'},1200)</script>
${filler(6)}
<p id="below">Pas encore vu.</p><script>new IntersectionObserver((e,o)=>{if(e[0].isIntersecting){log('seen');o.disconnect()}}).observe(document.getElementById('below'))</script>
<p id="end">Fin.</p>
</main><script>addEventListener('wheel',()=>{window.turns=(window.turns||0)+1;document.documentElement.dataset.turns=window.turns},{passive:true})</script>`,
  ),
]
