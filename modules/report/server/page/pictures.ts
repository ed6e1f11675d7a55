import type { Block, Picture } from '../../../../kernel/document/blocks.ts'
import { sourcesOf, type Exhibit } from '../content/number-exhibits.ts'
import type { Slice } from '../pieces/slice-images.ts'
import type { ReportPage } from './report-page.ts'

/** Width of the text on a page, in millimetres: A4 less its margins. */
const textWidth = 174
/**
 * Room for a picture on a page, as height divided by width: A4 less its margins is 174 × 251 mm; the caption takes up to 15 mm of it, and on the
 * first page of a picture its heading takes 18 mm more.
 */
export const pictureAspect = { first: 214 / textWidth, next: 234 / textWidth }

export function sliceOf({ picture }: Exhibit, slice: Slice, alt: string): Picture {
  const rows = sourcesOf(picture, slice).map(({ path, firstRow, lastRow }) => ({ path, firstRow, lastRow }))
  return { file: slice.name, alt, from: { width: slice.width, height: slice.height, rows } }
}

/** As wide as there is room for, in millimetres. */
export const widthWithin = (
  { width, height }: { readonly width: number; readonly height: number },
  room: { readonly width: number; readonly height: number },
): number => Math.min(room.width, (room.height * width) / Math.max(1, height))

/** The first rows of an exhibit, with its number. */
export function reduced(
  { say, t, toExhibit }: ReportPage,
  exhibit: Exhibit,
  room: { readonly width: number; readonly height: number },
): Block | null {
  const [slice] = exhibit.picture.sliced.slices
  if (slice === undefined) return null
  const { number } = exhibit
  return {
    kind: 'figure',
    picture: sliceOf(exhibit, slice, t('report.cover.thumbnail', { number: String(number) })),
    width: widthWithin(slice, room),
    framed: true,
    caption: say('report.cover.thumbnail', { number: toExhibit(number) }),
  }
}
