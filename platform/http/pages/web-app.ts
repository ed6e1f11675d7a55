import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../../kernel/clock.ts'
import { defaultLocale, isLocale, locales, type Locale } from '../../../kernel/locale.ts'
import type { PageBrand } from '../../../kernel/page-brand.ts'
import type { PagePrices } from '../../../kernel/page-prices.ts'
import { originOf, type PageServices } from '../../../kernel/page-services.ts'
import { contentRoute } from './content-files.ts'
import { headOfListed, type AboutPage } from './page-head.ts'
import { registerSitemap } from './sitemap.ts'
import { escapeHtml } from '../../html/html.ts'
import { localeOfPage } from '../request/locale-of.ts'
import { pagePolicy } from '../answer/security-headers.ts'
import { manifestPath, registerManifests } from './installable.ts'
import { accepts, loadStaticFiles, sendStaticFile } from './static-files.ts'
import { registerWellKnown } from './well-known.ts'
import { loadWrittenPages, withWrittenPage, type WrittenPages } from './written-pages.ts'

export type PageMeta = {
  readonly title: string
  readonly description: string
  /** Whether search engines may list it. */ readonly indexed?: boolean
}

/** A page under a partner's sign (decision 0276). */
export type BrandedPage = {
  readonly brand: PageBrand
  /** Address of his style sheet, on this origin. */
  readonly theme: string
  /** Grounds of the page in both schemes, for what surrounds it in a browser. */
  readonly paper: { readonly light: string; readonly dark: string }
}

/** What the server knows of a page at the moment it is asked for. */
export type PageFacts = {
  /** For the application, as JSON in the head. */
  readonly data: unknown
  /** For the page that the build drew, by the mark that stands for each. */
  readonly words: Readonly<Record<string, string>>
}

export type WebApp = {
  /** Built pages and assets: `dist/web`. */
  readonly distFolder: string
  /** Pages that the build drew as HTML: `dist/written/pages.json`. */
  readonly writtenPages?: string
  /** Paths after the language prefix, with a trailing slash; `:name` stands for one segment. */
  readonly pageRoutes: readonly string[]
  /** Title and description of a page's path, after the language prefix; `undefined` asks for those of "not found". */
  readonly pageMeta: (path: string | undefined, locale: Locale, brand: PageBrand | null) => PageMeta
  /** Whose sign a page stands under, by the host name it was asked for by and its path after the language prefix; null: the product's. */
  readonly brandOf?: (page: { readonly host: string; readonly path: string }, locale: Locale) => BrandedPage | null
  /** What pages that may be listed say of themselves to programs; absent: title and description alone. */
  readonly aboutListed?: (path: string, locale: Locale) => Promise<AboutPage>
  /** What pages say of prices; absent: nothing is paid for here. */
  readonly pricesOf?: (locale: Locale) => Promise<PagePrices>
  /** Pages that say what is known at the time, by path: under what name it stands in their head; null: nothing is. */
  readonly factsOf?: Readonly<
    Record<string, { readonly name: string; readonly read: (locale: Locale) => Promise<PageFacts | null> }>
  >
  /** Markdown of the product: `content/{locale}/…`. */
  readonly contentFolder: string
  /** Files here replace those of the same name (decision H-19). */
  readonly contentOverride: string | undefined
  /** What stands for `{{name}}` in these texts. */
  readonly contentFacts?: (locale: Locale) => Readonly<Record<string, string>>
  /** Absolute addresses in the page head start with this. */
  readonly publicUrl: string
  /** Where a password is changed, after the language prefix, with its slashes. */
  readonly passwordPage: string
  /** Sources of the page's policy besides our own that its scripts may send to. */
  readonly connectTo?: readonly string[]
  /** Services of others of a page's path, after the language prefix; null: there are none at all. */
  readonly servicesOf?: (path: string | undefined) => PageServices | null
  /** Whom to tell of a weakness (RFC 9116); empty: nobody is named. */
  readonly securityContacts: readonly string[]
}

const loaded = new WeakMap<WebApp, { html: string; written: WrittenPages | null }>()
const cookieDays = 365

