import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { apiAddress } from '../api/api-address.ts'
import { useText } from '../intl/text.tsx'
import styles from './image-viewer.module.css'
import bar from './tool-bar.module.css'

export type ViewedImage = { readonly url: string; readonly width: number; readonly height: number; readonly alt: string }

const most = 8
const step = 1.25

/**
 * Images one under the other without a gap, as one tall picture: scrolls natively (so touch, wheel and arrow keys just work), is
 * dragged with the mouse, and zooms around the point of interest by buttons, `+` `-` `0`, Ctrl and wheel, or two fingers.
 * Only what comes into view is loaded, so that a page of 41,000 pixels is no burden.
 */
export function ImageViewer(props: { images: readonly ViewedImage[]; name: string; onBroken: () => void }): ReactNode {
  const text = useText()
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [zoom, setZoom] = useState(1)
  /** The point to hold still during the next zoom: position in the frame, and the same as a share of the picture. */
  const anchor = useRef<{ x: number; y: number; left: number; top: number } | null>(null)
  /** Where the mouse holds the picture, in the picture's own coordinates. */
  const grip = useRef({ x: 0, y: 0 })
  const natural = Math.max(...props.images.map((image) => image.width), 1)
  const fit = Math.min(width, natural)
  const shown = Math.round(fit * zoom)

  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const zoomTo = (next: number, at?: { x: number; y: number }) => {
    const element = frame.current
    if (element === null) return
    const x = at?.x ?? element.clientWidth / 2
    const y = at?.y ?? element.clientHeight / 2
    anchor.current = {
      x,
      y,
      left: (element.scrollLeft + x) / element.scrollWidth,
      top: (element.scrollTop + y) / element.scrollHeight,
    }
    setZoom(Math.min(most, Math.max(1, next)))
  }
  const latest = useRef({ zoom, zoomTo })
  useLayoutEffect(() => {
    latest.current = { zoom, zoomTo }
    const element = frame.current
    const held = anchor.current
    if (element === null || held === null) return
    anchor.current = null
    element.scrollLeft = held.left * element.scrollWidth - held.x
    element.scrollTop = held.top * element.scrollHeight - held.y
  })

  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const place = (x: number, y: number) => {
      const box = element.getBoundingClientRect()
      return { x: x - box.left, y: y - box.top }
    }
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      latest.current.zoomTo(latest.current.zoom * Math.exp(-event.deltaY / 300), place(event.clientX, event.clientY))
    }
    let pinch: { distance: number; zoom: number } | null = null
    const touch = (event: TouchEvent) => {
      const [a, b] = [event.touches[0], event.touches[1]]
      if (a === undefined || b === undefined) {
        pinch = null
        return
      }
      event.preventDefault()
      const distance = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)
      pinch ??= { distance, zoom: latest.current.zoom }
      const middle = place((a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2)
      latest.current.zoomTo((pinch.zoom * distance) / Math.max(1, pinch.distance), middle)
    }
    element.addEventListener('wheel', wheel, { passive: false })
    for (const name of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const) {
      element.addEventListener(name, touch, { passive: false })
    }
    return () => {
      element.removeEventListener('wheel', wheel)
      for (const name of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const) element.removeEventListener(name, touch)
    }
  }, [])

  const percent = natural === 0 ? 100 : Math.round((shown / natural) * 100)
  return (
    <div className={styles['viewer']}>
      <div className={bar['tools']} data-screen="">
        <button type="button" aria-label={text('ui.viewer.zoom_out')} disabled={zoom <= 1} onClick={() => zoomTo(zoom / step)}>
          −
        </button>
        <button type="button" aria-label={text('ui.viewer.zoom_in')} disabled={zoom >= most} onClick={() => zoomTo(zoom * step)}>
          +
        </button>
        <button type="button" onClick={() => zoomTo(1)}>
          {text('ui.viewer.fit')}
        </button>
        <button type="button" disabled={fit >= natural} onClick={() => zoomTo(natural / Math.max(1, fit))}>
          {text('ui.viewer.actual')}
        </button>
        <output className={bar['percent']}>{text('ui.viewer.zoom', { percent })}</output>
      </div>
      {/* Scrolls natively; what it adds (drag, zoom keys) has its buttons above. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={frame}
        className={styles['frame']}
        tabIndex={0}
        role="group"
        aria-label={text('ui.viewer.label', { name: props.name })}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return
          const next = { '+': zoom * step, '=': zoom * step, '-': zoom / step, '0': 1 }[event.key]
          if (next === undefined) return
          event.preventDefault()
          zoomTo(next)
        }}
        onPointerDown={(event) => {
          if (event.pointerType !== 'mouse' || event.button !== 0) return
          const element = event.currentTarget
          element.setPointerCapture(event.pointerId)
          grip.current = { x: element.scrollLeft + event.clientX, y: element.scrollTop + event.clientY }
        }}
        onPointerMove={(event) => {
          if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
          event.currentTarget.scrollLeft = grip.current.x - event.clientX
          event.currentTarget.scrollTop = grip.current.y - event.clientY
        }}
      >
        <div className={styles['canvas']} style={{ width: shown === 0 ? '100%' : `${shown}px` }}>
          {props.images.map((image) => (
            <img
              key={image.url}
              src={apiAddress(image.url)}
              width={image.width}
              height={image.height}
              alt={image.alt}
              loading="lazy"
              decoding="async"
              draggable={false}
              onError={props.onBroken}
            />
          ))}
        </div>
      </div>
    </div>
  )
}
