import { type Html, html } from '../../../../platform/html/html.ts'
import type { ReportPage } from '../page/report-page.ts'

export function certificates(page: ReportPage): Html {
  const { t, number, content } = page
  const own = content.facts.certificate
  const list = content.certificates
  const validity = (from: string, to: string): string => {
    // Servers write what they like into a certificate: a date that is none is printed as it stands.
    const shown = (value: string): string => (Number.isNaN(Date.parse(value)) ? value : page.instant(value).utc)
    return t('report.certificates.validity_value', { from: shown(from), to: shown(to) })
  }
  return page.section(
    'certificates',
    own === null
      ? html`<p>${t('report.certificates.absent')}</p>`
      : html`<h3>${t('report.certificates.page')}</h3>
          ${own.error !== null && html`<p class="alert">${page.text(t('report.certificates.error', { error: own.error }))}</p>`}
          ${page.facts(
            [t('report.certificates.subject'), page.text(own.subject)],
            [t('report.certificates.issuer'), page.text(own.issuer)],
            [t('report.certificates.validity'), page.text(validity(own.valid_from, own.valid_to))],
            [t('report.certificates.fingerprint'), page.code(own.sha256)],
          )}`,
    html`${
      list !== null &&
      list.rows.length > 0 &&
      html`<h3>${t('report.certificates.all')}</h3>
        <p>${t('report.certificates.shown', { shown: number(list.rows.length), total: number(list.total), path: list.path })}</p>
        <table class="chains">
          <thead>
            <tr>
              <th scope="col">${t('report.certificates.subject')}</th>
              <th scope="col">${t('report.certificates.issuer')}</th>
              <th scope="col">${t('report.certificates.validity')}</th>
            </tr>
          </thead>
          <tbody>
            ${list.rows.map(
              (row) =>
                html`<tr>
                  <td>${page.text(row.subject, 200)}<br /><code class="hash">${row.sha256}</code></td>
                  <td>${page.text(row.issuer, 200)}</td>
                  <td>${validity(row.validFrom, row.validTo)}</td>
                </tr>`,
            )}
          </tbody>
        </table>`
    }`,
  )
}
