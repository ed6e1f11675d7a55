import { useId, type InputHTMLAttributes, type ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { RegisteredDay } from '../../../../ui/forms/DayInput.tsx'
import field from '../../../../ui/forms/field.module.css'

type Input = Pick<InputHTMLAttributes<HTMLInputElement>, 'autoComplete' | 'inputMode' | 'list' | 'spellCheck' | 'autoCapitalize'>

/** One field of a form that is sent as a whole: a line of text, or one of several values. */
export function TypedLine(
  props: Input & {
    registered: UseFormRegisterReturn
    label: string
    error: string | undefined
    hint?: string | undefined
    type?: 'text' | 'email' | 'date'
    options?: readonly (readonly [value: string, label: string])[]
  },
): ReactNode {
  const id = useId()
  const { registered, label, error, hint, options, type = 'text', ...input } = props
  const described = {
    id,
    className: field['input'],
    'aria-invalid': error !== undefined,
    'aria-describedby': hint === undefined ? `${id}-error` : `${id}-hint ${id}-error`,
  }
  return (
    <div className={field['field']}>
      <label htmlFor={id}>{label}</label>
      {options === undefined ? (
        type === 'date' ? (
          <RegisteredDay registered={registered} {...described} autoComplete={input.autoComplete ?? 'off'} />
        ) : (
          <input {...input} {...registered} {...described} type={type} />
        )
      ) : (
        <select {...registered} {...described}>
          {options.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
      {hint === undefined ? null : (
        <div id={`${id}-hint`} className={field['hint']}>
          {hint}
        </div>
      )}
      <p id={`${id}-error`} className={field['error']} role="alert">
        {error}
      </p>
    </div>
  )
}

/** An address of somebody else: nothing of the visitor's own is proposed for it. */
export function EmailLine(props: Pick<Parameters<typeof TypedLine>[0], 'registered' | 'label' | 'error'>): ReactNode {
  return <TypedLine {...props} type="email" inputMode="email" autoComplete="off" spellCheck={false} autoCapitalize="none" />
}
