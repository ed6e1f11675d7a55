/** How a picture stands in its frame; `x`, `y`: of its centre from the frame’s, in pixels; `zoom`: 1 fits it whole. */
export type PictureView = { readonly turn: 0 | 90 | 180 | 270; readonly zoom: number; readonly x: number; readonly y: number }
export type Size = { readonly width: number; readonly height: number }

export const fitted: PictureView = { turn: 0, zoom: 1, x: 0, y: 0 }
export const mostZoom = 10

const turned = ({ width, height }: Size, turn: number): Size =>
  turn % 180 === 0 ? { width, height } : { width: height, height: width }

/** Pixels of the screen for one of the picture, when all of it is to be seen. */
export function fitScale(picture: Size, frame: Size, turn: number): number {
  const { width, height } = turned(picture, turn)
  return Math.min(frame.width / Math.max(1, width), frame.height / Math.max(1, height))
}

/** A picture does not leave its frame: what is larger covers it, what is smaller is in the middle. */
function held(view: PictureView, picture: Size, frame: Size): PictureView {
  const scale = fitScale(picture, frame, view.turn) * view.zoom
  const { width, height } = turned(picture, view.turn)
  const most = (shown: number, room: number) => Math.max(0, (shown * scale - room) / 2)
  const within = (value: number, bound: number) => Math.min(bound, Math.max(-bound, value))
  // Adding nothing makes of -0 a 0.
  return {
    ...view,
    x: within(view.x, most(width, frame.width)) + 0,
    y: within(view.y, most(height, frame.height)) + 0,
  }
}

export function panBy(view: PictureView, dx: number, dy: number, picture: Size, frame: Size): PictureView {
  return held({ ...view, x: view.x + dx, y: view.y + dy }, picture, frame)
}

/** @param at a point of the frame, from its centre, that stays where it is */
export function zoomBy(
  view: PictureView,
  factor: number,
  at: { readonly x: number; readonly y: number },
  picture: Size,
  frame: Size,
): PictureView {
  const zoom = Math.min(mostZoom, Math.max(1, view.zoom * factor))
  const share = zoom / view.zoom
  return held({ ...view, zoom, x: at.x - (at.x - view.x) * share, y: at.y - (at.y - view.y) * share }, picture, frame)
}

/** A quarter clockwise, whole again. */
export function turnOnce({ turn }: PictureView): PictureView {
  const turns = [0, 90, 180, 270] as const
  return { ...fitted, turn: turns[(turn / 90 + 1) % 4] ?? 0 }
}
