import { useEffect, useId, useRef, type ReactNode } from 'react'
import { useText } from '../intl/text.tsx'
import styles from './dialog.module.css'

/**
 * The platform's own modal dialog: it makes the rest of the page inert, closes on Escape and gives the focus back, without script
 * of ours and without the injected styles that a strict policy refuses. A click on the veil closes it too.
 */
export function Dialog(props: {
  open: boolean
  title: string
  closeLabel?: string
  side?: 'centre' | 'left' | 'bottom'
  onClose: () => void
  children: ReactNode
}): ReactNode {
  const text = useText()
  const heading = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (element === null) return
    if (props.open && !element.open) element.showModal()
    if (!props.open && element.open) element.close()
  }, [props.open])
  // Said at once: the event of the close comes in a task of its own, and would end a question that was asked again meanwhile.
  const shut = () => {
    dialog.current?.close()
    props.onClose()
  }
  return (
    // A click on the veil lands on the dialog element itself; the keyboard has Escape, which the platform handles.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={styles['dialog']}
      data-side={props.side ?? 'centre'}
      aria-labelledby={heading}
      onCancel={(event) => {
        // That of a file's field in it comes up to here.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        shut()
      }}
      onClose={(event) => {
        // By the browser alone, which asks nobody where Escape is pressed twice.
        if (props.open && !event.currentTarget.open) props.onClose()
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) shut()
      }}
    >
      {props.open ? (
        <div className={styles['content']}>
          <div className={styles['head']}>
            <h2 id={heading}>{props.title}</h2>
            <button type="button" className={styles['close']} aria-label={props.closeLabel ?? text('ui.close')} onClick={shut}>
              <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
                <path d="m4 4 12 12M16 4 4 16" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
              </svg>
            </button>
          </div>
          {props.children}
        </div>
      ) : null}
    </dialog>
  )
}
