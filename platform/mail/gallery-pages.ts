import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../kernel/errors.ts'
import { isLocale, locales, type Locale } from '../../kernel/locale.ts'
import { html, htmlToString, trustedHtml, type Html } from '../html/html.ts'
import type { MailSample } from './mail-sample.ts'

const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'self'"
/** A frame takes its scheme from the element that holds it: each mail is seen in both. */
const looks = `body{margin:24px;font:16px/1.5 system-ui,sans-serif;background:#fbfaf7;color:#16202b}
a{color:#0f5e63}
.both{display:flex;flex-wrap:wrap;gap:16px}
iframe{width:360px;max-width:100%;height:640px;border:1px solid #767d84}
.light{color-scheme:light}
.dark{color-scheme:dark}
pre{max-width:72ch;white-space:pre-wrap;overflow-wrap:anywhere}`

const page = (title: string, body: Html) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style>
          ${trustedHtml(looks)}
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        ${body}
      </body>
    </html>`

/**
 * `/dev/mail/gallery/`: every mail that the product sends, in both languages, as text and HTML, on light and on dark. Registered outside
 * production only.
 */
export function registerMailGallery(app: FastifyInstance, sampled: (locale: Locale) => readonly MailSample[]): void {
  const config = { access: ['page'] }

  function find({ locale, number }: { locale: string; number: string }): MailSample {
    const found = isLocale(locale) && /^[1-9][0-9]{0,2}$/.test(number) ? sampled(locale)[Number(number) - 1] : undefined
    if (found === undefined) throw new DomainError('not_found', 'http.not_found')
    return found
  }

  app.get('/dev/mail/gallery/', { config, schema: { hide: true } }, async (_request, reply) => {
    const lists = locales.map(
      (locale) =>
        html`<h2>${locale}</h2>
          <ol>
            ${sampled(locale).map(
              ({ subject, mail }, i) =>
                html`<li>
                  <a href="/dev/mail/gallery/${locale}/${i + 1}/" lang="${locale}">${mail.subject}</a> <small>${subject}</small>
                </li>`,
            )}
          </ol>`,
    )
    return await reply
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(htmlToString(page('Every mail', html`${lists}`)))
  })

  type Params = { Params: { locale: string; number: string } }
  app.get<Params>('/dev/mail/gallery/:locale/:number/', { config, schema: { hide: true } }, async (request, reply) => {
    const { mail } = find(request.params)
    const body = html`<p><a href="/dev/mail/gallery/">Every mail</a></p>
      <div class="both">
        <iframe class="light" sandbox src="html/" title="HTML, light"></iframe>
        <iframe class="dark" sandbox src="html/" title="HTML, dark"></iframe>
      </div>
      <pre lang="${mail.locale}">${mail.text}</pre>`
    return await reply
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(htmlToString(page(mail.subject, body)))
  })

  app.get<Params>('/dev/mail/gallery/:locale/:number/html/', { config, schema: { hide: true } }, async (request, reply) => {
    return await reply
      .header('content-security-policy', `sandbox; ${policy}`)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(find(request.params).mail.html)
  })
}
