import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { CheckField, Field, PasswordField } from '../../../../ui/forms/Field.tsx'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { loginBody } from '../../contract/identity.ts'
import { useFieldText } from '../field-text.ts'
import { signIn, type Brand } from '../sign-in.ts'
import styles from '../identity.module.css'
import { ConfirmByCode } from './ConfirmByCode.tsx'
import { SecondFactorStep } from './SecondFactorStep.tsx'

type Values = { email: string; password: string; remember_me: boolean }
type Step = 'password' | 'code' | 'confirm'

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : null)

/**
 * C-01, V-05…V-07: address and password; where the account has a second factor, its code; where the address was never confirmed, the
 * code that was mailed. What was typed stays through all of it.
 */
export function LoginForm(props: {
  brand: Brand
  email?: string
  onSignedIn: (name: string) => void
  below?: ReactNode
}): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const [step, setStep] = useState<Step>('password')
  const form = useZodForm<Values>((values) => loginBody.safeParse(values), {
    email: props.email ?? '',
    password: '',
    remember_me: false,
  })
  const { errors } = form.formState
  const entry = useMutation({
    mutationFn: async (code: string | null) => {
      const { email, password, remember_me } = form.getValues()
      return await signIn({ email, password, remember: remember_me, ...(code === null ? {} : { code }) }, props.brand)
    },
    onSuccess: ({ first_name, last_name }) => props.onSignedIn(`${first_name} ${last_name}`),
    onError: (error) => {
      const code = codeOf(error)
      if (code === 'identity.second_factor_required') setStep('code')
      else if (code === 'identity.unconfirmed') setStep('confirm')
      else if (code === 'identity.sign_in_failed') {
        setStep('password')
        form.setFocus('password')
      } else showFieldErrors(form, error)
    },
  })
  const shown = entry.error === null || codeOf(entry.error) === 'identity.second_factor_required' ? undefined : entry.error
  if (step === 'confirm')
    return <ConfirmByCode email={form.getValues('email')} onConfirmed={() => entry.mutateAsync(null).then(() => undefined)} />
  if (step === 'code')
    return (
      <SecondFactorStep
        busy={entry.isPending || entry.isSuccess}
        error={shown === undefined ? undefined : errorText(shown)}
        onCode={(code) => entry.mutate(code)}
        onBack={() => {
          entry.reset()
          setStep('password')
        }}
      />
    )
  return (
    <form className={styles['form']} noValidate onSubmit={(event) => void form.handleSubmit(() => entry.mutate(null))(event)}>
      <Field
        field={form.register('email')}
        label={text('identity.page.email')}
        type="email"
        autoComplete="username"
        inputMode="email"
        spellCheck={false}
        autoCapitalize="none"
        error={fieldText(errors.email)}
      />
      <PasswordField
        field={form.register('password')}
        label={text('identity.page.password')}
        autoComplete="current-password"
        error={fieldText(errors.password)}
      />
      <CheckField field={form.register('remember_me')} label={text('identity.page.remember')} />
      <p className={styles['fault']} role="alert">
        {shown === undefined || Object.keys(errors).length > 0 ? null : errorText(shown)}
      </p>
      <Button type="submit" size="md" fullWidth loading={entry.isPending || entry.isSuccess}>
        {text('identity.page.login.action')}
      </Button>
      {props.below}
    </form>
  )
}
