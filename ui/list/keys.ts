import { useSyncExternalStore } from 'react'

/** Where the visitor keeps that he wants none (WCAG 2.2, 2.1.4: keys of one letter can be turned off). */
const place = 'probant.list-keys'
const heard = new Set<() => void>()
/** As it was chosen on this page, where the browser keeps nothing. */
let chosen: boolean | null = null

export function areOn(): boolean {
  if (chosen !== null) return chosen
  try {
    return localStorage.getItem(place) !== 'off'
  } catch {
    return true
  }
}

export function turnKeys(on: boolean): void {
  chosen = on
  try {
    if (on) localStorage.removeItem(place)
    else localStorage.setItem(place, 'off')
  } catch {
    // Until the page is left.
  }
  for (const each of heard) each()
}

export function useKeysOn(): boolean {
  return useSyncExternalStore((changed) => {
    heard.add(changed)
    return () => void heard.delete(changed)
  }, areOn)
}

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'defaultPrevented' | 'isComposing'>

/** What a key asks of a list; null: nothing. Whoever types into a field, or is in a dialog, asks nothing. @param at where the focus is */
export function wishOf(
  pressed: Pressed,
  at: { readonly within: 'row' | 'page' | 'elsewhere'; readonly link: boolean },
): 'next' | 'previous' | 'first' | 'last' | 'select' | 'search' | 'legend' | null {
  const { key } = pressed
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey || pressed.defaultPrevented || pressed.isComposing) return null
  if (at.within === 'elsewhere') return null
  if (key === '?') return 'legend'
  if (key === '/') return 'search'
  if (key === 'j') return 'next'
  if (key === 'k') return 'previous'
  if (at.within === 'page') return null
  // The page scrolls by these, unless a line has the focus.
  if (key === 'ArrowDown') return 'next'
  if (key === 'ArrowUp') return 'previous'
  if (key === 'Home') return 'first'
  if (key === 'End') return 'last'
  // A button takes the space bar for itself.
  if (key === 'x' || key === 'X' || (key === ' ' && at.link)) return 'select'
  return null
}

/** Where something of the page has the focus, seen from a list. */
export function placeOf(target: EventTarget | null, list: HTMLElement | null): Parameters<typeof wishOf>[1] {
  if (!(target instanceof HTMLElement) || target.closest('dialog, [data-menu]') !== null)
    return { within: 'elsewhere', link: false }
  const typed = target.closest('select, textarea, [contenteditable], input:not([type="checkbox"])') !== null
  if (typed) return { within: 'elsewhere', link: false }
  const within = list?.contains(target) === true ? 'row' : 'page'
  return { within, link: target.tagName === 'A' }
}
