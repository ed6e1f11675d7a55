import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { fitScale, fitted, panBy, turnOnce, zoomBy, type PictureView, type Size } from './picture-view.ts'

const nowhere: Size = { width: 1, height: 1 }

/** How a picture stands in its frame, moved by mouse, wheel and fingers; keys and buttons come from outside. */
export function usePictureView(frame: RefObject<HTMLElement | null>, picture: Size | null) {
  const [view, setView] = useState<PictureView>(fitted)
  const [room, setRoom] = useState<Size>(nowhere)
  const size = picture ?? nowhere
  const now = useRef({ size, room })
  useLayoutEffect(() => {
    now.current = { size, room }
  })
  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  const zoomAt = useCallback((factor: number, at: { readonly x: number; readonly y: number }) => {
    setView((before) => zoomBy(before, factor, at, now.current.size, now.current.room))
  }, [])
  const pan = useCallback((dx: number, dy: number) => {
    setView((before) => panBy(before, dx, dy, now.current.size, now.current.room))
  }, [])
  useEffect(() => (frame.current === null ? undefined : followHands(frame.current, zoomAt, pan)), [frame, zoomAt, pan])
  const reset = useCallback(() => setView(fitted), [])
  const fit = fitScale(size, room, view.turn)
  const scale = fit * view.zoom
  return {
    percent: Math.round(scale * 100),
    zoomed: view.zoom > 1,
    transform: `translate(-50%, -50%) translate(${view.x}px, ${view.y}px) rotate(${view.turn}deg) scale(${scale})`,
    zoom: (factor: number) => zoomAt(factor, { x: 0, y: 0 }),
    pan,
    turn: () => setView(turnOnce),
    /** Between whole and one pixel of the picture for one of the screen. */
    toggle: () => {
      if (view.zoom > 1) setView({ ...view, zoom: 1, x: 0, y: 0 })
      else zoomAt(Math.max(2, 1 / fit), { x: 0, y: 0 })
    },
    reset,
  }
}

/** Wheel and pinch zoom about their point; the mouse, or one finger on what is zoomed, moves the picture. */
function followHands(
  element: HTMLElement,
  zoomAt: (factor: number, at: { readonly x: number; readonly y: number }) => void,
  pan: (dx: number, dy: number) => void,
): () => void {
  const down = new Map<number, { x: number; y: number }>()
  const place = (x: number, y: number) => {
    const box = element.getBoundingClientRect()
    return { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 }
  }
  const spread = () => {
    const [a, b] = [...down.values()]
    return a === undefined || b === undefined
      ? null
      : { distance: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)), middle: place((a.x + b.x) / 2, (a.y + b.y) / 2) }
  }
  const wheel = (event: WheelEvent) => {
    event.preventDefault()
    zoomAt(Math.exp(-event.deltaY / 400), place(event.clientX, event.clientY))
  }
  const press = (event: PointerEvent) => {
    if (event.pointerType === 'mouse' && event.button !== 0) return
    down.set(event.pointerId, { x: event.clientX, y: event.clientY })
    element.setPointerCapture(event.pointerId)
  }
  const move = (event: PointerEvent) => {
    const held = down.get(event.pointerId)
    if (held === undefined) return
    const before = spread()
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y]
    down.set(event.pointerId, { x: event.clientX, y: event.clientY })
    const after = spread()
    if (before !== null && after !== null) zoomAt(after.distance / before.distance, after.middle)
    else pan(dx, dy)
  }
  const release = (event: PointerEvent) => down.delete(event.pointerId)
  element.addEventListener('wheel', wheel, { passive: false })
  element.addEventListener('pointerdown', press)
  element.addEventListener('pointermove', move)
  element.addEventListener('pointerup', release)
  element.addEventListener('pointercancel', release)
  return () => {
    element.removeEventListener('wheel', wheel)
    element.removeEventListener('pointerdown', press)
    element.removeEventListener('pointermove', move)
    element.removeEventListener('pointerup', release)
    element.removeEventListener('pointercancel', release)
  }
}
