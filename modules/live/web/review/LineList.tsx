import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useLocale } from '../../../../ui/intl/text.tsx'
import { clockOf, groupOf, type TimelineLine } from './timeline.ts'
import { useLineText } from './use-line-text.ts'
import styles from './review.module.css'

const rowHeight = 44
/** Rows drawn above and below what is seen. */
const spare = 8

/**
 * A list of one height a row, of which only what is seen is drawn: a hundred thousand lines cost as much as twenty. One stop for the
 * Tab key; arrows, Page up and down, Home and End move, Enter opens.
 */
export function LineList(props: {
  lines: readonly TimelineLine[]
  label: string
  hint?: string
  /** The row that is chosen, and the one that the video is at; -1: none. */
  chosen: number
  now: number
  /** The list moves with `now`. */
  follows: boolean
  /** The reader was led here: the list takes the focus, and with it comes into view. */
  led?: boolean
  onChoose: (index: number, opens: boolean) => void
  onTouched?: () => void
}): ReactNode {
  const { lines, chosen, now, follows } = props
  const count = lines.length
  const lineText = useLineText()
  const locale = useLocale()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState({ top: 0, height: 440 })
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const measure = () => setSeen({ top: element.scrollTop, height: element.clientHeight })
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      watch.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  const { led = false } = props
  useEffect(() => {
    if (led) box.current?.focus()
  }, [led])
  const target = follows ? now : chosen
  useEffect(() => {
    const element = box.current
    if (element === null || target < 0) return
    const [top, bottom] = [target * rowHeight, (target + 1) * rowHeight]
    if (top < element.scrollTop) element.scrollTop = Math.max(0, follows ? top - element.clientHeight / 3 : top)
    else if (bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = follows ? top - element.clientHeight / 3 : bottom - element.clientHeight
  }, [target, follows])

  const first = Math.max(0, Math.floor(seen.top / rowHeight) - spare)
  const last = Math.min(count, Math.ceil((seen.top + seen.height) / rowHeight) + spare)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || count === 0) return
    const page = Math.max(1, Math.floor(seen.height / rowHeight) - 1)
    const from = chosen < 0 ? Math.max(0, now) : chosen
    const to = {
      ArrowDown: from + (chosen < 0 ? 0 : 1),
      ArrowUp: from - 1,
      PageDown: from + page,
      PageUp: from - page,
      Home: 0,
      End: count - 1,
    }[event.key]
    if (to === undefined) {
      if ((event.key === 'Enter' || event.key === ' ') && chosen >= 0) {
        event.preventDefault()
        props.onChoose(chosen, true)
      }
      return
    }
    event.preventDefault()
    props.onTouched?.()
    props.onChoose(Math.min(count - 1, Math.max(0, to)), false)
  }
  return (
    <div
      ref={box}
      className={styles['lines']}
      role="listbox"
      tabIndex={0}
      aria-label={props.label}
      aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
      aria-activedescendant={chosen >= first && chosen < last ? `${id}-${chosen}` : undefined}
      onKeyDown={onKeyDown}
      onWheel={props.onTouched}
      onTouchMove={props.onTouched}
    >
      {props.hint === undefined ? null : (
        <p id={`${id}-hint`} className="visually-hidden">
          {props.hint}
        </p>
      )}
      <div role="presentation" className={styles['all']} style={{ height: `${count * rowHeight}px` }}>
        {lines.slice(first, last).map((line, i) => {
          const index = first + i
          return (
            // The keyboard is served by the list itself, as the pattern of a listbox has it.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <div
              key={index}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              className={styles['row']}
              style={{ transform: `translateY(${index * rowHeight}px)` }}
              aria-selected={index === chosen}
              aria-posinset={index + 1}
              aria-setsize={count}
              data-now={index === now}
              onClick={() => props.onChoose(index, true)}
            >
              <time>{clockOf(line.ms, locale)}</time>
              <span className={styles['mark']} data-group={groupOf(line)} aria-hidden="true" />
              <span className={styles['what']}>{lineText(line)}</span>
            </div>
          )
        })}
      </div>
    </div>
  )
}
