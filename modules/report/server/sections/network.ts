import { type Html, html } from '../../../../platform/html/html.ts'
import type { ExchangeRow } from '../pieces/read-exchanges.ts'
import type { ReportPage } from '../page/report-page.ts'

/** Digits of a SHA-256 that are enough to find the body in the piece, which holds them all. */
const shortHash = 12

function row(page: ReportPage, exchange: ExchangeRow): Html {
  const { t } = page
  // A cell of a table of many is marked, the heading says what the mark means.
  const unknown = t('report.network.unknown')
  return html`<tr>
    <td class="figure">${String(exchange.number)}</td>
    <td>${exchange.at === null ? unknown : page.clock(exchange.at)}</td>
    <td>${page.text(exchange.method, 12)}</td>
    <td>${page.url(exchange.url, 180)}</td>
    <td class="figure">${exchange.status === null ? unknown : String(exchange.status)}</td>
    <td>${exchange.mediaType === null ? unknown : page.text(exchange.mediaType, 40)}</td>
    <td class="figure">${exchange.bytes === null ? unknown : page.number(exchange.bytes)}</td>
    <td>${exchange.serverAddress === null ? unknown : html`<code>${page.text(exchange.serverAddress, 48)}</code>`}</td>
    <td>${exchange.sha256 === null ? unknown : html`<code>${exchange.sha256.slice(0, shortHash)}</code>`}</td>
  </tr>`
}

const columns = ['number', 'time', 'method', 'address', 'status', 'type', 'bytes', 'server', 'hash'] as const

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
  const left = list.total - list.rows.length
  return page.section(
    'network',
    intro,
    html`<p>
      ${t('report.network.shown', { shown: number(list.rows.length), total: number(list.total), path: list.path })}
      ${t('report.network.marks', { path: list.path })}
    </p>`,
    html`<table class="exchanges">
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${t(`report.network.${column}`)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${list.rows.map((exchange) => row(page, exchange))}
      </tbody>
    </table>`,
    html`${left > 0 && html`<p class="left-out">${t('report.network.more', { count: left, path: list.path })}</p>`}`,
  )
}
