/**
 * Where the remote picture lies on the screen, and back. `area` is the part of the picture that is shown (picture pixels, from its
 * top left corner), `stage` the room for it (CSS pixels). Everything that is pointed at goes through `toPicture`, whatever the zoom.
 */
export type Size = { readonly width: number; readonly height: number }
export type Point = { readonly x: number; readonly y: number }

/** Our view of the picture: 1 = the whole area fits. `centre` is a point of the picture. */
export type View = { readonly zoom: number; readonly centre: Point }

/** CSS pixels a picture pixel, and where the area's top left corner is on the stage. */
export type Placement = { readonly scale: number; readonly x: number; readonly y: number }

export const mostZoom = 8

/**
 * The largest scale at which all of the area is seen. Where one picture pixel could be a whole number of device pixels at the cost
 * of 4 % of the size, it is: text stays sharp.
 */
export function fitScale(stage: Size, area: Size, devicePixels: number): number {
  const fit = Math.min(stage.width / area.width, stage.height / area.height)
  if (!(fit > 0) || !Number.isFinite(fit)) return 1
  const whole = Math.floor(fit * devicePixels)
  const sharp = whole / devicePixels
  return whole >= 1 && sharp / fit >= 0.96 ? sharp : fit
}

export function wholeView(area: Size): View {
  return { zoom: 1, centre: { x: area.width / 2, y: area.height / 2 } }
}

/** Below that scale the text of most pages cannot be read, as on a telephone; from this one on it can. */
const unreadable = 0.5
const readable = 0.62

/** How a picture begins: all of it where that can be read, else enlarged, from the corner where reading begins. */
export function firstView(stage: Size, area: Size, devicePixels: number): View {
  const fit = fitScale(stage, area, devicePixels)
  if (fit >= unreadable) return wholeView(area)
  return keepInside(stage, area, { zoom: Math.min(mostZoom, readable / fit), centre: { x: 0, y: 0 } }, devicePixels)
}

/** Along one axis: centred when there is room for all of it, else never beyond an edge. */
function offsetOf(room: number, length: number, centre: number, scale: number, devicePixels: number): number {
  const drawn = length * scale
  const wanted = drawn <= room ? (room - drawn) / 2 : Math.min(0, Math.max(room - drawn, room / 2 - centre * scale))
  // On a whole device pixel, so that nothing is smeared over two.
  return Math.round(wanted * devicePixels) / devicePixels
}

export function place(stage: Size, area: Size, view: View, devicePixels: number): Placement {
  const scale = fitScale(stage, area, devicePixels) * view.zoom
  return {
    scale,
    x: offsetOf(stage.width, area.width, view.centre.x, scale, devicePixels),
    y: offsetOf(stage.height, area.height, view.centre.y, scale, devicePixels),
  }
}

/** `at` in CSS pixels from the stage's top left corner; the answer in picture pixels, perhaps outside the area. */
export function toPicture(placement: Placement, at: Point): Point {
  return { x: (at.x - placement.x) / placement.scale, y: (at.y - placement.y) / placement.scale }
}

export function toStage(placement: Placement, at: Point): Point {
  return { x: at.x * placement.scale + placement.x, y: at.y * placement.scale + placement.y }
}

/** The nearest point of the page itself: a drag that leaves it stays at its edge. Hundredths of a pixel are enough for anyone. */
export function clampTo(area: Size, at: Point): Point {
  const within = (value: number, length: number) => Math.round(Math.min(Math.max(value, 0), length - 1) * 100) / 100
  return { x: within(at.x, area.width), y: within(at.y, area.height) }
}

export function isWithin(area: Size, at: Point): boolean {
  return at.x >= 0 && at.y >= 0 && at.x < area.width && at.y < area.height
}

/** The view in which `anchor` of the picture lies under `at` of the stage, at another zoom. */
export function zoomAround(stage: Size, area: Size, zoom: number, anchor: Point, at: Point, devicePixels: number): View {
  const bounded = Math.min(mostZoom, Math.max(1, zoom))
  const scale = fitScale(stage, area, devicePixels) * bounded
  const centre = { x: anchor.x + (stage.width / 2 - at.x) / scale, y: anchor.y + (stage.height / 2 - at.y) / scale }
  return keepInside(stage, area, { zoom: bounded, centre }, devicePixels)
}

/** A centre that the edges do not allow would swallow the next pan; the one that is seen is kept. */
function keepInside(stage: Size, area: Size, view: View, devicePixels: number): View {
  const scale = fitScale(stage, area, devicePixels) * view.zoom
  const inside = (room: number, length: number, centre: number) => {
    const half = room / 2 / scale
    return half * 2 >= length ? length / 2 : Math.min(length - half, Math.max(half, centre))
  }
  return {
    zoom: view.zoom,
    centre: {
      x: inside(stage.width, area.width, view.centre.x),
      y: inside(stage.height, area.height, view.centre.y),
    },
  }
}