/** Pages under `/en/` and `/fr/`, built assets, and Markdown content. Reads the built files once. */
export async function registerWebApp(app: FastifyInstance, web: WebApp, clock: Clock): Promise<void> {
  const files = await loadStaticFiles(web.distFolder)
  loaded.set(web, {
    html: await readFile(join(web.distFolder, 'index.html'), 'utf8'),
    written:
      web.writtenPages === undefined
        ? null
        : await loadWrittenPages(web.writtenPages, {
            isReplaced: (locale, text) =>
              web.contentOverride !== undefined && existsSync(join(web.contentOverride, locale, `${text}.md`)),
            facts: web.contentFacts ?? (() => ({})),
          }),
  })
  const config = { access: ['page'] }

  app.get('/', { config }, async (request, reply) => {
    reply.header('vary', 'accept-language, cookie').header('cache-control', 'no-store')
    return await reply.redirect(`/${localeOfPage(request)}/${queryOf(request)}`, 302)
  })
  for (const locale of locales) {
    app.get(`/${locale}`, { config }, async (request, reply) => await sendPage(web, request, reply))
    app.get(`/${locale}/*`, { config }, async (request, reply) => await sendPage(web, request, reply))
  }
  registerManifests(app)
  registerWellKnown(app, { ...web, clock })
  const listed = web.pageRoutes.filter((path) => !path.includes(':') && web.pageMeta(path, defaultLocale, null).indexed === true)
  registerSitemap(app, { publicUrl: web.publicUrl, listed, robotsFile: join(web.distFolder, 'robots.txt') })
  app.get('/_content/:locale/*', { config }, contentRoute(web))
  for (const file of files.paths.filter((path) => path !== 'robots.txt')) {
    app.get(`/${file}`, { config }, async (request, reply) => await sendStaticFile(files, file, request, reply))
  }
}

function queryOf(request: FastifyRequest): string {
  const { url = '' } = request.raw
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start)
}

function findPage(web: WebApp, path: string): string | undefined {
  const given = path.split('/').filter((segment) => segment !== '')
  return web.pageRoutes.find((pattern) => {
    const wanted = pattern.split('/').filter((segment) => segment !== '')
    return wanted.length === given.length && wanted.every((segment, i) => segment.startsWith(':') || segment === given[i])
  })
}

/** `//host` in a Location is another site (RFC 3986 §4.2): a redirect is only ever made to a path with one leading slash. */
function localPath(path: string): string {
  return `/${path.replace(/^[/\\]+/, '')}`
}

async function sendPage(web: WebApp, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const path = (request.raw.url ?? '').split('?', 1)[0] ?? ''
  const locale = path.slice(1, 3)
  if (!isLocale(locale)) return await sendHtml(web, request, reply, localeOfPage(request), undefined)
  const rest = path.slice(3)
  // the canonical form of a page ends with a slash.
  if (!rest.endsWith('/') && findPage(web, rest) !== undefined) {
    return await reply.header('cache-control', 'no-store').redirect(`${localPath(path)}/${queryOf(request)}`, 308)
  }
  const known = findPage(web, rest) !== undefined && !/\/\//.test(rest)
  return await sendHtml(web, request, reply, locale, known ? rest : undefined)
}

/** For what no route answers: a page asked for without its language goes to it, any other page is not found. */
export async function answerWithPage(web: WebApp, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const wantsPage =
    (request.method === 'GET' || request.method === 'HEAD') && (request.headers.accept ?? '').includes('text/html')
  if (!wantsPage) return false
  const path = (request.raw.url ?? '').split('?', 1)[0] ?? ''
  const locale = localeOfPage(request)
  reply.header('vary', 'accept, accept-language, cookie')
  if (findPage(web, path) !== undefined && !/\/\//.test(path)) {
    const slash = path.endsWith('/') ? '' : '/'
    await reply.header('cache-control', 'no-store').redirect(`/${locale}${localPath(path)}${slash}${queryOf(request)}`, 302)
  } else {
    await sendHtml(web, request, reply, locale, undefined)
  }
  return true
}

/** With the prefix, no other host of the domain and no plain answer can set it (RFC 6265bis §4.1.3.2). */
function localeCookie(locale: Locale, isSecure: boolean): string {
  const [prefix, secure] = isSecure ? ['__Host-', '; Secure'] : ['', '']
  return `${prefix}locale=${locale}; Path=/; Max-Age=${cookieDays * 86_400}; SameSite=Lax${secure}`
}

/** In the page as it is sent: its colours are there before anything is painted, and nothing of it is inline but data. */
function brandHead({ brand, theme }: BrandedPage): string[] {
  return [
    `<meta name="brand" content="${escapeHtml(JSON.stringify(brand))}" />`,
    `<link rel="stylesheet" href="${escapeHtml(theme)}" data-brand="${escapeHtml(brand.id)}" />`,
  ]
}

