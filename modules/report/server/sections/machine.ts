import { type Html, html } from '../../../../platform/html/html.ts'
import { operatorWords } from './operator.ts'
import { placeOf } from './place.ts'
import type { ReportPage } from '../page/report-page.ts'

export function machine(page: ReportPage): Html {
  const { t, content } = page
  const { machine: measured, isolation, server: registered } = content.facts
  return page.section(
    'machine',
    page.facts(
      [t('report.operator'), operatorWords(page, 300)],
      [t('report.machine.hostname'), page.text(measured.hostname)],
      [t('report.machine.os'), page.text(measured.os)],
      [t('report.machine.kernel'), page.text(measured.kernel)],
      [
        t('report.machine.virtualisation'),
        measured.virtualisation === null ? t('report.not_measured') : page.text(measured.virtualisation),
      ],
      [t('report.machine.browser'), page.text(measured.browser)],
      [t('report.machine.isolation'), t(`report.isolation.${isolation}`)],
      [t('report.machine.software'), page.text(measured.software)],
      [t('report.machine.runtime'), page.text(measured.node)],
      registered === null ? [t('report.machine.server'), t('report.server.none')] : null,
      registered === null ? [t('report.server.place'), t('report.not_stated')] : null,
    ),
  )
}

const eventRows = 20
const differenceRows = 10

/** The registered capture server, its check before the session, and those that were set aside (decision H-11); null without one. */
export function server(page: ReportPage): Html | null {
  const { t, content } = page
  const { server: measured } = content.facts
  if (measured === null) return null
  const events = measured.set_aside.slice(0, eventRows)
  const left = measured.set_aside.length - events.length
  const preflight = content.pieces.find((piece) => piece.role === 'preflight' && !piece.path.startsWith('capture/vantage-2/'))
  return page.section(
    'server',
    page.facts(
      [t('report.server.name'), html`${page.text(measured.name, 120)} (${page.code(measured.id)})`],
      [t('report.server.kind'), t(`report.server.kind.${measured.kind}`)],
      [t('report.server.place'), placeOf(page, measured)],
      [
        t('report.server.preflight'),
        html`${page.instant(measured.preflight_at).utc}${
          preflight !== undefined &&
          html`<br /><span class="annex">${t('report.conditions.annex', { path: preflight.path })}</span>`
        }`,
      ],
      [t('report.server.manifest'), html`<code class="hash">${page.text(measured.manifest_sha256, 80)}</code>`],
    ),
    html`<h3>${t('report.server.set_aside')}</h3>`,
    measured.set_aside.length === 0
      ? html`<p>${t('report.server.none_set_aside')}</p>`
      : html`<ul class="notes">
          ${events.map(
            (event) =>
              html`<li>
                ${t('report.pair', { name: page.instant(event.at).utc, value: '' })}${page.code(event.server_id)}
                <ul>
                  ${event.differences
                    .slice(0, differenceRows)
                    .map(
                      (one) =>
                        html`<li>
                          ${page.text(
                            t('report.server.difference', { item: one.item, expected: one.expected, measured: one.measured }),
                            400,
                          )}
                        </li>`,
                    )}
                </ul>
                ${
                  event.differences.length > differenceRows &&
                  html`<p class="left-out">${t('report.more_rows', { count: event.differences.length - differenceRows })}</p>`
                }
              </li>`,
          )}
        </ul>`,
    html`${left > 0 && html`<p class="left-out">${t('report.more_rows', { count: left })}</p>`}`,
  )
}
