import { type Html, html } from '../../../../../platform/html/html.ts'
import type { ExchangeRow } from '../read-exchanges.ts'
import type { ReportPage } from '../report-page.ts'

function row(page: ReportPage, exchange: ExchangeRow): Html {
  const { t } = page
  return html`<tr>
    <td>${page.text(exchange.method, 12)}</td>
    <td class="figure">${exchange.status === null ? t('report.network.no_answer') : String(exchange.status)}</td>
    <td>${page.url(exchange.url, 240)}</td>
    <td>${exchange.mediaType === null ? t('report.not_measured') : page.text(exchange.mediaType, 60)}</td>
    <td class="figure">${exchange.bytes === null ? t('report.not_measured') : page.number(exchange.bytes)}</td>
    <td>${exchange.serverAddress === null ? t('report.not_measured') : html`<code>${exchange.serverAddress}</code>`}</td>
  </tr>`
}

export function network(page: ReportPage): Html {
  const { t, number, content } = page
  const { resources } = content.facts
  const list = content.exchanges
  const intro = html`<p>
    ${t('report.network.intro', {
      total: resources.total,
      failed: resources.failed,
      blocked: resources.blocked,
      bytes: page.bytes(resources.bytes),
    })}
  </p>`
  if (list.state === 'absent') return page.section('network', intro, html`<p>${t('report.network.absent')}</p>`)
  if (list.state === 'too_large')
    return page.section('network', intro, html`<p>${t('report.network.unread', { path: list.path })}</p>`)
  return page.section(
    'network',
    intro,
    html`<p>${t('report.network.shown', { shown: number(list.rows.length), total: number(list.total), path: list.path })}</p>`,
    html`<table class="exchanges">
      <thead>
        <tr>
          <th scope="col">${t('report.network.method')}</th>
          <th scope="col">${t('report.network.status')}</th>
          <th scope="col">${t('report.network.address')}</th>
          <th scope="col">${t('report.network.type')}</th>
          <th scope="col">${t('report.network.bytes')}</th>
          <th scope="col">${t('report.network.server')}</th>
        </tr>
      </thead>
      <tbody>
        ${list.rows.map((exchange) => row(page, exchange))}
      </tbody>
    </table>`,
  )
}
