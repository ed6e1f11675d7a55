import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import {
  type Blocks,
  facts as factRows,
  flatten,
  heading,
  lineBreak,
  paragraph,
  strong,
} from '../../../../platform/print/document/inlines.ts'
import type { SessionContent } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'
import { second } from '../words/session-words.ts'

const mostRows = 40

type Span = { readonly from_ms: number; readonly to_ms: number }

function rows<T>(page: ReportPage, items: readonly T[], show: (item: T) => string): Inlines {
  const left = items.length - mostRows
  const lines = [...items.slice(0, mostRows).map(show), ...(left > 0 ? [page.t('report.more_rows', { count: left })] : [])]
  return lines.map((line, index) => [index > 0 ? lineBreak : [], line])
}

const spanOf = ({ t }: ReportPage, { from_ms, to_ms }: Span): string =>
  t('report.session.span', { from: second(from_ms), to: second(to_ms) })

function witness(page: ReportPage, one: SessionContent['facts']['witnesses'][number]): readonly Block[] {
  const { t } = page
  const spans = one.watched.slice(0, mostRows).map((span) => spanOf(page, span))
  const left = one.watched.length - spans.length
  const watched = t('report.session.witness_watched', { spans: spans.join(`${t('report.separator')} `) })
  const { countersigned } = one
  return flatten([
    paragraph([
      strong(page.text(one.label, 120)),
      spans.length === 0 ? [] : ` – ${watched}`,
      left > 0 ? ` ${t('report.more_rows', { count: left })}` : [],
    ]),
    countersigned === null
      ? paragraph(t('report.session.witness_unsigned'))
      : [
          paragraph(
            page.text(
              t('report.session.witness_signed', {
                at: page.instant(countersigned.at).utc,
                second: second(countersigned.ms),
                name: countersigned.name,
              }),
              400,
            ),
          ),
          { kind: 'quote', text: page.text(countersigned.statement, 4000) },
        ],
  ])
}

/** Who steered, when nobody did, and who looked on. */
export function people(page: ReportPage, { facts }: SessionContent): Blocks {
  const { t } = page
  const { hand_overs: handOvers, absences, witnesses } = facts
  return [
    factRows(
      [
        t('report.session.hand_overs'),
        handOvers.length === 0
          ? t('report.session.hand_overs_none')
          : rows(page, handOvers, ({ ms, viewer }) => t('report.session.hand_over', { at: second(ms), viewer })),
      ],
      [
        t('report.session.absences'),
        absences.length === 0 ? t('report.session.absences_none') : rows(page, absences, (one) => spanOf(page, one)),
      ],
    ),
    witnesses.length === 0
      ? paragraph(t('report.session.witnesses_none'))
      : [
          heading(3, t('report.session.witnesses')),
          paragraph(t('report.session.witness_note'), 'annex'),
          {
            kind: 'list',
            ordered: false,
            size: 'small',
            items: witnesses.slice(0, mostRows).map((one) => witness(page, one)),
          },
          page.more(witnesses.length - mostRows),
        ],
  ]
}