/** The application can be installed under its own sign only. */
const installHead = (locale: Locale): string[] => [
  `<link rel="manifest" href="${manifestPath(locale)}" />`,
  '<link rel="apple-touch-icon" href="/app/icon-192.png" />',
]

function withPaper(html: string, paper: BrandedPage['paper']): string {
  return html.replaceAll(
    /content="#[0-9a-f]{6}" media="\(prefers-color-scheme: (light|dark)\)"/g,
    (_, scheme: 'light' | 'dark') => `content="${paper[scheme]}" media="(prefers-color-scheme: ${scheme})"`,
  )
}

function policyOf({ connectTo }: WebApp, services: PageServices | null, nonce: string): string {
  if (services?.reachable !== true) return pagePolicy(nonce, connectTo)
  const told = [originOf(services, 'pixel'), originOf(services, 'recording')].filter((origin) => origin !== null)
  return pagePolicy(
    nonce,
    [...(connectTo ?? []), ...new Set(told)],
    [originOf(services, 'chat')].filter((origin) => origin !== null),
  )
}

async function sendHtml(
  web: WebApp,
  request: FastifyRequest,
  reply: FastifyReply,
  locale: Locale,
  path: string | undefined,
): Promise<FastifyReply> {
  const { html = '', written = null } = loaded.get(web) ?? {}
  const nonce = randomBytes(16).toString('base64')
  const branded = web.brandOf?.({ host: request.host, path: path ?? '' }, locale) ?? null
  const meta = web.pageMeta(path, locale, branded?.brand ?? null)
  const listed = path !== undefined && meta.indexed === true
  const prices = (await web.pricesOf?.(locale)) ?? null
  // Under a partner's sign nobody else is spoken to.
  const services = branded === null ? (web.servicesOf?.(path) ?? null) : null
  // Under a partner's sign nothing of it would be true.
  const about = listed && branded === null ? ((await web.aboutListed?.(path, locale)) ?? null) : null
  const known = path === undefined ? undefined : web.factsOf?.[path]
  const facts = (await known?.read(locale)) ?? null
  const { publicUrl } = web
  const head = (
    listed ? headOfListed({ ...meta, publicUrl, path, locale, about, nonce }) : ['<meta name="robots" content="noindex" />']
  )
    .concat(branded === null ? installHead(locale) : brandHead(branded))
    .concat(prices === null ? [] : [`<meta name="prices" content="${escapeHtml(JSON.stringify(prices))}" />`])
    .concat(
      known === undefined || facts === null
        ? []
        : [`<meta name="${known.name}" content="${escapeHtml(JSON.stringify(facts.data))}" />`],
    )
    .concat(services === null ? [] : [`<meta name="services" content="${escapeHtml(JSON.stringify(services))}" />`])
    .join('\n    ')
  const values: Readonly<Record<string, string>> = {
    NONCE: nonce,
    LOCALE: locale,
    TITLE: meta.title,
    DESCRIPTION: meta.description,
  }
  const page = (branded === null ? html : withPaper(html, branded.paper))
    .replaceAll(/__(?:CSP_)?(NONCE|LOCALE|TITLE|DESCRIPTION)__/g, (_, name: string) => escapeHtml(values[name] ?? ''))
    .replace('</head>', () => `  ${head}\n  </head>`)
  // Under a partner's sign a page bears his name, and is drawn by the application alone.
  const drawn = branded === null ? path : undefined
  const text =
    written === null
      ? page
      : withWrittenPage(
          page,
          written[locale],
          drawn,
          { prices, known: facts?.words ?? null, origin: publicUrl, query: queryOf(request) },
          nonce,
        )
  const zipped = accepts(request.headers['accept-encoding'] ?? '', 'gzip')
  // Nothing in a page is a secret that its length could tell: the nonce is another one each time.
  const body = zipped ? await promisify(gzip)(text) : text
  return await reply
    .code(path === undefined ? 404 : 200)
    .headers({
      'content-security-policy': policyOf(web, services, nonce),
      // The nonce must not be used twice, not even from the browser's own cache.
      'cache-control': 'no-store',
      'content-language': locale,
      'set-cookie': localeCookie(locale, web.publicUrl.startsWith('https:')),
      ...(zipped ? { 'content-encoding': 'gzip' } : {}),
      vary: [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '),
    })
    .type('text/html; charset=utf-8')
    .send(body)
}
