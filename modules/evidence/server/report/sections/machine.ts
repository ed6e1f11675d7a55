import { type Html, html } from '../../../../../platform/html/html.ts'
import type { ReportPage } from '../report-page.ts'

export function machine(page: ReportPage): Html {
  const { t, content } = page
  const { machine: measured, isolation } = content.facts
  return page.section(
    'machine',
    page.facts(
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
    ),
  )
}

const redirectRows = 40

export function path(page: ReportPage): Html {
  const { t, content } = page
  const { facts, subject } = content
  const shown = facts.redirects.slice(0, redirectRows)
  const left = facts.redirects.length - shown.length
  return page.section(
    'path',
    html`<p>${t('report.path.intro')}</p>`,
    html`<ol class="steps">
      <li><b>${t('report.path.started')}</b> <span class="time">${page.instant(facts.started_at).utc}</span></li>
      <li>
        <b>${t('report.path.asked')}</b> <span class="time">${page.instant(facts.navigated_at).utc}</span>
        <p>${page.url(subject.requested_url)}</p>
      </li>
      ${shown.map(
        (redirect) =>
          html`<li>
            <b>${t('report.path.redirected', { status: String(redirect.status) })}</b>
            <p>${page.url(redirect.url)}</p>
          </li>`,
      )}
      ${left > 0 && html`<li class="left-out">${t('report.more_rows', { count: left })}</li>`}
      <li>
        <b
          >${
            facts.http_status === null
              ? t('report.path.reached_unknown')
              : t('report.path.reached', { status: String(facts.http_status) })
          }</b
        >
        <p>${page.url(subject.final_url)}</p>
      </li>
      <li><b>${t('report.path.finished')}</b> <span class="time">${page.instant(facts.finished_at).utc}</span></li>
    </ol>`,
  )
}
