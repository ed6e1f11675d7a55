import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import { facts, lineBreak, paragraph } from '../../../../platform/print/document/inlines.ts'
import type { ReportPage } from '../page/report-page.ts'
import { placeOf } from './place.ts'

const mostRows = 20
const tones = { same: 'good', different: 'doubtful', not_compared: 'quiet' } as const

/** What a second capture server saw of the same address (facts.vantage), difference by difference; nothing without one. */
export function vantage(page: ReportPage): readonly Block[] {
  const { t, content } = page
  const { vantage: second } = content.facts
  if (second === null || content.session !== null) return []
  const { failure, comparisons } = second
  const known =
    failure === null
      ? null
      : (page.captureWords(`capture.vantage.${failure}`, {}) ?? page.captureWords(`capture.failure.${failure}`, {}))
  const measured = (value: string | null): Inlines => (value === null ? t('report.not_measured') : page.text(value, 200))
  return page.section(
    'vantage',
    facts(
      [t('report.server.name'), [page.text(second.server.name, 120), ' (', page.code(second.server.id), ')']],
      [t('report.server.place'), placeOf(page, second.server)],
      [t('report.path.started'), second.started_at === null ? t('report.not_measured') : page.instant(second.started_at).utc],
      [
        t('report.vantage.apart'),
        second.apart_ms === null
          ? t('report.not_measured')
          : t('report.vantage.apart_value', { seconds: page.number(Math.abs(second.apart_ms) / 1000) }),
      ],
    ),
    second.state === 'failed' && {
      kind: 'callout',
      tone: 'alert',
      text: [t('report.vantage.failed'), ' ', known ?? (failure === null ? [] : page.text(failure, 200))],
    },
    comparisons.length > 0 && [
      paragraph(t('report.vantage.intro')),
      {
        kind: 'table',
        size: 'small',
        columns: [
          { head: t('report.vantage.item'), share: 20 },
          { head: t('report.vantage.result'), share: 16 },
          { head: t('report.vantage.first') },
          { head: t('report.vantage.second') },
        ],
        rows: comparisons
          .slice(0, mostRows)
          .map(({ item, result, share, first, second: other }) => [
            t(`report.vantage.item.${item}`),
            [
              { kind: 'toned', tone: tones[result], of: t(`report.vantage.result.${result}`) },
              share === null ? [] : [lineBreak, t('report.vantage.share', { percent: page.percent(share, 1) })],
            ],
            measured(first),
            measured(other),
          ]),
      },
    ],
  )
}
