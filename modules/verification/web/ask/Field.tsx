import { useId, type ReactNode } from 'react'
import styles from './field.module.css'

/** A labelled field of one line or several, with what may be said beside it: its hint, and what is wrong with it. */
export function Field(props: {
  name: string
  label: string
  hint?: string | undefined
  error?: string | undefined
  long: boolean
  required?: boolean
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
}): ReactNode {
  const id = useId()
  const { hint, error } = props
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].filter(
    (each) => each !== '',
  )
  const shared = {
    id,
    name: props.name,
    value: props.value,
    spellCheck: false,
    autoComplete: 'off',
    autoCapitalize: 'none',
    className: styles['field'],
    'aria-required': props.required === true,
    'aria-invalid': error !== undefined,
    'aria-describedby': described.length === 0 ? undefined : described.join(' '),
    onBlur: props.onBlur,
    onChange: (event: { currentTarget: { value: string } }) => props.onChange(event.currentTarget.value),
  }
  return (
    <div className={styles['box']}>
      <label htmlFor={id}>{props.label}</label>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
      {props.long ? <textarea rows={3} {...shared} /> : <input type="text" {...shared} />}
      {error === undefined ? null : (
        <p id={`${id}-error`} className={styles['error']} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
