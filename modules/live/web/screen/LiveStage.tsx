import {
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { firstView, place, wholeView, type Size, type View } from '../input/geometry.ts'
import { attachInput, sizeOf } from '../input/attach-input.ts'
import type { TextField } from '../input/attach-keyboard.ts'
import type { KeyAct } from '../input/keyboard.ts'
import type { LiveSession } from '../session/live-session.ts'
import { activeTab, pageArea, shownArea, type LiveView } from '../session/live-view.ts'
import styles from './stage.module.css'

export type StageHandle = {
  /** Opens the keyboard of a telephone; must be called from a gesture. */
  readonly focusPage: () => void
  readonly fit: () => void
}

/** The remote picture, and everything that is pointed, typed and pasted at it. */
export function LiveStage(props: {
  session: LiveSession
  view: LiveView
  handle: RefObject<StageHandle | null>
  onAct: (act: Exclude<KeyAct['act'], 'send' | 'field' | 'browser' | 'nothing'>, step: number) => void
  children: ReactNode
}): ReactNode {
  const { session, view } = props
  const text = useText()
  const describes = useId()
  const stage = useRef<HTMLDivElement>(null)
  const crop = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const secret = useRef<HTMLInputElement>(null)
  const area = shownArea(view)
  const page = pageArea(view)
  const [seen, setSeen] = useState<View>(() => wholeView(area))
  const tab = activeTab(view)
  const steers = view.role === 'controller' && view.state?.phase === 'capturing'

  // What the listeners ask for when something happens: they are attached once.
  const now = useRef({ area, page, seen, steers, touch: view.mobile !== null, masked: view.focus.masked })
  useLayoutEffect(() => {
    now.current = { area, page, seen, steers, touch: view.mobile !== null, masked: view.focus.masked }
  })
  const act = useEffectEvent(props.onAct)

  const { width, height } = area
  useLayoutEffect(() => {
    if (stage.current !== null) setSeen(firstView(sizeOf(stage.current), { width, height }, devicePixelRatio))
  }, [width, height])
  useLayoutEffect(() => {
    const [room, cut] = [stage.current, crop.current]
    if (room === null || cut === null) return undefined
    const lay = () => {
      const { scale, x, y } = place(sizeOf(room), { width, height }, seen, devicePixelRatio)
      cut.style.transform = `translate(${x}px, ${y}px) scale(${scale})`
      cut.style.width = `${width}px`
      cut.style.height = `${height}px`
    }
    lay()
    const watch = new ResizeObserver(lay)
    watch.observe(room)
    return () => watch.disconnect()
  }, [seen, width, height])

  const { picture } = view
  const drawn = picture === null ? null : `${picture.width}x${picture.height}`
  useEffect(() => {
    const holder = crop.current
    if (holder === null || drawn === null) return undefined
    const [wide = 0, tall = 0] = drawn.split('x').map(Number)
    // A canvas can be handed to a worker but once: each showing has one of its own.
    const canvas = document.createElement('canvas')
    canvas.width = wide
    canvas.height = tall
    canvas.className = styles['canvas'] ?? ''
    canvas.setAttribute('aria-hidden', 'true')
    holder.replaceChildren(canvas)
    const end = session.showOn(canvas)
    return () => {
      end()
      canvas.remove()
    }
  }, [session, drawn])

  useEffect(() => {
    const [room, typed, hidden] = [stage.current, field.current, secret.current]
    if (room === null || typed === null || hidden === null) return undefined
    return attachInput({
      stage: room,
      fields: [typed, hidden],
      field: () => (now.current.masked && isSoft() ? hidden : typed),
      area: () => now.current.area,
      page: () => now.current.page,
      view: () => now.current.seen,
      setView: setSeen,
      controls: () => now.current.steers,
      touchPage: () => now.current.touch,
      send: session.input,
      paste: (pasted) => session.paste(pasted, false),
      act: (what, step) => act(what, step),
    })
  }, [session])

  const inUse = (): TextField | null => (now.current.masked && isSoft() ? secret.current : field.current)
  useKeyboardOfPhone(view, inUse, stage, now, setSeen)

  useImperativeHandle(
    props.handle,
    () => ({
      focusPage: () => {
        // Taken away first: a telephone opens its keyboard for a focus that is new.
        const into = now.current.masked && isSoft() ? secret.current : field.current
        into?.blur()
        into?.focus({ preventScroll: true })
      },
      fit: () => setSeen(wholeView({ width, height })),
    }),
    [width, height],
  )

  const title = tab === null || tab.title === '' ? text('live.page.untitled') : visible(tab.title)
  const address = tab === null ? '' : visible(tab.url)
  const hides = view.focus.masked && isSoft()
  return (
    <div className={styles['frame']}>
      <div
        ref={stage}
        className={styles['stage']}
        data-steers={steers}
        data-zoomed={seen.zoom > 1.01}
        data-lost={view.connection !== 'open'}
      >
        <div
          ref={crop}
          className={styles['crop']}
          role="img"
          aria-label={text('live.picture.label', { title })}
          aria-describedby={describes}
        />
        <p id={describes} className="visually-hidden">
          {tab === null
            ? text('live.security.none')
            : tab.failure !== null
              ? text('live.status.failed', { address, failure: tab.failure })
              : `${text('live.picture.description', { title, address })} ${text(tab.loading ? 'live.picture.loading' : 'live.picture.loaded')}`}
        </p>
        <p id={`${describes}-keys`} className="visually-hidden">
          {text('live.keyboard.hint')}
        </p>
        <textarea
          ref={field}
          className={styles['field']}
          aria-label={text('live.keyboard.label')}
          aria-describedby={`${describes} ${describes}-keys`}
          autoComplete="off"
          autoCorrect={view.focus.masked ? 'off' : 'on'}
          autoCapitalize={
            ['email', 'url', 'password'].includes(view.focus.input_mode) || view.focus.masked ? 'none' : 'sentences'
          }
          inputMode={inputModeOf(view.focus.input_mode)}
          spellCheck={false}
          disabled={!steers}
          data-1p-ignore=""
          data-lpignore="true"
        />
        <input
          ref={secret}
          className={styles['field']}
          type="password"
          autoComplete="off"
          tabIndex={-1}
          aria-label={text('live.keyboard.masked')}
          aria-describedby={`${describes}-keys`}
          aria-hidden={!hides}
          disabled={!steers || !hides}
          data-1p-ignore=""
          data-lpignore="true"
        />
      </div>
      {props.children}
    </div>
  )
}

/** The keyboard is on the screen. */
const isSoft = (): boolean => matchMedia('(pointer: coarse)').matches

const inputModes = ['text', 'decimal', 'numeric', 'tel', 'search', 'email', 'url'] as const
function inputModeOf(mode: string): (typeof inputModes)[number] {
  return inputModes.find((known) => known === mode) ?? 'text'
}

/**
 * A telephone's keyboard opens when a field of the page takes the focus and goes when it loses it. Where the keyboard takes room,
 * the picture keeps its size and moves to where the finger last was.
 */
function useKeyboardOfPhone(
  view: LiveView,
  inUse: () => TextField | null,
  stage: RefObject<HTMLDivElement | null>,
  now: RefObject<{ readonly area: Size; readonly seen: View }>,
  setSeen: (view: View) => void,
): void {
  const { editable, masked } = view.focus
  const follow = useEffectEvent((wanted: boolean, _masked: boolean) => {
    if (!isSoft()) return
    const focused = document.activeElement
    if (wanted) inUse()?.focus({ preventScroll: true })
    else if (focused instanceof HTMLElement && stage.current?.contains(focused) === true) focused.blur()
  })
  useEffect(() => follow(editable, masked), [editable, masked])
  useEffect(() => {
    const port = window.visualViewport
    const room = stage.current
    if (port === null || room === null) return undefined
    const frame = room.closest<HTMLElement>('[data-full-layout]')
    let last = { x: 0, y: 0 }
    let before: { height: number; seen: View } | null = null
    const touched = (event: PointerEvent) => {
      const box = room.getBoundingClientRect()
      const { scale, x, y } = place(sizeOf(room), now.current.area, now.current.seen, devicePixelRatio)
      last = { x: (event.clientX - box.left - x) / scale, y: (event.clientY - box.top - y) / scale }
    }
    const resized = () => {
      const open = window.innerHeight - port.height > 120 && port.scale < 1.05
      if (open) frame?.style.setProperty('--full-height', `${port.height}px`)
      else frame?.style.removeProperty('--full-height')
      frame?.style.setProperty('--full-top', open ? `${port.offsetTop}px` : '0px')
      if (open && before === null) {
        before = { height: room.clientHeight, seen: now.current.seen }
        const whole = sizeOf(room)
        const was = place(whole, now.current.area, now.current.seen, devicePixelRatio).scale
        // The layout follows in this very frame; the new room is known once it has.
        requestAnimationFrame(() => {
          const fits = place(sizeOf(room), now.current.area, wholeView(now.current.area), devicePixelRatio).scale
          if (before !== null && was > fits * 1.02) setSeen({ zoom: was / fits, centre: last })
        })
      } else if (!open && before !== null) {
        setSeen(before.seen)
        before = null
      }
    }
    room.addEventListener('pointerdown', touched)
    port.addEventListener('resize', resized)
    port.addEventListener('scroll', resized)
    return () => {
      room.removeEventListener('pointerdown', touched)
      port.removeEventListener('resize', resized)
      port.removeEventListener('scroll', resized)
    }
  }, [now, stage, setSeen])
}
