import { useId, type HTMLAttributes, type ReactNode } from 'react'
import type { ProfileField } from '../../domain/profile.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { useFieldText } from '../field-text.ts'
import type { ProfileForm } from '../use-profile-form.ts'
import { RegisteredDay } from '../../../../ui/forms/DayInput.tsx'
import field from '../../../../ui/forms/field.module.css'
import styles from '../account-pages.module.css'

/** One field of the profile, with how it stands with saving it. */
export function ProfileLine(props: {
  profile: ProfileForm
  name: ProfileField
  /** Values in the order of the list; none: a line of text. */
  options?: readonly (readonly [value: string, label: string])[]
  hint?: string
  /** Id of a list of what may be meant. */
  suggestions?: string
  autoComplete?: string
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  type?: 'text' | 'email' | 'tel' | 'date'
}): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const id = useId()
  const { name, hint, profile } = props
  const error = fieldText(profile.form.formState.errors[name])
  const state = profile.states[name]
  const elsewhere = profile.elsewhere[name]
  const { onChange, ...registered } = profile.form.register(name)
  const described = {
    'aria-invalid': error !== undefined,
    'aria-describedby': hint === undefined ? `${id}-error` : `${id}-hint ${id}-error`,
  }
  return (
    <div
      className={`${field['field']} ${styles['line']}`}
      onBlur={(event) => {
        // The buttons below say themselves what is saved.
        if (!(event.target instanceof HTMLButtonElement)) profile.save(name)
      }}
    >
      <label htmlFor={id}>{text(`account.page.field.${name}`)}</label>
      <span className={styles['state']} data-state={state} role="status">
        {state === undefined ? null : text(`account.page.state.${state}`)}
      </span>
      {props.type === 'date' ? (
        <RegisteredDay
          registered={{ ...registered, onChange }}
          {...described}
          id={id}
          className={field['input'] ?? ''}
          autoComplete={props.autoComplete ?? 'off'}
        />
      ) : props.options === undefined ? (
        <input
          {...registered}
          {...described}
          onChange={(event) => void onChange(event)}
          id={id}
          type={props.type ?? 'text'}
          className={field['input']}
          list={props.suggestions}
          autoComplete={props.autoComplete ?? 'off'}
          inputMode={props.inputMode}
        />
      ) : (
        <select
          {...registered}
          {...described}
          id={id}
          className={field['input']}
          autoComplete={props.autoComplete ?? 'off'}
          onChange={(event) => {
            void onChange(event)
            // A choice is made once it is chosen.
            profile.save(name)
          }}
        >
          {props.options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
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
      {elsewhere === undefined ? null : (
        <p className={styles['elsewhere']} role="status">
          {text('account.page.elsewhere', { value: elsewhere })}{' '}
          <button
            type="button"
            className={styles['textButton']}
            onClick={() => {
              profile.form.setValue(name, elsewhere)
              profile.save(name)
            }}
          >
            {text('account.page.elsewhere.take')}
          </button>{' '}
          <button type="button" className={styles['textButton']} onClick={() => profile.save(name)}>
            {text('account.page.elsewhere.keep')}
          </button>
        </p>
      )}
    </div>
  )
}
