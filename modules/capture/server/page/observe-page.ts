import type { CdpSession } from '../../../../platform/browser/cdp-connection.ts'
import type { PageObservation } from '../../domain/quality/page-observation.ts'
import { evaluateApart } from './evaluate-apart.ts'

/** Elements looked at, at most: a page of a million must not make us wait. */
const maxElements = 20_000

/**
 * Reads the page as it stands: its own tree, open shadow trees and frames of the same origin. Runs in the page's process, in a
 * world of its own; plain JavaScript, since it is sent as text. Everything it returns is bounded.
 */
const lookAround = `(maxElements) => {
  const squeeze = (text) => (text || '').replace(/\\s+/g, ' ').trim()
  const trees = [document.self], elements = []
  const viewGetter = Object.getOwnPropertyDescriptor(Document.prototype, 'defaultView').get
  const viewOf = (e) => viewGetter.call(e.ownerDocument)
  // A form's fields hide its own properties, as names hide a document's: such a form is passed over, not what it holds.
  const hidden = (e) => ['getClientRects', 'getBoundingClientRect', 'getAttribute', 'hasAttribute', 'querySelector', 'querySelectorAll', 'getAnimations', 'contains'].some((name) => typeof e[name] !== 'function') || typeof e.tagName !== 'string' || e.ownerDocument.nodeType !== 9
  let looked = 0, more = false
  for (let i = 0; i < trees.length && trees.length < 200; i += 1) {
    const walker = Document.prototype.createTreeWalker.call(trees[i].nodeType === 9 ? trees[i] : trees[i].ownerDocument, trees[i], NodeFilter.SHOW_ELEMENT)
    for (let e = walker.nextNode(); e; e = walker.nextNode()) {
      if (looked >= maxElements) { more = true; break }
      looked += 1
      if (e.namespaceURI === 'http://www.w3.org/1999/xhtml' && hidden(e)) continue
      elements.push(e)
      if (e.shadowRoot instanceof ShadowRoot) trees.push(e.shadowRoot)
      if (e.tagName === 'IFRAME' || e.tagName === 'FRAME') { try { if (e.contentDocument) trees.push(e.contentDocument) } catch {} }
    }
  }
  const own = (e) => e.ownerDocument === document.self
  const view = innerWidth * innerHeight
  const styleOf = (e) => (viewOf(e) || globalThis).getComputedStyle(e)
  const rectOf = (e) => {
    const r = e.getBoundingClientRect()
    if (own(e)) return r
    const frame = viewOf(e) && viewOf(e).frameElement
    const f = frame ? frame.getBoundingClientRect() : { left: 0, top: 0 }
    return new DOMRect(r.left + f.left, r.top + f.top, r.width, r.height)
  }
  const laidOut = (e) => e.getClientRects().length > 0
  const shown = (e) => { const r = e.getBoundingClientRect(); return r.width > 1 && r.height > 1 && styleOf(e).visibility !== 'hidden' && styleOf(e).opacity !== '0' }
  const inView = (e) => { const r = rectOf(e); return Math.max(0, Math.min(r.right, innerWidth) - Math.max(r.left, 0)) * Math.max(0, Math.min(r.bottom, innerHeight) - Math.max(r.top, 0)) }
  const named = (e, tags) => tags.includes(e.tagName.toUpperCase())
  const parts = [document.body && document.body.innerText]
  for (const tree of trees.slice(1)) {
    const host = tree.nodeType === 9 ? viewGetter.call(tree) && viewGetter.call(tree).frameElement : tree.host
    if (!host || !laidOut(host)) continue
    for (const child of tree.children) parts.push(child.innerText)
  }
  const text = squeeze(parts.map((part) => (part || '').slice(0, 500000)).join(' '))

  const images = [], missing = [], stalled = []
  const backgrounds = new Set()
  const add = (list, url) => { if (list.length < 500) list.push(String(url).slice(0, 300)) }
  for (const e of elements) {
    if (e.tagName === 'IMG') {
      const url = e.currentSrc || e.src
      const waiting = e.dataset.src || e.dataset.lazySrc || e.dataset.original || e.dataset.lazy || e.dataset.srcset
      if (!laidOut(e) || styleOf(e).visibility === 'hidden') continue
      const declared = [Number(e.getAttribute('width') || 9), Number(e.getAttribute('height') || 9)]
      if (declared[0] <= 2 && declared[1] <= 2) continue
      if (!url && !waiting) continue
      images.push(e)
      const r = e.getBoundingClientRect()
      // A stand-in of a pixel or of nothing at all, with the real address in an attribute that a script would have read.
      const standIn = !url || (e.naturalWidth <= 2 && e.naturalHeight <= 2 && r.width > 8 && r.height > 8) || (/^data:/.test(url) && url.length < 600)
      if (e.naturalWidth === 0 && url && !waiting) { if (!/^data:image\\/svg/.test(url)) add(missing, url) }
      else if (waiting && standIn) add(stalled, new URL(String(waiting).split(/[\\s,]/)[0] || '', document.baseURI).href)
      else if (e.naturalWidth === 0 && url) add(missing, url)
    } else if (laidOut(e) && backgrounds.size < 500) {
      for (const pseudo of [null, '::before', '::after']) {
        const style = viewOf(e) ? viewOf(e).getComputedStyle(e, pseudo) : null
        if (!style || (pseudo && style.content === 'none')) continue
        const values = style.backgroundImage + ' ' + style.borderImageSource + ' ' + style.listStyleImage
        if (values.includes('url(')) for (const m of values.matchAll(/url\\("((?:[^"\\\\]|\\\\.)*)"\\)/g)) if (!m[1].startsWith('data:')) backgrounds.add(m[1].slice(0, 300))
      }
      if (e.tagName === 'VIDEO' && e.poster) backgrounds.add(e.poster.slice(0, 300))
      if (e.tagName === 'INPUT' && e.type === 'image' && e.src) backgrounds.add(e.src.slice(0, 300))
      if (e.tagName === 'image' && e.href) backgrounds.add(new URL(e.href.baseVal, document.baseURI).href.slice(0, 300))
    }
  }

  const consentWords = /cookie|consent|gdpr|rgpd|traceurs|tracking technologies/i
  const privacyWords = /vie privée|privacy|données personnelles|personal data/i
  const consentButtons = /accept|agree|allow|reject|refuse|refuser|decline|got it|d.accord|continuer sans|paramétrer|personnaliser|customi[sz]e|manage|understand|compris/i
  const wallWords = /(log|sign) ?in|sign ?up|register|create (an |a free )?account|connectez-vous|se connecter|identifiez-vous|connexion|inscrivez-vous|s.inscrire|créez un compte/i
  const payWords = /subscribe (now )?(to|for)|subscribers? only|to (continue|keep) reading|already a subscriber|start your (free )?trial|abonnez-vous|réserv[ée]e? (à|aux) (nos )?abonn|déjà abonn|poursuivre (votre|la) lecture|lire la suite.{0,40}abonn|offre d.abonnement/i
  let consent = 0, consentText = '', wall = 0, wallText = '', pay = 0, payText = ''
  const fieldIn = (e) => e.querySelector('input[type=password],input[type=email],input[autocomplete*=username]') !== null
  const pressable = (e) => [...e.querySelectorAll('button,[role=button],a,input[type=submit],input[type=button]')].slice(0, 50)
  const labelled = (e) => (e.innerText || e.value || e.getAttribute('aria-label') || '')
  for (const e of elements) {
    const style = styleOf(e)
    const modal = e.getAttribute('role') === 'dialog' || e.getAttribute('aria-modal') === 'true' || (e.tagName === 'DIALOG' && e.open)
    if (style.position !== 'fixed' && style.position !== 'sticky' && !modal) continue
    const share = inView(e) / view
    if (share === 0 || style.visibility === 'hidden' || style.opacity === '0') continue
    const inside = squeeze(e.innerText).slice(0, 3000)
    const name = (e.id + ' ' + (e.getAttribute('class') || '') + ' ' + (e.getAttribute('aria-label') || '') + ' ' + (e.getAttribute('title') || '') + ' ' + (e.tagName === 'IFRAME' ? e.src : '')).slice(0, 1000)
    const all = name + ' ' + inside
    const speaks = consentWords.test(all) || privacyWords.test(all)
    const asks = e.tagName === 'IFRAME' ? consentWords.test(name) || /\\bsp_message|privacy-mgmt|consensu|onetrust|didomi/i.test(name) : speaks && (pressable(e).some((b) => consentButtons.test(labelled(b))) || (e.shadowRoot !== null && consentWords.test(all)))
    if (asks && share > consent) { consent = share; consentText = inside.slice(0, 300) }
    if (asks || share < 0.08) continue
    if (payWords.test(inside) && share > pay) { pay = share; payText = inside.slice(0, 300) }
    else if (wallWords.test(inside) && (fieldIn(e) || (modal && pressable(e).some((b) => wallWords.test(labelled(b))))) && share > wall) { wall = share; wallText = inside.slice(0, 300) }
  }

  const inputs = elements.filter((e) => named(e, ['INPUT', 'TEXTAREA', 'SELECT']) && !/^(hidden|submit|button|image|reset)$/.test(e.type) && shown(e))
  const kind = (e) => (e.getAttribute('autocomplete') || '') + ' ' + e.type + ' ' + (e.name || '') + ' ' + e.id
  const headings = elements.filter((e) => named(e, ['H1', 'H2', 'LEGEND', 'LABEL', 'BUTTON']) && shown(e)).slice(0, 60).map((e) => squeeze(labelled(e)).slice(0, 120))
  const first = elements.find((e) => e.tagName === 'H1' && shown(e)) || elements.find((e) => e.tagName === 'H2' && shown(e))

  // What shows that something is still to come: nothing but a shape, inside of which there is no content.
  const bare = (e) => squeeze(e.innerText).length < 20 && !e.querySelector('img,video,canvas,iframe,input,textarea,select')
  let skeleton = 0, spinner = 0
  const boxes = []
  for (const e of elements) {
    const name = (e.getAttribute('class') || '') + ' ' + e.id
    const busy = e.getAttribute('aria-busy') === 'true' || (e.getAttribute('role') === 'progressbar' && !e.hasAttribute('aria-valuenow'))
    const looks = /(^|[-_\\s])(skeleton|shimmer|placeholder-(glow|wave)|ghost-line|content-loader)s?([-_\\s]|$)/i.test(name)
    const spins = /(^|[-_\\s])(spinner|loader|loading|preloader|progress-circular)([-_\\s]|$)/i.test(name)
    if (!(busy || looks || spins) || boxes.length >= 500) continue
    if (!laidOut(e) || !shown(e) || inView(e) === 0 || !bare(e)) continue
    if (looks || (busy && !spins)) { if (!boxes.some((box) => box.contains(e))) { boxes.push(e); skeleton += inView(e) / view } }
    if (spins || busy) { const moving = e.getAnimations({ subtree: true }).some((a) => a.playState === 'running'); if (moving) spinner += 1 }
  }

  // A box that scrolls by itself and takes most of the window: what is below in it is in no picture.
  let inner = { visible: 0, height: 0 }
  for (const e of elements) {
    if (!own(e) || e === document.documentElement || e === document.body || e === document.scrollingElement) continue
    if (e.scrollHeight <= e.clientHeight + 40 || e.clientHeight < innerHeight * 0.5 || e.clientWidth < innerWidth * 0.5) continue
    if (!/auto|scroll/.test(styleOf(e).overflowY) || !shown(e)) continue
    if (e.scrollHeight - e.clientHeight > inner.height - inner.visible) inner = { visible: e.clientHeight, height: e.scrollHeight }
  }

  // What overflows to the side can be scrolled to by a visitor, unless the page forbids it.
  const roots = [document.documentElement, document.body].filter(Boolean)
  const wide = document.scrollingElement && !roots.some((e) => /hidden|clip/.test(styleOf(e).overflowX)) ? document.scrollingElement.scrollWidth : innerWidth

  const frames = elements.filter((e) => named(e, ['IFRAME', 'FRAME']) && shown(e)).slice(0, 100)
  const marks = [
    ['cf-challenge', '#challenge-form,#challenge-stage,#challenge-running,.cf-challenge,#cf-wrapper .cf-captcha-container'],
    ['px-captcha', '#px-captcha,#px-block-form-wrapper'],
    ['ddg', '#ddg-captcha,#ddos-guard'],
    ['sec-if-cpt', '#sec-if-cpt-container,#sec-cpt-if'],
    ['awswaf-captcha', 'awswaf-captcha,#captcha-container[data-awswaf],#awswaf-captcha'],
    ['incapsula', '#main-iframe[src*="_Incapsula_Resource"],iframe[src*="_Incapsula_Resource"]'],
    ['datadome', 'iframe[src*="captcha-delivery.com"]'],
    ['turnstile', '.cf-turnstile'], ['hcaptcha', '.h-captcha'], ['recaptcha', '.g-recaptcha'],
  ].filter(([, selector]) => { const e = document.querySelector(selector); return e !== null && (laidOut(e) || e.children.length > 0) }).map(([name]) => name)
  let locked = false
  for (const e of [...document.querySelectorAll('script[type="application/ld+json"]')].slice(0, 20)) if (/"isAccessibleForFree"\\s*:\\s*"?false/i.test((e.textContent || '').slice(0, 200000))) locked = true
  return {
    title: String(document.title).slice(0, 2000),
    language: String((document.documentElement && document.documentElement.lang) || '').slice(0, 40),
    heading: first ? squeeze(first.innerText).slice(0, 300) : '',
    textLength: text.length,
    textStart: text.slice(0, 2000),
    mediaCount: elements.filter((e) => named(e, ['IMG', 'CANVAS', 'VIDEO', 'SVG', 'IFRAME', 'OBJECT', 'EMBED', 'PICTURE']) && shown(e)).length,
    images: { total: images.length, missing: [...new Set([...missing, ...stalled])].slice(0, 100) },
    backgrounds: [...backgrounds],
    passwordFields: inputs.filter((e) => e.type === 'password').length,
    identifierFields: inputs.filter((e) => /username|email|e-mail|login|identifi|user(name|id)?\\b/i.test(kind(e)) && e.type !== 'password' && e.type !== 'search' && e.type !== 'checkbox').length,
    otherFields: inputs.filter((e) => e.type !== 'password' && e.type !== 'checkbox' && e.type !== 'search' && !/username|email|e-mail|login|identifi/i.test(kind(e))).length,
    asksToLogIn: headings.some((words) => /^(log|sign) ?in\\b|^welcome back|^connexion\\b|^connectez-vous|^identifiez-vous|^se connecter|^s.identifier|(log|sign) ?in to (continue|your)|connectez-vous (pour|à)|^authentification|^authenticate/i.test(words)),
    links: document.links.length,
    frames: frames.map((e) => ({ url: (e.src || '').slice(0, 300), share: inView(e) / view })),
    challengeMarks: marks,
    consentShare: Math.min(1, consent),
    consentText,
    consentButtons: consentWords.test(text.slice(0, 3000)) && elements.some((e) => named(e, ['BUTTON', 'INPUT', 'A']) && shown(e) && /^(i )?(accept|agree|allow)|^(tout )?accepter|^j.accepte|reject all|tout refuser/i.test(squeeze(labelled(e)))),
    loginShare: Math.min(1, wall),
    paywall: { share: Math.min(1, pay), text: payText, declared: locked, words: payWords.test(text.slice(0, 200000)) },
    loading: { skeletonShare: Math.min(1, skeleton), spinners: spinner },
    innerScroll: inner,
    pageWidth: wide,
    allSeen: !more,
  }
}`

/** Looks at the page as it stands, from a world apart from its scripts. */
export function observePage(session: CdpSession): Promise<PageObservation & { readonly title: string }> {
  return evaluateApart(session, lookAround, [maxElements], 20_000)
}
