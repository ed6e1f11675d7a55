import { type Html, html } from '../../../../platform/html/html.ts'
import type { ReportPage } from '../page/report-page.ts'

const rows = 60

/** Instants at which the record was dated while the session ran (design/capture.md §1.3); null where no authority was asked. */
export function timestamps(page: ReportPage): Html | null {
  const { t, content } = page
  const list = content.facts.timestamps
  if (list.length === 0) return null
  const shown = list.slice(0, rows)
  const record = content.pieces.find((piece) => piece.role === 'session_timestamp' && piece.path.endsWith('.json'))
  return page.section(
    'timestamps',
    html`<p>${t('report.timestamps.intro')}</p>`,
    html`${record !== undefined && html`<p class="annex">${t('report.timestamps.record', { path: record.path })}</p>`}`,
    html`<table class="stamps">
      <thead>
        <tr>
          <th scope="col">${t('report.timestamps.reason')}</th>
          <th scope="col">${t('report.timestamps.stated')}</th>
          <th scope="col">${t('report.seal.authority')}</th>
          <th scope="col">${t('report.timestamps.hash')}</th>
        </tr>
      </thead>
      <tbody>
        ${shown.map((stamp) => {
          const words = stamp.error === null ? null : (page.captureWords(stamp.error, {}) ?? stamp.error)
          return html`<tr>
            <th scope="row">${t(`report.timestamps.reason.${stamp.reason}`)}</th>
            <td>
              ${t('report.timestamps.asked', { at: page.timeUtc(stamp.asked_at) })}<br />${
                stamp.gen_time === null
                  ? html`<span class="mark not_measured">${t('report.timestamps.unanswered')}</span
                      >${words !== null && html` ${page.text(words, 200)}`}`
                  : html`<b>${t('report.timestamps.answered', { at: page.instant(stamp.gen_time).utc })}</b>`
              }
            </td>
            <td>
              ${stamp.authority === null ? t('report.none') : page.text(stamp.authority, 120)}${
                stamp.embedded !== null &&
                html`<br />${t(stamp.embedded ? 'report.timestamps.embedded' : 'report.timestamps.independent')}`
              }
            </td>
            <td>
              <code class="hash">${page.text(stamp.rolling_hash, 80)}</code><br />${t('report.timestamps.bytes', {
                bytes: page.number(stamp.bytes),
              })}${stamp.path !== null && html`<br /><span class="annex">${stamp.path}</span>`}
            </td>
          </tr>`
        })}
      </tbody>
    </table>`,
    html`${list.length > rows && html`<p class="left-out">${t('report.more_rows', { count: list.length - rows })}</p>`}`,
  )
}
