import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import { facts as rows, heading, paragraph } from '../../../../platform/print/document/inlines.ts'
import type { SessionContent } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'
import { namesAccounts, whatIsKnownOfAccounts } from '../page/asked-by-words.ts'
import { titleOfLine } from './conditions.ts'

function sessionLimits({ t }: ReportPage, { facts }: SessionContent): readonly string[] {
  const { video } = facts
  return [
    ...(video === null
      ? [t('report.limits.session_no_video')]
      : [t('report.limits.session_video'), ...(video.sound === null ? [t('report.limits.session_no_sound')] : [])]),
    t('report.limits.session_chosen'),
    t('report.limits.session_identity'),
    ...(facts.secrets.length > 0 ? [t('report.limits.session_pictures')] : []),
    t('report.limits.session_server'),
  ]
}

/** What was not measured, what is not printed here, and the bounds that the capture ran under. */
export function limits(page: ReportPage): readonly Block[] {
  const { t, say, content } = page
  const { facts, exchanges, limits: stated, session, askedBy } = content
  const unmeasured = facts.checklist.filter((line) => line.result === 'not_measured')
  const cut = page.exhibits.filter(({ picture }) => picture.sliced.shownRows < picture.sliced.rows)
  const items: Inlines[] = [
    ...unmeasured.map((line) => t('report.limits.condition', { title: titleOfLine(page, line) })),
    ...(facts.timestamps.length === 0 ? [t('report.limits.timestamps')] : []),
    ...(facts.vantage === null ? [t('report.limits.vantage')] : []),
    ...(session === null ? [] : sessionLimits(page, session)),
    ...(facts.server_address === null ? [t('report.limits.server_address')] : []),
    ...cut.map(({ number, picture }) =>
      say('report.limits.rows', {
        number: page.toExhibit(number),
        shown: page.number(picture.sliced.shownRows),
        total: page.number(picture.sliced.rows),
      }),
    ),
    ...(exchanges.state === 'read' && exchanges.total > exchanges.rows.length
      ? [
          t('report.limits.exchanges', {
            shown: page.number(exchanges.rows.length),
            total: page.number(exchanges.total),
            path: exchanges.path,
          }),
        ]
      : []),
    ...(namesAccounts(askedBy) ? [whatIsKnownOfAccounts(page, askedBy)] : []),
    t('report.limits.one_visit'),
    t('report.limits.truth'),
  ]
  const row = (value: number | null | undefined, show: (value: number) => string): string =>
    value === null || value === undefined ? t('report.limits.unrecorded') : show(value)
  const seconds = (value: number): string => t('report.limits.seconds', { seconds: page.number(value / 1000) })
  const pixels = (value: number): string => t('report.limits.pixels', { pixels: page.number(value) })
  return page.section(
    'limits',
    heading(3, t('report.limits.not_measured')),
    { kind: 'list', ordered: false, size: 'small', items: items.map((item) => [paragraph(item)]) },
    heading(3, t('report.limits.configured')),
    stated === null
      ? paragraph(t('report.limits.none'))
      : [
          rows(
            [t('report.limits.total_time'), row(stated.totalMs, seconds)],
            [t('report.limits.load_time'), row(stated.loadMs, seconds)],
            [t('report.limits.height'), row(stated.maxHeight, pixels)],
            [t('report.limits.body'), row(stated.bodyBytes, page.bytes)],
            [t('report.limits.bytes'), row(stated.totalBytes, page.bytes)],
            [t('report.limits.requests'), row(stated.requests, page.number)],
          ),
          paragraph(t('report.conditions.annex', { path: stated.path }), 'annex'),
        ],
  )
}
