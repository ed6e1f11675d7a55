import { type Html, html } from '../../../../../platform/html/html.ts'
import type { ReportPage } from '../report-page.ts'
import { type Slice, type SlicedPicture, jpegQuality } from '../slice-images.ts'

function encodingOf(page: ReportPage, picture: SlicedPicture): string {
  return picture.encoding === 'png' ? page.t('report.exhibits.png') : page.t('report.exhibits.jpeg', { quality: jpegQuality })
}

function rowsOf(page: ReportPage, slice: Slice, picture: SlicedPicture): { first: string; last: string; total: string } {
  return {
    first: page.number(slice.firstRow + 1),
    last: page.number(slice.firstRow + slice.height),
    total: page.number(picture.rows),
  }
}

function figure(page: ReportPage, picture: SlicedPicture, slice: Slice, exhibit: string, alt: string): Html {
  const { t } = page
  const whole = slice.firstRow === 0 && slice.height === picture.rows
  const extent = whole
    ? t('report.exhibits.caption_whole', { width: page.number(picture.width), height: page.number(picture.rows) })
    : t('report.exhibits.caption_rows', rowsOf(page, slice, picture))
  return html`<figure>
    <img src="resources/${slice.name}" width="${slice.width}" height="${slice.height}" alt="${alt}" />
    <figcaption><b>${t('report.exhibits.number', { number: exhibit })}</b> – ${extent}; ${encodingOf(page, picture)}</figcaption>
  </figure>`
}

function originals(page: ReportPage, kind: 'viewport' | 'full_page'): Html {
  const paths = page.content.facts.images.filter((image) => image.kind === kind).map((image) => image.path)
  const shown = paths.slice(0, 20)
  const files = `${shown.join(', ')}${paths.length > shown.length ? ` … (${page.number(paths.length)})` : ''}`
  return html`<p class="annex">${page.t('report.exhibits.files', { files })}</p>`
}

export function exhibits(page: ReportPage): Html {
  const { t, content } = page
  const { viewport, fullPage } = content
  if (viewport === null && fullPage === null) return page.section('exhibits', html`<p>${t('report.exhibits.none')}</p>`)
  const numberOfFullPage = viewport === null ? 1 : 2
  return page.section(
    'exhibits',
    html`<p>${t('report.exhibits.intro', { section: page.sectionNumber('pieces') })}</p>`,
    html`${
      viewport !== null &&
      html`<h3>${t('report.exhibits.number', { number: 1 })} – ${t('report.exhibits.viewport')}</h3>
        ${originals(page, 'viewport')}
        ${viewport.slices.map((slice, index) =>
          figure(
            page,
            viewport,
            slice,
            viewport.slices.length === 1 ? '1' : `1.${index + 1}`,
            t('report.exhibits.alt_viewport', { width: page.number(viewport.width), height: page.number(viewport.rows) }),
          ),
        )}`
    }`,
    html`${
      fullPage !== null &&
      html`<div class="full-page">
        <h3>${t('report.exhibits.number', { number: numberOfFullPage })} – ${t('report.exhibits.full_page')}</h3>
        ${originals(page, 'full_page')}
        ${fullPage.slices.map((slice, index) =>
          figure(
            page,
            fullPage,
            slice,
            fullPage.slices.length === 1 ? String(numberOfFullPage) : `${numberOfFullPage}.${index + 1}`,
            t('report.exhibits.alt_slice', rowsOf(page, slice, fullPage)),
          ),
        )}
        ${
          fullPage.shownRows < fullPage.rows &&
          html`<p class="left-out">
            ${t('report.exhibits.truncated', {
              shown: page.number(fullPage.shownRows),
              total: page.number(fullPage.rows),
              rest: page.number(fullPage.rows - fullPage.shownRows),
            })}
          </p>`
        }
      </div>`
    }`,
  )
}
