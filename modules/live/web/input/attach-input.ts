import { clampTo, isWithin, place, toPicture, zoomAround, type Placement, type Point, type Size, type View } from './geometry.ts'
import { makeGestures, type Finger } from './gestures.ts'
import { attachKeyboard, type KeyboardDeps } from './attach-keyboard.ts'

export type InputDeps = Omit<KeyboardDeps, 'flush' | 'lost' | 'signal'> & {
  /** Where the picture lies; takes the pointer. */
  readonly stage: HTMLElement
  readonly area: () => Size
  readonly page: () => Size
  readonly view: () => View
  readonly setView: (view: View) => void
  readonly touchPage: () => boolean
}

/** CSS pixels of a line and a page, where the wheel counts in those (UI Events, `deltaMode`). */
const wheelUnit = [1, 40, 800] as const
const mostWheel = 4096

export function sizeOf(element: HTMLElement): Size {
  return { width: element.clientWidth, height: element.clientHeight }
}

/** Pointer, fingers, wheel, keys, text and clipboard of the viewer, to the session. @returns what takes them off */
export function attachInput(deps: InputDeps): () => void {
  const { stage, fields } = deps
  const listening = new AbortController()
  const { signal } = listening
  const placement = (): Placement => place(sizeOf(stage), deps.area(), deps.view(), devicePixelRatio)
  const atStage = (event: { clientX: number; clientY: number }): Point => {
    const box = stage.getBoundingClientRect()
    return { x: event.clientX - box.left - stage.clientLeft, y: event.clientY - box.top - stage.clientTop }
  }
  const onPage = (at: Point): Point => clampTo(deps.page(), toPicture(placement(), at))
  const inside = (at: Point): boolean => isWithin(deps.page(), toPicture(placement(), at))

  // Moves and wheels: once a frame, the latest place and the sum of the way.
  let frame = 0
  let moved: Point | null = null
  let wheel: (Point & { dx: number; dy: number }) | null = null
  function flush(): void {
    if (frame !== 0) cancelAnimationFrame(frame)
    frame = 0
    if (moved !== null) deps.send({ type: 'pointer', kind: 'move', ...moved })
    moved = null
    const bounded = (value: number) => Math.max(-mostWheel, Math.min(mostWheel, value))
    if (wheel !== null) deps.send({ type: 'pointer', kind: 'wheel', ...wheel, dx: bounded(wheel.dx), dy: bounded(wheel.dy) })
    wheel = null
  }
  const soon = () => {
    if (frame === 0) frame = requestAnimationFrame(flush)
  }

  const keys = attachKeyboard({ ...deps, flush, lost: release, signal })
  const mouseDown = new Set<number>()
  /** Mouse events count in whole pixels where pointer events do not; the pointer's last place says the rest. */
  let exact: Point = { x: 0, y: 0 }
  const refine = (at: Point): Point => (Math.hypot(exact.x - at.x, exact.y - at.y) < 1.5 ? exact : at)
  function onMouse(event: PointerEvent): void {
    const at = atStage(event)
    exact = at
    if (event.type === 'pointermove') {
      if (mouseDown.size === 0 && !inside(at)) return
      if (!deps.touchPage()) {
        moved = onPage(at)
        soon()
      } else if (mouseDown.size > 0) deps.send({ type: 'touch', kind: 'move', points: [{ id: 0, ...onPage(at) }] })
    }
  }
  /** Buttons of a chord come as moves (Pointer Events §10.1.1), so they are told by mouse events. */
  function onButton(event: MouseEvent): void {
    const at = refine(atStage(event))
    const isDown = event.type === 'mousedown'
    event.preventDefault()
    if (isDown && (!inside(at) || event.button > 4)) return
    if (!isDown && !mouseDown.has(event.button)) return
    if (isDown) {
      mouseDown.add(event.button)
      deps.field().focus({ preventScroll: true })
      keys.blank()
    } else mouseDown.delete(event.button)
    flush()
    const place = onPage(at)
    if (deps.touchPage()) {
      if (event.button === 0)
        deps.send({ type: 'touch', kind: isDown ? 'start' : 'end', points: isDown ? [{ id: 0, ...place }] : [] })
      return
    }
    deps.send({ type: 'pointer', kind: 'move', ...place })
    deps.send({ type: 'pointer', kind: isDown ? 'down' : 'up', ...place, button: event.button })
  }

  const fingers = new Map<number, Finger>()
  let gestures = makeGesturesNow()
  function makeGesturesNow() {
    return makeGestures({
      touch: deps.touchPage(),
      toPage: onPage,
      toPicture: (at) => toPicture(placement(), at),
      scale: () => placement().scale,
      zoom: () => deps.view().zoom,
      send: (message) => {
        if (deps.controls()) deps.send(message)
      },
      view: (zoom, anchor, at) => deps.setView(zoomAround(sizeOf(stage), deps.area(), zoom, anchor, at, devicePixelRatio)),
      later: (action, milliseconds) => {
        const timer = setTimeout(action, milliseconds)
        return () => clearTimeout(timer)
      },
      felt: () => {
        if ('vibrate' in navigator) navigator.vibrate(12)
      },
    })
  }
  function onFinger(event: PointerEvent): void {
    const finger: Finger = { id: event.pointerId, ...atStage(event), force: event.pressure }
    if (event.type === 'pointerdown') {
      if (fingers.size === 0) {
        if (!inside(finger)) return
        gestures = makeGesturesNow()
        if (fields.some((field) => field === document.activeElement)) keys.blank()
      }
      fingers.set(finger.id, finger)
      gestures.start([...fingers.values()])
    } else if (event.type === 'pointermove') {
      if (!fingers.has(finger.id)) return
      fingers.set(finger.id, finger)
      gestures.move([...fingers.values()])
    } else {
      if (!fingers.delete(finger.id)) return
      if (event.type === 'pointercancel') {
        fingers.clear()
        gestures.cancel()
      } else gestures.end([...fingers.values()], finger)
    }
  }

  for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const) {
    stage.addEventListener(
      type,
      (event) => {
        if (event.pointerType === 'touch') {
          if (type === 'pointerdown') stage.setPointerCapture(event.pointerId)
          onFinger(event)
        } else if (deps.controls()) {
          if (type === 'pointerdown') stage.setPointerCapture(event.pointerId)
          onMouse(event)
        }
      },
      { signal },
    )
  }
  // After a touch browsers imitate a mouse; what was taken as a touch must not be a click as well.
  stage.addEventListener('touchend', (event) => event.preventDefault(), { signal, passive: false })
  stage.addEventListener('touchstart', (event) => event.preventDefault(), { signal, passive: false })
  for (const type of ['mousedown', 'mouseup'] as const)
    stage.addEventListener(
      type,
      (event) => {
        if (deps.controls()) onButton(event)
      },
      { signal },
    )
  stage.addEventListener('contextmenu', (event) => event.preventDefault(), { signal })
  stage.addEventListener('auxclick', (event) => event.preventDefault(), { signal })
  stage.addEventListener('dragstart', (event) => event.preventDefault(), { signal })
  stage.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const at = atStage(event)
      const unit = wheelUnit[event.deltaMode as 0 | 1 | 2]
      if (event.ctrlKey) {
        // A pinch on a trackpad: our view, as two fingers on a screen.
        const zoom = deps.view().zoom * Math.exp((-event.deltaY * unit) / 200)
        deps.setView(zoomAround(sizeOf(stage), deps.area(), zoom, toPicture(placement(), at), at, devicePixelRatio))
        return
      }
      if (!deps.controls() || !inside(at)) return
      const { scale } = placement()
      const place = onPage(at)
      wheel = {
        ...place,
        dx: (wheel?.dx ?? 0) + (event.deltaX * unit) / scale,
        dy: (wheel?.dy ?? 0) + (event.deltaY * unit) / scale,
      }
      soon()
    },
    { signal, passive: false },
  )

  function release(): void {
    moved = null
    wheel = null
    mouseDown.clear()
    fingers.clear()
    gestures.cancel()
    keys.release()
    if (deps.controls()) deps.send({ type: 'release' })
  }
  window.addEventListener('blur', release, { signal })
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden') release()
    },
    { signal },
  )
  return () => {
    listening.abort()
    if (frame !== 0) cancelAnimationFrame(frame)
  }
}
