import type { FastifyInstance } from 'fastify'
import { locales, type Locale } from '../../../kernel/locale.ts'
import { createMessages } from '../../messages/messages.ts'

/** Ground of the page in light, as its head says it. */
const paper = '#fbfaf7'

export const manifestPath = (locale: Locale): string => `/app.${locale}.webmanifest`

/** W3C “Web Application Manifest”: one for each language, since it names things. */
function manifestOf(locale: Locale): object {
  const messages = createMessages(locale)
  const shortcut = (name: 'capture' | 'date' | 'verify', path: string) => ({
    name: messages.format(`http.app.shortcut.${name}`),
    url: `/${locale}${path}`,
    icons: [{ src: '/app/icon-192.png', sizes: '192x192', type: 'image/png' }],
  })
  const screenshot = (page: 'home' | 'proofs', form: 'narrow' | 'wide', sizes: string) => ({
    src: `/app/${page}-${form}-${locale}.png`,
    sizes,
    type: 'image/png',
    form_factor: form,
    label: messages.format(`http.app.screenshot.${page}`),
  })
  return {
    // The same application in each language.
    id: '/',
    name: messages.format('ui.product'),
    short_name: messages.format('ui.product'),
    description: messages.format('site.home.description'),
    lang: locale,
    dir: 'ltr',
    start_url: `/${locale}/`,
    scope: '/',
    display: 'standalone',
    background_color: paper,
    theme_color: paper,
    categories: ['business', 'productivity', 'utilities'],
    icons: [
      { src: '/app/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/app/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/app/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/app/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    screenshots: [
      screenshot('home', 'narrow', '720x1280'),
      screenshot('proofs', 'narrow', '720x1280'),
      screenshot('home', 'wide', '1280x800'),
      screenshot('proofs', 'wide', '1280x800'),
    ],
    shortcuts: [shortcut('capture', '/'), shortcut('date', '/documents/pending/'), shortcut('verify', '/proofs/')],
    // W3C “Web Share Target”: an address that a telephone shares stands in the form; programs put it in the text as often as not.
    share_target: {
      action: `/${locale}/`,
      method: 'GET',
      enctype: 'application/x-www-form-urlencoded',
      params: { title: 'title', text: 'text', url: 'url' },
    },
  }
}

export function registerManifests(app: FastifyInstance): void {
  for (const locale of locales)
    app.get(manifestPath(locale), { config: { access: ['page'] } }, async (_, reply) => {
      return await reply
        .header('cache-control', 'public, no-cache')
        .type('application/manifest+json; charset=utf-8')
        .send(JSON.stringify(manifestOf(locale)))
    })
}
