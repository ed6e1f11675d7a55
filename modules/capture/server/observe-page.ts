import { PNG } from 'pngjs'
import type { CdpSession } from '../../../platform/browser/cdp-connection.ts'
import type { PageObservation } from '../domain/assess-quality.ts'
import { evaluateApart } from './evaluate-apart.ts'

/** Looks at the page as it stands, from a world apart from its scripts. */
export function observePage(session: CdpSession): Promise<PageObservation & { readonly title: string }> {
  return evaluateApart(
    session,
    `() => {
      const text = ((document.body && document.body.innerText) || '').replace(/\\s+/g, ' ').trim()
      const shown = (e) => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0 && getComputedStyle(e).visibility !== 'hidden' }
      const all = (selector) => [...document.querySelectorAll(selector)]
      const images = [...document.images].filter((i) => i.currentSrc || i.src)
      const missing = images.filter((i) => i.complete && i.naturalWidth === 0 && getComputedStyle(i).display !== 'none').map((i) => (i.currentSrc || i.src).slice(0, 300))
      let consentShare = 0, consentText = ''
      const area = innerWidth * innerHeight
      const words = /cookie|consent|gdpr|rgpd|traceurs|vie privée|privacy/i
      for (const e of all('body *').slice(0, 20000)) {
        const style = getComputedStyle(e)
        if (style.position !== 'fixed' && style.position !== 'sticky' && e.getAttribute('role') !== 'dialog' && e.tagName !== 'DIALOG') continue
        const r = e.getBoundingClientRect()
        const seen = Math.max(0, Math.min(r.right, innerWidth) - Math.max(r.left, 0)) * Math.max(0, Math.min(r.bottom, innerHeight) - Math.max(r.top, 0))
        if (seen === 0 || style.visibility === 'hidden' || style.opacity === '0') continue
        const own = (e.id + ' ' + e.className + ' ' + (e.innerText || '')).slice(0, 3000)
        if (words.test(own) && seen / area > consentShare) { consentShare = seen / area; consentText = (e.innerText || '').slice(0, 300) }
      }
      return {
        title: document.title.slice(0, 2000),
        textLength: text.length,
        textStart: text.slice(0, 2000),
        mediaCount: all('img,canvas,video,svg,iframe,object,embed,picture').filter(shown).length,
        images: { total: images.length, missing: missing.slice(0, 100) },
        passwordFields: all('input[type=password]').filter(shown).length,
        links: document.links.length,
        consentShare,
        consentText,
      }
    }`,
    [],
    20_000,
  )
}

/** Whether every pixel has the same colour. */
export function isUniform(png: Buffer): boolean {
  const { data } = PNG.sync.read(png)
  const pixels = new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4)
  return pixels.every((pixel) => pixel === pixels[0])
}
