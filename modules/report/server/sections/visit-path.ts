import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import { facts as rows, heading, lineBreak, paragraph, soft } from '../../../../platform/print/document/inlines.ts'
import { unused } from './unused.ts'
import type { SessionContent } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'
import { second, wordsOf } from '../words/session-words.ts'

const mostRows = 300
const mostRedirects = 40

const columns = [
  { name: 'number', share: 5, figures: true },
  { name: 'time', share: 12 },
  { name: 'second', share: 14 },
  { name: 'tab', share: 6, figures: true },
  { name: 'cause', share: 15 },
  { name: 'status', share: 7, figures: true },
  { name: 'page' },
] as const

function navigationRow(
  page: ReportPage,
  { timeline }: SessionContent,
  one: SessionContent['facts']['navigations'][number],
  index: number,
): readonly Inlines[] {
  const { t } = page
  const line = timeline.state === 'read' ? (timeline.navigationLines[index] ?? null) : null
  return [
    String(index + 1),
    page.clock(one.at),
    [second(one.ms), line === null ? [] : [' ', soft(t('report.visit.line', { line: String(line) }))]],
    String(one.tab),
    page.text(wordsOf(page, 'report.visit.cause', one.cause), 40),
    one.status === null ? t('report.network.unknown') : String(one.status),
    [page.url(one.url, 300), one.title.trim() === '' ? [] : [lineBreak, page.text(one.title, 160)]],
  ]
}

/** Every page that a live session showed, when and how it was reached. */
export function visitPath(page: ReportPage, session: SessionContent): readonly Block[] {
  const { t, content } = page
  const { facts } = content
  const { navigations } = session.facts
  const redirects = facts.redirects.slice(0, mostRedirects)
  const { timeline } = session
  return page.section(
    'path',
    paragraph(t('report.visit.intro')),
    rows(
      [t('report.summary.requested'), page.url(content.subject.requested_url, 500)],
      [t('report.path.started'), page.instant(facts.started_at).utc],
      [t('report.session.began'), page.instant(session.facts.began_at).utc],
      [t('report.path.finished'), page.instant(facts.finished_at).utc],
    ),
    navigations.length === 0
      ? paragraph(t('report.visit.none'))
      : [
          paragraph(
            timeline.state === 'read' ? t('report.visit.marks', { path: timeline.path }) : t('report.visit.marks_only'),
            'annex',
          ),
          {
            kind: 'table',
            size: 'tiny',
            columns: columns.map(({ name, ...column }) => ({ head: t(`report.visit.${name}`), ...column })),
            rows: navigations.slice(0, mostRows).map((one, index) => navigationRow(page, session, one, index)),
          },
        ],
    page.more(navigations.length - mostRows),
    redirects.length > 0 && [
      heading(3, t('report.visit.redirects')),
      {
        kind: 'list',
        ordered: false,
        size: 'small',
        items: redirects.map(({ status, url }) => [
          paragraph([t('report.path.redirected', { status: String(status) }), ' ', page.url(url, 500)]),
        ]),
      },
      page.more(facts.redirects.length - redirects.length),
    ],
    unused(page),
  )
}
