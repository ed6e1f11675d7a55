import { type Html, htmlToString, html, trustedHtml } from '../../../../platform/html/html.ts'
import { fontFaces } from '../../../../platform/print/font-faces.ts'
import type { CertificateEdition } from './page/certificate-facts.ts'
import type { CertificatePage } from './page/certificate-page.ts'
import { certificateStyle, runningStyle } from './page/certificate-style.ts'
import { dated } from './sections/dated.ts'
import { deposited } from './sections/deposited.ts'
import { verify } from './sections/verify.ts'
import { worth } from './sections/worth.ts'

/** SVG of the root, `kernel/seal-rosette.ts`. */
export type Rosette = (rootHex: string, options: { readonly size: number; readonly title: string }) => string

/** The document to print: no script, no address outside. @param attached names of the files that will be inside */
export async function renderCertificate(
  page: CertificatePage,
  edition: CertificateEdition,
  { attached, rosette }: { readonly attached: readonly string[]; readonly rosette: Rosette },
): Promise<string> {
  const { t, facts } = page
  const [before = '', between = '', after = ''] = t('certificate.page_of', { page: '\u0000', pages: '\u0000' }).split('\u0000')
  const running = runningStyle({ foot: t('certificate.foot', { id: facts.id }), pageOf: [before, between, after] })
  return htmlToString(
    html`<!doctype html>
      <html lang="${page.locale}">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src data:" />
          <title>${t('certificate.file_title', { id: facts.id })}</title>
          <style>
            ${trustedHtml(await fontFaces())}
            ${trustedHtml(running)}
            ${trustedHtml(certificateStyle)}
          </style>
        </head>
        <body>
          ${head(page, rosette)}
          <main>${deposited(page)} ${dated(page)} ${worth(page)} ${verify(page, edition, attached)}</main>
        </body>
      </html>`,
  )
}

function head(page: CertificatePage, rosette: Rosette): Html {
  const { t, facts } = page
  const { name, root } = facts
  const short = (root.slice(0, 16).match(/.{4}/g) ?? []).join(' ')
  return html`<header class="head">
    <div>
      <p class="brand">Probant</p>
      <h1>${t('certificate.title')}</h1>
      <p class="name${(name ?? '').length > 70 && ' long'}">
        ${name === null ? t('certificate.nameless') : page.sentence('certificate.name', { name: html`<b>${page.text(name)}</b>` })}
      </p>
      <p class="id">${page.sentence('certificate.id', { id: html`<code>${facts.id}</code>` })}</p>
    </div>
    ${trustedHtml(rosette(root, { size: 125, title: t('certificate.rosette', { root: short }) }))}
  </header>`
}
