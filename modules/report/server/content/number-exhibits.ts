import type { CaptureFacts, KeyFrame, Picture, ReportContent } from './report-content.ts'

export type Exhibit = {
  /** 1-based. */
  readonly number: number
  readonly kind: CaptureFacts['images'][number]['kind'] | 'second_window'
  /** 1-based among the images of steps. */
  readonly step: number | null
  readonly picture: Picture
}

/** In the order that the reader meets them: before a click, the window, each step, the whole page, the other server's window. */
export function numberExhibits(content: Pick<ReportContent, 'pictures' | 'secondWindow'>): readonly Exhibit[] {
  let step = 0
  const own = content.pictures.map((picture, index): Exhibit => {
    // Whoever steered a live session knows its screenshots by their numbers.
    if (picture.shot !== undefined) return { number: picture.shot.number, kind: picture.kind, step: null, picture }
    if (picture.kind === 'step') step += 1
    return { number: index + 1, kind: picture.kind, step: picture.kind === 'step' ? step : null, picture }
  })
  if (content.secondWindow === null) return own
  return [...own, { number: own.length + 1, kind: 'second_window', step: null, picture: content.secondWindow }]
}

/** Pictures of the recording follow the screenshots of the session, reproduced or not. */
export function numberKeyFrames({
  session,
}: Pick<ReportContent, 'session'>): readonly { readonly number: number; readonly frame: KeyFrame }[] {
  if (session === null) return []
  const last = session.facts.screenshots.reduce((most, shot) => Math.max(most, shot.number), 0)
  return session.keyFrames.map((frame, index) => ({ number: last + index + 1, frame }))
}

export type SliceSource = { readonly path: string; readonly firstRow: number; readonly lastRow: number; readonly whole: boolean }

/** From which rows of which image a slice comes; rows 1-based, both included, counted in that image. */
export function sourcesOf(
  picture: Picture,
  slice: { readonly firstRow: number; readonly height: number },
): readonly SliceSource[] {
  const sources: SliceSource[] = []
  let top = 0
  picture.paths.forEach((path, index) => {
    const height = picture.sliced.heights[index] ?? 0
    const from = Math.max(slice.firstRow, top)
    const to = Math.min(slice.firstRow + slice.height, top + height)
    if (from < to) sources.push({ path, firstRow: from - top + 1, lastRow: to - top, whole: from === top && to === top + height })
    top += height
  })
  return sources
}
