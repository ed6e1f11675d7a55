import { useId, type KeyboardEvent, type ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import styles from './field.module.css'

/** Several lines of text, with their name, what helps to write them, and what is wrong. */
export function TextArea(props: {
  field: UseFormRegisterReturn
  label: string
  /** In words. */
  error: string | undefined
  hint?: ReactNode
  rows?: number
  /** With Ctrl or ⌘, the return key sends its form, as it does where messages are written. */
  sends?: boolean
}): ReactNode {
  const { field, label, error, hint, rows = 8 } = props
  const id = useId()
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {hint === undefined ? null : (
        <div id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </div>
      )}
      <textarea
        {...field}
        id={id}
        rows={rows}
        className={`${styles['input']} ${styles['lines']}`}
        {...(props.sends === true
          ? {
              'aria-keyshortcuts': 'Control+Enter Meta+Enter',
              onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
              },
            }
          : {})}
        aria-invalid={error !== undefined}
        aria-describedby={hint === undefined ? `${id}-error` : `${id}-hint ${id}-error`}
      />
      <p id={`${id}-error`} className={styles['error']} role="alert">
        {error}
      </p>
    </div>
  )
}
