import type { Block } from '../../../../kernel/document/blocks.ts'
import { type Blocks, code, heading, lineBreak, paragraph, strong } from '../../../../platform/print/document/inlines.ts'
import { numberKeyFrames } from '../content/number-exhibits.ts'
import type { KeyFrame, SessionContent } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'
import { second, wordsOf } from '../words/session-words.ts'

/** A second and why it matters, once for each that the picture stands for. */
function moments(page: ReportPage, shows: KeyFrame['shows']): string {
  const seconds = Map.groupBy(shows, ({ ms }) => second(ms))
  return [...seconds]
    .map(([at, all]) =>
      page.t('report.frames.at', {
        second: at,
        reasons: [...new Set(all.map(({ reason }) => wordsOf(page, 'report.frames.reason', reason)))].join(', '),
      }),
    )
    .join(`${page.t('report.separator')} `)
}

function figure(page: ReportPage, number: number, frame: KeyFrame): Block {
  const { t, content } = page
  const { path, name, width, height, shows } = frame
  const piece = content.pieces.find((one) => one.path === path)
  return {
    kind: 'figure',
    framed: true,
    picture: {
      file: name,
      alt: t('report.frames.alt', { second: second(shows[0]?.ms ?? 0) }),
      from: { width, height, rows: [{ path, firstRow: 1, lastRow: height }] },
    },
    caption: [
      strong(t('report.exhibits.number', { number: String(number) })),
      ` – ${moments(page, shows)}`,
      lineBreak,
      code(path),
      piece === undefined ? [] : [' – SHA-256 ', code(piece.sha256)],
    ],
  }
}

/** Single pictures of the recording, two beside each other, each an exhibit. */
export function keyFrames(page: ReportPage, session: SessionContent): Blocks {
  const { t, content } = page
  if (session.facts.video === null) return null
  const figures = numberKeyFrames(content).map(({ number, frame }) => figure(page, number, frame))
  const pairs = figures.flatMap((one, index) => (index % 2 === 0 ? [[one, figures[index + 1]]] : []))
  return [
    page.exhibits.length > 0 && { kind: 'page-break' },
    heading(3, t('report.frames.title')),
    paragraph(t(figures.length === 0 ? 'report.frames.none' : 'report.frames.intro')),
    pairs.map(([left, right]) => ({
      kind: 'columns' as const,
      shares: [50, 50],
      columns: [left, right].map((one) => (one === undefined ? [] : [one])),
    })),
    session.keyFramesLeftOut > 0 && paragraph(t('report.frames.left_out', { count: session.keyFramesLeftOut }), 'annex'),
  ]
}
