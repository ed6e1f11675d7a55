import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { shortcutOf } from './shortcut.ts'

const key = 'probant.review.keys'
const listeners = new Set<() => void>()
let inMemory = true

/** WCAG 2.1, 2.1.4: shortcuts of a single letter can be turned off. */
export const shortcutsOn = (): boolean => {
  try {
    return localStorage.getItem(key) !== 'off'
  } catch {
    return inMemory
  }
}

export function turnShortcuts(on: boolean): void {
  inMemory = on
  try {
    localStorage.setItem(key, on ? 'on' : 'off')
  } catch {
    // A browser that refuses storage forgets it with the page.
  }
  for (const listener of listeners) listener()
}

export function useShortcutsOn(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, shortcutsOn)
}

const typing = 'input:not([type=checkbox], [type=radio], [type=button], [type=file]), textarea, select, [contenteditable]'

/** A key that is held down decides nothing twice. */
const mayRepeat = /^(?:[-+=jk]|Arrow\w+)$/

/** Keys of the page, by the names of `shortcutOf`. A dialog that is open has its own. */
export function useShortcuts(actions: Readonly<Record<string, () => void>>, inDialog = false): void {
  const latest = useRef(actions)
  useLayoutEffect(() => {
    latest.current = actions
  })
  const on = useShortcutsOn()
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return
      if (!inDialog && document.querySelector('dialog[open]') !== null) return
      const target = event.target instanceof Element ? event.target : null
      const place = target?.closest(typing)
        ? 'typing'
        : target?.closest('button, a[href], summary, input')
          ? 'button'
          : 'elsewhere'
      const name = shortcutOf({ ...pick(event), on: place })
      if (name === null || (!on && name.length === 1) || (event.repeat && !mayRepeat.test(name))) return
      const action = latest.current[name]
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [on, inDialog])
}

const pick = ({ key: pressed, ctrlKey, metaKey, altKey }: KeyboardEvent) => ({ key: pressed, ctrlKey, metaKey, altKey })
