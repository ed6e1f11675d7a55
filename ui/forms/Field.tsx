import { useId, useState, type InputHTMLAttributes, type ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { useText } from '../intl/text.tsx'
import { withWholeNames } from '../intl/whole.tsx'
import styles from './field.module.css'

/** An empty field that is merely passed by is no fault yet; it is one when the form is sent. */
function leaveEmptyAlone(field: UseFormRegisterReturn): UseFormRegisterReturn {
  return {
    ...field,
    onBlur: async (event: { target: { value?: unknown } }) => {
      if (event.target.value !== '') await field.onBlur(event)
    },
  }
}

type Input = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'autoComplete' | 'inputMode' | 'maxLength' | 'readOnly' | 'autoFocus' | 'spellCheck' | 'autoCapitalize' | 'list' | 'onKeyDown'
>

/** One line of text with its name, what helps to fill it, and beside it what is wrong. */
export function Field(
  props: Input & {
    field: UseFormRegisterReturn
    label: string
    type?: 'text' | 'email' | 'password'
    /** In words. */
    error: string | undefined
    hint?: ReactNode
    end?: ReactNode
  },
): ReactNode {
  const { field, label, type = 'text', error, hint, end, ...input } = props
  const id = useId()
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{withWholeNames(label)}</label>
      {hint === undefined ? null : (
        <div id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </div>
      )}
      <div className={styles['row']}>
        <input
          {...input}
          {...leaveEmptyAlone(field)}
          id={id}
          type={type}
          className={styles['input']}
          aria-invalid={error !== undefined}
          aria-describedby={hint === undefined ? `${id}-error` : `${id}-hint ${id}-error`}
        />
        {end}
      </div>
      <p id={`${id}-error`} className={styles['error']} role="alert">
        {error}
      </p>
    </div>
  )
}

/** With a button that shows what is typed: a mistyped password that nobody sees is the commonest reason to be refused. */
export function PasswordField(
  props: Omit<Parameters<typeof Field>[0], 'type' | 'end'> & { autoComplete: 'current-password' | 'new-password' },
): ReactNode {
  const text = useText()
  const [shown, setShown] = useState(false)
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      end={
        <button type="button" className={styles['show']} aria-pressed={shown} onClick={() => setShown(!shown)}>
          {text('ui.password.show')}
        </button>
      }
    />
  )
}

/** One that cannot be wrong is given no `error` at all. */
export function CheckField(props: { field: UseFormRegisterReturn; label: ReactNode; error?: string | undefined }): ReactNode {
  const id = useId()
  return (
    <div className={styles['field']}>
      <div className={styles['check']}>
        <input
          {...props.field}
          id={id}
          type="checkbox"
          {...('error' in props ? { 'aria-invalid': props.error !== undefined, 'aria-describedby': `${id}-error` } : {})}
        />
        <label htmlFor={id}>{props.label}</label>
      </div>
      {'error' in props ? (
        <p id={`${id}-error`} className={styles['error']} role="alert">
          {props.error}
        </p>
      ) : null}
    </div>
  )
}

export function SelectField(props: {
  field: UseFormRegisterReturn
  label: string
  hint?: string
  options: readonly (readonly [value: string, label: string])[]
}): ReactNode {
  const id = useId()
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{props.label}</label>
      {props.hint === undefined ? null : (
        <div id={`${id}-hint`} className={styles['hint']}>
          {props.hint}
        </div>
      )}
      <select
        {...props.field}
        id={id}
        className={styles['input']}
        {...(props.hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
      >
        {props.options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}
