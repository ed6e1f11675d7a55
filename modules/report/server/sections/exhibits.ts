import { type Html, html } from '../../../../platform/html/html.ts'
import { type Exhibit, sourcesOf } from '../content/number-exhibits.ts'
import type { Picture, SessionContent } from '../content/report-content.ts'
import type { ReportPage } from '../page/report-page.ts'
import { second } from '../words/session-words.ts'
import { type Slice, jpegQuality } from '../pieces/slice-images.ts'
import { keyFrames } from './key-frames.ts'

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
function sourceLines(page: ReportPage, picture: Picture, slice: Slice): readonly Html[] {
  const { t } = page
  return sourcesOf(picture, slice).map((source) => {
    const piece = page.content.pieces.find((one) => one.path === source.path)
    const rows = source.whole
      ? ''
      : `, ${t('report.exhibits.rows', { first: page.number(source.firstRow), last: page.number(source.lastRow) })}`
    return html`<span class="source"
      >${source.path}${rows}${piece !== undefined && html` – SHA-256 <code class="hash">${piece.sha256}</code>`}</span
    >`
  })
}

function titleOf(page: ReportPage, exhibit: Exhibit): string {
  return exhibit.kind === 'step'
    ? page.t('report.exhibits.step', { number: exhibit.step ?? 0 })
    : page.t(`report.exhibits.${exhibit.kind}`)
}

function figure(page: ReportPage, exhibit: Exhibit, slice: Slice, index: number): Html {
  const { t } = page
  const { picture } = exhibit
  const { sliced } = picture
  const whole = slice.firstRow === 0 && slice.height === sliced.rows
  const label = sliced.slices.length === 1 ? String(exhibit.number) : `${exhibit.number}.${index + 1}`
  const extent = whole
    ? t('report.exhibits.caption_whole', { width: page.number(sliced.width), height: page.number(sliced.rows) })
    : t('report.exhibits.caption_rows', rowsOf(page, slice, picture))
  const alt =
    exhibit.kind === 'full_page'
      ? t('report.exhibits.alt_slice', rowsOf(page, slice, picture))
      : t('report.exhibits.alt_viewport', { width: page.number(slice.width), height: page.number(slice.height) })
  return html`<figure>
    <img src="resources/${slice.name}" width="${slice.width}" height="${slice.height}" alt="${titleOf(page, exhibit)}. ${alt}" />
    <figcaption>
      <b>${t('report.exhibits.number', { number: label })}</b> – ${titleOf(page, exhibit)}${t('report.separator')}
      ${extent}${t('report.separator')} ${encodingOf(page, picture)}${sourceLines(page, picture, slice)}
    </figcaption>
  </figure>`
}

/** Of a live session: when it was taken, by whom, and what page it shows. */
function takenOf(page: ReportPage, { picture: { shot } }: Exhibit): Html | null {
  const { t, content } = page
  if (shot === undefined || content.session === null) return null
  const { timeline } = content.session
  const line = timeline.state === 'read' ? timeline.screenshotLines.get(shot.number) : undefined
  return html`<p class="taken">
    ${t('report.shots.when', {
      at: page.instant(shot.at).utc,
      second: second(shot.ms),
      tab: shot.tab,
      by: t(shot.automatic ? 'report.shots.automatic' : 'report.shots.by_visitor'),
    })}${
      timeline.state === 'read' &&
      line !== undefined &&
      html` <span class="annex">[${t('report.shots.line', { path: timeline.path, line: String(line) })}]</span>`
    }<br />${page.url(shot.url, 200)}${shot.title.trim() !== '' && html`<br />${page.text(t('report.shots.of', { title: shot.title }), 160)}`}
    ${heldOf(page, shot)}
  </p>`
}

/** What the taking of it did to the recording and to the page. */
function heldOf({ t, number }: ReportPage, { held = [], disturbed }: NonNullable<Exhibit['picture']['shot']>): Html | null {
  if (disturbed === true) return html`<br />${t('report.shots.disturbed')}`
  if (held.length === 0) return null
  const total = held.reduce((sum, { from_ms, to_ms }) => sum + to_ms - from_ms, 0)
  return html`<br />${t('report.shots.held', {
      from: second(held[0]?.from_ms ?? 0),
      times: held.length,
      seconds: number(Math.max(0.1, Math.round(total / 100) / 10)),
    })}`
}

/** A picture begins a page; windows of a session, which may be many, stand under each other. */
function layoutOf({ exhibits: all }: ReportPage, exhibit: Exhibit): string {
  if (exhibit.picture.shot !== undefined && exhibit.kind === 'viewport') return 'shot'
  return exhibit === all[0] ? '' : 'full-page'
}

function exhibitPages(page: ReportPage, exhibit: Exhibit): Html {
  const { t } = page
  const { sliced } = exhibit.picture
  return html`<div class="exhibit ${layoutOf(page, exhibit)}">
    <h3>${t('report.exhibits.number', { number: exhibit.number })} – ${titleOf(page, exhibit)}</h3>
    ${takenOf(page, exhibit)} ${sliced.slices.map((slice, index) => figure(page, exhibit, slice, index))}
    ${
      sliced.shownRows < sliced.rows &&
      html`<p class="left-out">
        ${t('report.exhibits.truncated', {
          shown: page.number(sliced.shownRows),
          total: page.number(sliced.rows),
          rest: page.number(sliced.rows - sliced.shownRows),
        })}
      </p>`
    }
  </div>`
}

function notReproduced({ t, sectionNumber }: ReportPage, { shotsLeftOut }: SessionContent): Html | null {
  if (shotsLeftOut.length === 0) return null
  return html`<p class="left-out">
    ${t('report.shots.left_out', { numbers: shotsLeftOut.join(', '), section: sectionNumber('pieces') })}
  </p>`
}

export function exhibits(page: ReportPage): Html {
  const { t, content } = page
  const own = page.exhibits
  const { session } = content
  const frames = session === null ? null : keyFrames(page, session)
  if (own.length === 0) return page.section('exhibits', html`<p>${t('report.exhibits.none')}</p>`, html`${frames}`)
  return page.section(
    'exhibits',
    html`<p>
      ${t(session === null ? 'report.exhibits.intro' : 'report.shots.intro', { section: page.sectionNumber('pieces') })}
      ${t('report.exhibits.cuts')}
    </p>`,
    ...own.map((exhibit) => exhibitPages(page, exhibit)),
    html`${
      content.picturesLeftOut > 0 &&
      html`<p class="left-out">${t('report.exhibits.left_out', { count: content.picturesLeftOut })}</p>`
    }${session !== null && notReproduced(page, session)}`,
    html`${frames}`,
  )
}
