import { type Html, html } from '../../../../platform/html/html.ts'
import { placeOf } from './place.ts'
import type { ReportPage } from '../page/report-page.ts'

/** What a second capture server saw of the same address (facts.vantage), difference by difference; null without one. */
export function vantage(page: ReportPage): Html | null {
  const { t, content } = page
  const { vantage: second } = content.facts
  if (second === null || content.session !== null) return null
  const failure = second.failure
  const known =
    failure === null
      ? null
      : (page.captureWords(`capture.vantage.${failure}`, {}) ?? page.captureWords(`capture.failure.${failure}`, {}))
  return page.section(
    'vantage',
    page.facts(
      [t('report.server.name'), html`${page.text(second.server.name, 120)} (${page.code(second.server.id)})`],
      [t('report.server.place'), placeOf(page, second.server)],
      [t('report.path.started'), second.started_at === null ? t('report.not_measured') : page.instant(second.started_at).utc],
      [
        t('report.vantage.apart'),
        second.apart_ms === null
          ? t('report.not_measured')
          : t('report.vantage.apart_value', { seconds: page.number(Math.abs(second.apart_ms) / 1000) }),
      ],
    ),
    html`${
      second.state === 'failed' &&
      html`<p class="alert">${t('report.vantage.failed')} ${known ?? (failure !== null && page.text(failure, 200))}</p>`
    }`,
    html`${
      second.comparisons.length > 0 &&
      html`<p>${t('report.vantage.intro')}</p>
        <table class="comparison">
          <thead>
            <tr>
              <th scope="col">${t('report.vantage.item')}</th>
              <th scope="col">${t('report.vantage.result')}</th>
              <th scope="col">${t('report.vantage.first')}</th>
              <th scope="col">${t('report.vantage.second')}</th>
            </tr>
          </thead>
          <tbody>
            ${second.comparisons.slice(0, 20).map((one) => {
              const mark = one.result === 'same' ? 'pass' : one.result === 'different' ? 'weak' : 'not_measured'
              return html`<tr>
                <th scope="row">${t(`report.vantage.item.${one.item}`)}</th>
                <td>
                  <span class="mark ${mark}">${t(`report.vantage.result.${one.result}`)}</span>${
                    one.share !== null && html`<br />${t('report.vantage.share', { percent: page.percent(one.share, 1) })}`
                  }
                </td>
                <td>${one.first === null ? t('report.not_measured') : page.text(one.first, 200)}</td>
                <td>${one.second === null ? t('report.not_measured') : page.text(one.second, 200)}</td>
              </tr>`
            })}
          </tbody>
        </table>`
    }`,
  )
}
