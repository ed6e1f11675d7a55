import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { placeOf, useKeysOn, wishOf } from './keys.ts'
import rows from './rows.module.css'

/** What opens a row: the first link in it. */
const opener = 'a[data-open]'

/**
 * Rows that the keyboard goes along: the link of each takes the focus, so that Enter opens it and a screen reader names it.
 * @param props.onSelect the row of that place, where rows are selected; `range`: with all since the last
 */
export function Rows(props: {
  busy: boolean
  onSelect?: (index: number, range: boolean) => void
  children: ReactNode
}): ReactNode {
  const list = useRef<HTMLUListElement>(null)
  const on = useKeysOn()
  const press = useEffectEvent((event: KeyboardEvent) => {
    const wish = wishOf(event, placeOf(event.target, list.current))
    if (wish === null || wish === 'search' || wish === 'legend') return
    const all = [...(list.current?.children ?? [])].filter((each) => each.querySelector(opener) !== null)
    const at = all.findIndex((each) => each.contains(document.activeElement))
    if (wish === 'select') {
      if (props.onSelect === undefined || at === -1) return
      event.preventDefault()
      props.onSelect(at, event.shiftKey)
      return
    }
    const to = { next: at + 1, previous: at - 1, first: 0, last: all.length - 1 }[wish]
    const row = all[Math.min(Math.max(0, to), all.length - 1)]
    if (row === undefined) return
    event.preventDefault()
    row.querySelector<HTMLElement>(opener)?.focus()
    row.scrollIntoView({ block: 'nearest' })
  })
  useEffect(() => {
    if (!on) return undefined
    const onKey = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [on])
  return (
    <ul ref={list} className={rows['list']} aria-busy={props.busy}>
      {props.children}
    </ul>
  )
}
