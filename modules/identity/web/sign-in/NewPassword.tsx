import type { ReactNode } from 'react'
import type { FieldError, UseFormRegisterReturn } from 'react-hook-form'
import { PasswordField } from '../../../../ui/forms/Field.tsx'
import { useText } from '../../../../ui/intl/text.tsx'
import { passwordFaultsOf, type PasswordFault } from '../../domain/password.ts'
import { useFieldText } from '../field-text.ts'
import styles from '../identity.module.css'

const rules = [
  ['length', ['password_too_short', 'password_too_long']],
  ['uppercase', ['password_no_uppercase']],
  ['lowercase', ['password_no_lowercase']],
  ['digit', ['password_no_digit']],
  ['special', ['password_no_special']],
] as const satisfies readonly (readonly [string, readonly PasswordFault[]])[]

/** V-03, V-04: the rules before anything is typed, each ticked as it is met. */
function PasswordRules(props: { password: string }): ReactNode {
  const text = useText()
  const faults = passwordFaultsOf(props.password)
  return (
    <ul className={styles['rules']} aria-label={text('identity.page.password.rules')}>
      {rules.map(([name, broken]) => {
        const met = props.password !== '' && !broken.some((fault) => faults.includes(fault))
        return (
          <li key={name} data-met={met}>
            <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" fill="none" stroke="currentColor">
              {met ? (
                <path d="m3.5 9.5 3.6 3.6 7.4-8.2" strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round" />
              ) : (
                <circle cx="9" cy="9" r="3" strokeWidth="1.6" />
              )}
            </svg>
            {text(`identity.page.password.rule.${name}`)}
            <span className="visually-hidden"> {text(met ? 'identity.page.password.met' : 'identity.page.password.unmet')}</span>
          </li>
        )
      })}
    </ul>
  )
}

type Name = 'password' | 'password_confirmation'

/** A password that is being chosen, and once more. */
export function NewPassword(props: {
  /** Of a form that has both fields, as react-hook-form gives it. */
  form: {
    register: (name: Name, options?: { onChange: () => void }) => UseFormRegisterReturn
    watch: (name: 'password') => string
    getValues: (name: 'password_confirmation') => string
    trigger: (name: 'password_confirmation') => Promise<boolean>
    formState: { errors: { readonly [Field in Name]?: FieldError | undefined } }
  }
  label: string
}): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const { form } = props
  const { errors } = form.formState
  // V-02: a password that changes may agree with its confirmation now, or no longer; one that is not typed yet is left alone.
  const recheck = () => {
    if (form.getValues('password_confirmation') !== '') void form.trigger('password_confirmation')
  }
  return (
    <>
      <PasswordField
        field={form.register('password', { onChange: recheck })}
        label={props.label}
        hint={<PasswordRules password={form.watch('password')} />}
        autoComplete="new-password"
        error={fieldText(errors.password)}
      />
      <PasswordField
        field={form.register('password_confirmation')}
        label={text('identity.page.password.again')}
        autoComplete="new-password"
        error={fieldText(errors.password_confirmation)}
      />
    </>
  )
}
