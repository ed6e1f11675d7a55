import type { Block, Inlines } from '../../../../kernel/document/blocks.ts'
import { type Blocks, code, flatten, lineBreak, paragraph, soft, strong } from '../../../../platform/print/document/inlines.ts'
import { type Exhibit, sourcesOf } from '../content/number-exhibits.ts'
import type { Picture, SessionContent } from '../content/report-content.ts'
import { sliceOf, widthWithin } from '../page/pictures.ts'
import { exhibitId, type ReportPage } from '../page/report-page.ts'
import { type Slice, jpegQuality } from '../pieces/slice-images.ts'
import { second } from '../words/session-words.ts'
import { keyFrames } from './key-frames.ts'

/** Of a window of a live session, which may be one of many, in millimetres. */
const shotRoom = { width: 130, height: 185 }

function encodingOf(page: ReportPage, { sliced }: Picture): string {
  return sliced.encoding === 'png' ? page.t('report.exhibits.png') : page.t('report.exhibits.jpeg', { quality: jpegQuality })
}

function rowsOf(page: ReportPage, slice: Slice, { sliced }: Picture): { first: string; last: string; total: string } {
  return {
    first: page.number(slice.firstRow + 1),
    last: page.number(slice.firstRow + slice.height),
    total: page.number(sliced.rows),
  }
}

/** Piece, rows and SHA-256 of the original, so that whoever holds the package finds the very pixels. */
function sourceLines(page: ReportPage, picture: Picture, slice: Slice): Inlines {
  const { t } = page
  return sourcesOf(picture, slice).map((source) => {
    const piece = page.content.pieces.find((one) => one.path === source.path)
    const rows = source.whole
      ? ''
      : `, ${t('report.exhibits.rows', { first: page.number(source.firstRow), last: page.number(source.lastRow) })}`
    return [lineBreak, code(source.path), rows, piece === undefined ? [] : [' – SHA-256 ', code(piece.sha256)]]
  })
}

function titleOf(page: ReportPage, exhibit: Exhibit): string {
  return exhibit.kind === 'step'
    ? page.t('report.exhibits.step', { number: exhibit.step ?? 0 })
    : page.t(`report.exhibits.${exhibit.kind}`)
}

const isShot = ({ picture, kind }: Exhibit): boolean => picture.shot !== undefined && kind === 'viewport'

function figure(page: ReportPage, exhibit: Exhibit, slice: Slice, index: number): Block {
  const { t } = page
  const { picture } = exhibit
  const { sliced } = picture
  const whole = slice.firstRow === 0 && slice.height === sliced.rows
  const label = sliced.slices.length === 1 ? String(exhibit.number) : `${String(exhibit.number)}.${String(index + 1)}`
  const extent = whole
    ? t('report.exhibits.caption_whole', { width: page.number(sliced.width), height: page.number(sliced.rows) })
    : t('report.exhibits.caption_rows', rowsOf(page, slice, picture))
  const alt =
    exhibit.kind === 'full_page'
      ? t('report.exhibits.alt_slice', rowsOf(page, slice, picture))
      : t('report.exhibits.alt_viewport', { width: page.number(slice.width), height: page.number(slice.height) })
  const title = titleOf(page, exhibit)
  return {
    kind: 'figure',
    picture: sliceOf(exhibit, slice, `${title}. ${alt}`),
    framed: true,
    ...(isShot(exhibit) ? { width: widthWithin(slice, shotRoom) } : {}),
    caption: [
      strong(t('report.exhibits.number', { number: label })),
      ` – ${[title, extent, encodingOf(page, picture)].join(`${t('report.separator')} `)}`,
      sourceLines(page, picture, slice),
    ],
  }
}

/** Of a live session: when it was taken, by whom, and what page it shows. */
function takenOf(page: ReportPage, { picture: { shot } }: Exhibit): Block | null {
  const { t, content } = page
  if (shot === undefined || content.session === null) return null
  const { timeline } = content.session
  const line = timeline.state === 'read' ? timeline.screenshotLines.get(shot.number) : undefined
  const when = t('report.shots.when', {
    at: page.instant(shot.at).utc,
    second: second(shot.ms),
    tab: shot.tab,
    by: t(shot.automatic ? 'report.shots.automatic' : 'report.shots.by_visitor'),
  })
  const held = heldOf(page, shot)
  return paragraph([
    when,
    timeline.state === 'read' && line !== undefined
      ? [' ', soft(`[${t('report.shots.line', { path: timeline.path, line: String(line) })}]`)]
      : [],
    lineBreak,
    page.url(shot.url, 200),
    shot.title.trim() === '' ? [] : [lineBreak, page.text(t('report.shots.of', { title: shot.title }), 160)],
    held === null ? [] : [lineBreak, held],
  ])
}

/** What the taking of it did to the recording and to the page. */
function heldOf({ t, number }: ReportPage, { held = [], disturbed }: NonNullable<Exhibit['picture']['shot']>): string | null {
  if (disturbed === true) return t('report.shots.disturbed')
  if (held.length === 0) return null
  const total = held.reduce((sum, { from_ms, to_ms }) => sum + to_ms - from_ms, 0)
  return t('report.shots.held', {
    from: second(held[0]?.from_ms ?? 0),
    times: held.length,
    seconds: number(Math.max(0.1, Math.round(total / 100) / 10)),
  })
}

function exhibitPages(page: ReportPage, exhibit: Exhibit): Blocks {
  const { t } = page
  const { number, picture } = exhibit
  const { sliced } = picture
  const [first, ...more] = sliced.slices.map((slice, index) => figure(page, exhibit, slice, index))
  const heading: Block = {
    kind: 'heading',
    level: 3,
    id: exhibitId(number),
    listed: true,
    text: `${t('report.exhibits.number', { number: String(number) })} – ${titleOf(page, exhibit)}`,
  }
  return [
    // A picture begins a page; windows of a session, which may be many, stand under each other.
    !isShot(exhibit) && exhibit !== page.exhibits[0] && { kind: 'page-break' },
    { kind: 'together', blocks: flatten([heading, takenOf(page, exhibit), first ?? null]) },
    more,
    sliced.shownRows < sliced.rows &&
      paragraph(
        t('report.exhibits.truncated', {
          shown: page.number(sliced.shownRows),
          total: page.number(sliced.rows),
          rest: page.number(sliced.rows - sliced.shownRows),
        }),
        'annex',
      ),
  ]
}

function notReproduced({ say, toSection }: ReportPage, { shotsLeftOut }: SessionContent): Block | null {
  if (shotsLeftOut.length === 0) return null
  return paragraph(say('report.shots.left_out', { numbers: shotsLeftOut.join(', '), section: toSection('pieces') }), 'annex')
}

export function exhibits(page: ReportPage): readonly Block[] {
  const { t, say, content, toSection } = page
  const own = page.exhibits
  const { session } = content
  const frames = session === null ? null : keyFrames(page, session)
  if (own.length === 0) return page.section('exhibits', paragraph(t('report.exhibits.none')), frames)
  return page.section(
    'exhibits',
    paragraph([
      say(session === null ? 'report.exhibits.intro' : 'report.shots.intro', { section: toSection('pieces') }),
      ` ${t('report.exhibits.cuts')}`,
    ]),
    own.map((exhibit) => exhibitPages(page, exhibit)),
    content.picturesLeftOut > 0 && paragraph(t('report.exhibits.left_out', { count: content.picturesLeftOut }), 'annex'),
    session !== null && notReproduced(page, session),
    frames,
  )
}
