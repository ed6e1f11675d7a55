import { type Html, html } from '../../../../platform/html/html.ts'
import type { SessionContent } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'
import { namesAccounts, whatIsKnownOfAccounts } from '../page/asked-by-words.ts'
import { titleOfLine } from './conditions.ts'

function sessionLimits({ t }: ReportPage, { facts }: SessionContent): readonly Html[] {
  const { video } = facts
  return [
    ...(video === null
      ? [t('report.limits.session_no_video')]
      : [t('report.limits.session_video'), ...(video.sound === null ? [t('report.limits.session_no_sound')] : [])]),
    t('report.limits.session_chosen'),
    t('report.limits.session_identity'),
    ...(facts.secrets.length > 0 ? [t('report.limits.session_pictures')] : []),
    t('report.limits.session_server'),
  ].map((text) => html`${text}`)
}

/** What was not measured, what is not printed here, and the bounds that the capture ran under. */
export function limits(page: ReportPage): Html {
  const { t, content } = page
  const { facts, exchanges, limits: stated, session, askedBy } = content
  const unmeasured = facts.checklist.filter((line) => line.result === 'not_measured')
  const cut = page.exhibits.filter(({ picture }) => picture.sliced.shownRows < picture.sliced.rows)
  const items: Html[] = [
    ...unmeasured.map((line) => html`${t('report.limits.condition', { title: titleOfLine(page, line) })}`),
    ...(facts.timestamps.length === 0 ? [html`${t('report.limits.timestamps')}`] : []),
    ...(facts.vantage === null ? [html`${t('report.limits.vantage')}`] : []),
    ...(session === null ? [] : sessionLimits(page, session)),
    ...(facts.server_address === null ? [html`${t('report.limits.server_address')}`] : []),
    ...cut.map(
      ({ number, picture }) =>
        html`${t('report.limits.rows', { number, shown: page.number(picture.sliced.shownRows), total: page.number(picture.sliced.rows) })}`,
    ),
    ...(exchanges.state === 'read' && exchanges.total > exchanges.rows.length
      ? [
          html`${t('report.limits.exchanges', { shown: page.number(exchanges.rows.length), total: page.number(exchanges.total), path: exchanges.path })}`,
        ]
      : []),
    ...(namesAccounts(askedBy) ? [whatIsKnownOfAccounts(page, askedBy)] : []),
    html`${t('report.limits.one_visit')}`,
    html`${t('report.limits.truth')}`,
  ]
  const row = (value: number | null | undefined, show: (value: number) => string): string =>
    value === null || value === undefined ? t('report.limits.unrecorded') : show(value)
  const seconds = (value: number): string => t('report.limits.seconds', { seconds: page.number(value / 1000) })
  return page.section(
    'limits',
    html`<h3>${t('report.limits.not_measured')}</h3>
      <ul class="notes compact">
        ${items.map((item) => html`<li>${item}</li>`)}
      </ul>`,
    html`<h3>${t('report.limits.configured')}</h3>`,
    stated === null
      ? html`<p>${t('report.limits.none')}</p>`
      : html`<p class="annex">${t('report.conditions.annex', { path: stated.path })}</p>
          ${page.facts(
            [t('report.limits.total_time'), row(stated.totalMs, seconds)],
            [t('report.limits.load_time'), row(stated.loadMs, seconds)],
            [
              t('report.limits.height'),
              row(stated.maxHeight, (value) => t('report.limits.pixels', { pixels: page.number(value) })),
            ],
            [t('report.limits.body'), row(stated.bodyBytes, page.bytes)],
            [t('report.limits.bytes'), row(stated.totalBytes, page.bytes)],
            [t('report.limits.requests'), row(stated.requests, page.number)],
          )}`,
  )
}
