import { type Html, html } from '../../../../platform/html/html.ts'
import { groupDigest, keysPageOf } from '../instructions/site-pages.ts'
import type { ReportPage } from '../page/report-page.ts'

/** Whose seal it is: the fingerprint as verify.html shows it, and where the operator publishes it. Null in seals of before. */
export function authorityWords(page: ReportPage): Html | null {
  const { t, content } = page
  const { authority } = content.seal
  if (authority === undefined) return null
  const { siteUrl } = content
  return html`<div class="box">
    <h3>${t('report.verify.authority')}</h3>
    <p>${page.text(t('report.verify.authority_text', { subject: authority.subject }), 600)}</p>
    <p><code class="hash">${groupDigest(authority.sha256)}</code></p>
    <p>
      ${
        siteUrl === null
          ? t('report.verify.authority_elsewhere')
          : t('report.verify.authority_page', { url: keysPageOf(siteUrl, page.locale) })
      }
    </p>
  </div>`
}
