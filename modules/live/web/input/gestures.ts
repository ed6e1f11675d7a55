import type { LiveInputSent } from '../../contract/live.ts'
import type { Point } from './geometry.ts'

/** One finger, in CSS pixels of the stage. */
export type Finger = Point & { readonly id: number; readonly force: number }

export type GestureDeps = {
  /** The page is told of fingers (an emulated phone); else one finger is the mouse. */
  readonly touch: boolean
  /** Stage to page, within it. */
  readonly toPage: (at: Point) => Point
  /** Stage to picture, not bounded. */
  readonly toPicture: (at: Point) => Point
  /** CSS pixels a picture pixel. */
  readonly scale: () => number
  readonly zoom: () => number
  readonly send: (message: LiveInputSent) => void
  /** Two fingers: our view of the picture, the page knows nothing of it. */
  readonly view: (zoom: number, anchor: Point, at: Point) => void
  /** @returns what calls it off */
  readonly later: (action: () => void, milliseconds: number) => () => void
  /** A press became a long one. */
  readonly felt: () => void
}

export const longPressMs = 500
/** A finger is never quite still. */
const slop = 10

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })

type State =
  | { readonly is: 'idle' }
  /** All further fingers mean nothing until none is left. */
  | { readonly is: 'over' }
  | { readonly is: 'touching' }
  | { readonly is: 'pressing'; readonly from: Point; readonly cancel: () => void }
  | { readonly is: 'scrolling'; last: Point }
  | { readonly is: 'held'; readonly from: Point }
  | { readonly is: 'dragging' }
  | { readonly is: 'viewing'; readonly apart: number; readonly zoom: number; readonly anchor: Point }

/**
 * Fingers. One: touch for a page of an emulated phone; for any other, tap = click, drag = scroll, long press = right click, long
 * press and drag = drag. Two: zoom and move our view.
 */
export function makeGestures(deps: GestureDeps) {
  let state: State = { is: 'idle' }

  const point = (finger: Finger) => ({ id: finger.id, ...deps.toPage(finger), force: finger.force })
  const pointer = (kind: 'move' | 'down' | 'up', at: Point, button = 0) =>
    deps.send({ type: 'pointer', kind, ...deps.toPage(at), button })

  function beginView(a: Finger, b: Finger): void {
    if (state.is === 'touching') deps.send({ type: 'touch', kind: 'cancel', points: [] })
    if (state.is === 'pressing') state.cancel()
    state = { is: 'viewing', apart: Math.max(1, distance(a, b)), zoom: deps.zoom(), anchor: deps.toPicture(middle(a, b)) }
  }

  function start(fingers: readonly Finger[]): void {
    const [first, second] = fingers
    if (first === undefined || state.is === 'over' || state.is === 'dragging') return
    if (second !== undefined) {
      if (state.is !== 'viewing' && fingers.length === 2) beginView(first, second)
      return
    }
    if (deps.touch) {
      state = { is: 'touching' }
      deps.send({ type: 'touch', kind: 'start', points: [point(first)] })
      return
    }
    const from = { x: first.x, y: first.y }
    const cancel = deps.later(() => {
      state = { is: 'held', from }
      deps.felt()
    }, longPressMs)
    state = { is: 'pressing', from, cancel }
  }

  function move(fingers: readonly Finger[]): void {
    const [first, second] = fingers
    if (first === undefined) return
    if (state.is === 'viewing') {
      if (second !== undefined)
        deps.view((state.zoom * distance(first, second)) / state.apart, state.anchor, middle(first, second))
    } else if (state.is === 'touching') deps.send({ type: 'touch', kind: 'move', points: [point(first)] })
    else if (state.is === 'pressing' && distance(first, state.from) > slop) {
      state.cancel()
      pointer('move', state.from)
      state = { is: 'scrolling', last: state.from }
      scroll(first, state)
    } else if (state.is === 'scrolling') scroll(first, state)
    else if (state.is === 'held' && distance(first, state.from) > slop) {
      pointer('move', state.from)
      pointer('down', state.from)
      pointer('move', first)
      state = { is: 'dragging' }
    } else if (state.is === 'dragging') pointer('move', first)
  }

  function scroll(to: Point, scrolling: { last: Point }): void {
    const scale = deps.scale()
    const bounded = (value: number) => Math.max(-4096, Math.min(4096, value))
    const dx = bounded((scrolling.last.x - to.x) / scale)
    const dy = bounded((scrolling.last.y - to.y) / scale)
    scrolling.last = { x: to.x, y: to.y }
    deps.send({ type: 'pointer', kind: 'wheel', ...deps.toPage(to), dx, dy })
  }

  function click(at: Point, button: number): void {
    pointer('move', at)
    pointer('down', at, button)
    pointer('up', at, button)
  }

  /** `left`: fingers that are still there; `gone`: the one that went. */
  function end(left: readonly Finger[], gone: Finger): void {
    if (state.is === 'touching') deps.send({ type: 'touch', kind: 'end', points: [] })
    if (state.is === 'pressing') {
      state.cancel()
      click(state.from, 0)
    }
    if (state.is === 'held') click(state.from, 2)
    if (state.is === 'dragging') pointer('up', gone)
    state = left.length === 0 ? { is: 'idle' } : { is: 'over' }
  }

  /** The browser took the fingers away, or the window is no longer looked at. */
  function cancel(): void {
    if (state.is === 'pressing') state.cancel()
    if (state.is === 'touching') deps.send({ type: 'touch', kind: 'cancel', points: [] })
    if (state.is === 'dragging') deps.send({ type: 'release' })
    state = { is: 'idle' }
  }

  return { start, move, end, cancel }
}
