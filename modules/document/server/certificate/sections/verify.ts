import { renderSVG } from 'uqr'
import { escapeHtml, type Html, html, trustedHtml } from '../../../../../platform/html/html.ts'
import type { CertificateEdition } from '../page/certificate-facts.ts'
import type { CertificatePage } from '../page/certificate-page.ts'
import { detachCommand, otsCommand, pdfCommand, signatureCommand, sumCommand, timestampCommand } from '../page/verify-commands.ts'

/** Together on one page, with what stands at the end. @param attached names of the files inside the certificate */
export function verify(page: CertificatePage, edition: CertificateEdition, attached: readonly string[]): Html {
  const { t, facts } = page
  const { verifierUrl, shareUrl, id } = facts
  const file = t('certificate.file')
  const step = (said: Html | string, command?: string): Html =>
    html`<li>${said}${command !== undefined && html`<pre>${command}</pre>`}</li>`
  return html`<section class="verify">
    <h2>${t('certificate.verify')}</h2>
    <div class="how${shareUrl !== null && ' shared'}">
      <ol class="steps">
        ${step(
          verifierUrl === null
            ? t('certificate.verify_site_none')
            : page.sentence('certificate.verify_site', { url: html`<span class="url">${verifierUrl}</span>` }),
        )}
        ${step(t('certificate.verify_tools'), `${detachCommand(id)}\n${sumCommand(file)}`)}
        ${facts.stamps.map((stamp, index) =>
          step(
            t('certificate.verify_stamp', { count: facts.stamps.length, number: index + 1 }),
            timestampCommand(facts, stamp, file),
          ),
        )}
        ${step(t('certificate.verify_signature'), signatureCommand)}
        ${attached.includes('document.ots') && step(t('certificate.verify_ots'), otsCommand(file))}
        ${step(t('certificate.verify_pdf'), pdfCommand(id))}
      </ol>
      ${shareUrl !== null && shared(page, shareUrl)}
    </div>
    <p class="annex">
      ${page.sentence('certificate.attached', {
        names: html`${attached.map((name, index) => html`${index > 0 && ', '}<code>${name}</code>`)}`,
      })}
    </p>
    <p class="nature">${t('certificate.not_officer')} ${t('certificate.paper')}</p>
    <p class="made">
      ${page.sentence('certificate.made', {
        edition: edition.edition,
        at: page.instant(edition.madeAt).utc,
        software: html`<code>${edition.software}</code>`,
      })}
    </p>
  </section>`
}

function shared({ t }: CertificatePage, url: string): Html {
  // The reader of a tagged document finds the text of a picture on the picture itself.
  const label = escapeHtml(t('certificate.share_alt'))
  const code = renderSVG(url, { border: 4 }).replace('<svg ', `<svg role="img" aria-label="${label}" `)
  return html`<div class="page">
    ${trustedHtml(code)}
    <p>${t('certificate.share')} <span class="url">${url}</span></p>
  </div>`
}
