import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Dialog } from '../controls/Dialog.tsx'
import { useText } from '../intl/text.tsx'
import { useIsNarrow } from './use-is-narrow.ts'
import styles from './row-menu.module.css'

/**
 * What else is done with a row: below its button, on a phone a sheet at the foot of the page. What it holds stays mounted while it is
 * open, with the questions that it asks.
 * @param props.name of the row
 */
export function RowMenu(props: { name: string; children: (close: () => void) => ReactNode }): ReactNode {
  const text = useText()
  const narrow = useIsNarrow()
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useId()
  const close = () => setOpen(false)
  useEffect(() => {
    if (!open || narrow) return undefined
    box.current?.querySelector<HTMLElement>('[data-menu] :is(a, button)')?.focus()
    const leave = (event: Event) => {
      if (!(event.target instanceof Node) || !box.current?.contains(event.target)) setOpen(false)
    }
    const events = ['pointerdown', 'focusin'] as const
    for (const each of events) document.addEventListener(each, leave)
    return () => {
      for (const each of events) document.removeEventListener(each, leave)
    }
  }, [open, narrow])
  const move = (event: KeyboardEvent) => {
    // A question that it asks has keys of its own.
    if (event.target instanceof Element && event.target.closest('dialog') !== null) return
    if (event.key === 'Escape') {
      close()
      button.current?.focus()
      return
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>(':scope > :is(a, button):not(:disabled)')]
    const at = items.findIndex((each) => each === document.activeElement)
    items[(at + step + items.length) % items.length]?.focus()
  }
  return (
    <div ref={box} className={styles['box']}>
      <button
        ref={button}
        type="button"
        className={styles['button']}
        aria-expanded={open}
        {...(narrow ? { 'aria-haspopup': 'dialog' as const } : { 'aria-controls': panel })}
        aria-label={text('ui.list.more', { name: props.name })}
        onClick={() => setOpen(!open)}
      >
        <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" fill="currentColor">
          <circle cx="4" cy="10" r="1.7" />
          <circle cx="10" cy="10" r="1.7" />
          <circle cx="16" cy="10" r="1.7" />
        </svg>
      </button>
      {narrow ? (
        <Dialog open={open} side="bottom" title={props.name} onClose={close}>
          <div className={styles['items']}>{props.children(close)}</div>
        </Dialog>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- moves along the buttons in it
        <div id={panel} className={`${styles['items']} ${styles['menu']}`} data-menu="" hidden={!open} onKeyDown={move}>
          {open ? props.children(close) : null}
        </div>
      )}
    </div>
  )
}
