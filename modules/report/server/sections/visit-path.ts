import { type Html, html } from '../../../../platform/html/html.ts'
import { unused } from './unused.ts'
import type { SessionContent } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'
import { second, wordsOf } from '../words/session-words.ts'

const mostRows = 300
const mostRedirects = 40

const columns = ['number', 'time', 'second', 'tab', 'cause', 'status', 'page'] as const

function navigationRow(page: ReportPage, session: SessionContent, index: number): Html | null {
  const { t } = page
  const one = session.facts.navigations[index]
  if (one === undefined) return null
  const { timeline } = session
  const line = timeline.state === 'read' ? (timeline.navigationLines[index] ?? null) : null
  return html`<tr>
    <td class="figure">${index + 1}</td>
    <td>${page.clock(one.at)}</td>
    <td>
      ${second(one.ms)}${line !== null && html` <span class="annex">${t('report.visit.line', { line: String(line) })}</span>`}
    </td>
    <td class="figure">${one.tab}</td>
    <td>${page.text(wordsOf(page, 'report.visit.cause', one.cause), 40)}</td>
    <td class="figure">${one.status === null ? t('report.network.unknown') : String(one.status)}</td>
    <td>${page.url(one.url, 300)}${one.title.trim() !== '' && html`<br />${page.text(one.title, 160)}`}</td>
  </tr>`
}

/** Every page that a live session showed, when and how it was reached. */
export function visitPath(page: ReportPage, session: SessionContent): Html {
  const { t, content } = page
  const { facts } = content
  const { navigations } = session.facts
  const shown = navigations.slice(0, mostRows)
  const redirects = facts.redirects.slice(0, mostRedirects)
  const { timeline } = session
  return page.section(
    'path',
    html`<p>${t('report.visit.intro')}</p>`,
    page.facts(
      [t('report.summary.requested'), page.url(content.subject.requested_url, 500)],
      [t('report.path.started'), page.instant(facts.started_at).utc],
      [t('report.session.began'), page.instant(session.facts.began_at).utc],
      [t('report.path.finished'), page.instant(facts.finished_at).utc],
    ),
    navigations.length === 0
      ? html`<p>${t('report.visit.none')}</p>`
      : html`<p class="annex">
            ${timeline.state === 'read' ? t('report.visit.marks', { path: timeline.path }) : t('report.visit.marks_only')}
          </p>
          <table class="visits">
            <thead>
              <tr>
                ${columns.map((column) => html`<th scope="col">${t(`report.visit.${column}`)}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${shown.map((_, index) => navigationRow(page, session, index))}
            </tbody>
          </table>`,
    html`${
      navigations.length > shown.length &&
      html`<p class="left-out">${t('report.more_rows', { count: navigations.length - shown.length })}</p>`
    }`,
    html`${
      redirects.length > 0 &&
      html`<h3>${t('report.visit.redirects')}</h3>
        <ul class="losses">
          ${redirects.map(
            (redirect) =>
              html`<li>${t('report.path.redirected', { status: String(redirect.status) })} ${page.url(redirect.url, 500)}</li>`,
          )}
        </ul>
        ${
          facts.redirects.length > redirects.length &&
          html`<p class="left-out">${t('report.more_rows', { count: facts.redirects.length - redirects.length })}</p>`
        }`
    }`,
    html`${unused(page)}`,
  )
}
