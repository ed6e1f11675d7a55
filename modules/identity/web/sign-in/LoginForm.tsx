import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { CheckField, PasswordField } from '../../../../ui/forms/Field.tsx'
import { useLightForm } from '../../../../ui/forms/use-light-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import { emailFault, passwordFault } from '../../domain/sign-in-faults.ts'
import { useFieldText } from '../field-text.ts'
import type { Brand } from '../sign-in.ts'
import styles from '../identity.module.css'
import { EmailField } from './EmailField.tsx'

type Values = { email: string; password: string; remember_me: boolean }
type Step = 'password' | 'code' | 'confirm'

/** The call, with the schema library behind it, comes when something is first typed; the other steps when they are needed. */
const calls = () => loadChunk(() => import('../sign-in.ts'))
// Should it fail, sending asks again, and says so.
const fetchCalls = () => void calls().catch(() => undefined)
const ConfirmByCode = lazy(async () => ({ default: (await loadChunk(() => import('./ConfirmByCode.tsx'))).ConfirmByCode }))
const SecondFactorStep = lazy(async () => ({
  default: (await loadChunk(() => import('./SecondFactorStep.tsx'))).SecondFactorStep,
}))

/** The same rule as the contract's, so the same codes (V-46). */
function faultsOf({ email, password }: Values): Record<string, string> {
  const faults = { email: emailFault(email), password: passwordFault(password) }
  return Object.fromEntries(Object.entries(faults).flatMap(([name, code]) => (code === null ? [] : [[name, code]])))
}

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : null)

/**
 * C-01, V-05…V-07: address and password; where the account has a second factor, its code; where the address was never confirmed, the
 * code that was mailed. What was typed stays through all of it.
 */
export function LoginForm(props: {
  brand: Brand
  email?: string
  /** The address is known: one begins with the password. */
  atPassword?: boolean
  onSignedIn: (name: string) => void
  below?: ReactNode
}): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const [step, setStep] = useState<Step>('password')
  const form = useLightForm<Values>(faultsOf, { email: props.email ?? '', password: '', remember_me: false }, fetchCalls)
  const begin = useEffectEvent(() => {
    if (props.atPassword === true && (props.email ?? '') !== '') form.focus('password')
  })
  useEffect(() => begin(), [])
  const faultOf = (name: 'email' | 'password') => {
    const message = form.faults[name]
    return message === undefined ? undefined : fieldText({ message })
  }
  const entry = useMutation({
    mutationFn: async (code: string | null) => {
      const { email, password, remember_me } = form.values()
      const { signIn } = await calls()
      return await signIn({ email, password, remember: remember_me, ...(code === null ? {} : { code }) }, props.brand)
    },
    onSuccess: ({ first_name, last_name }) => props.onSignedIn(`${first_name} ${last_name}`),
    onError: (error) => {
      const code = codeOf(error)
      if (code === 'identity.second_factor_required') setStep('code')
      else if (code === 'identity.unconfirmed') setStep('confirm')
      else if (code === 'identity.sign_in_failed') {
        setStep('password')
        form.focus('password')
      } else form.showFieldErrors(error)
    },
  })
  const shown = entry.error === null || codeOf(entry.error) === 'identity.second_factor_required' ? undefined : entry.error
  if (step === 'confirm')
    return (
      <Suspense fallback={<p role="status">{text('ui.loading')}</p>}>
        <ConfirmByCode email={form.values().email} onConfirmed={() => entry.mutateAsync(null).then(() => undefined)} />
      </Suspense>
    )
  if (step === 'code')
    return (
      <Suspense fallback={<p role="status">{text('ui.loading')}</p>}>
        <SecondFactorStep
          busy={entry.isPending || entry.isSuccess}
          error={shown === undefined ? undefined : errorText(shown)}
          onCode={(code) => entry.mutate(code)}
          onBack={() => {
            entry.reset()
            setStep('password')
          }}
        />
      </Suspense>
    )
  return (
    <form className={styles['form']} noValidate onSubmit={form.submit(() => entry.mutate(null))}>
      <EmailField field={form.register('email')} error={faultOf('email')} />
      <PasswordField
        field={form.register('password')}
        label={text('identity.page.password')}
        autoComplete="current-password"
        error={faultOf('password')}
      />
      <CheckField field={form.register('remember_me')} label={text('identity.page.remember')} />
      <p className={styles['fault']} role="alert">
        {shown === undefined || Object.keys(form.faults).length > 0 ? null : errorText(shown)}
      </p>
      <Button type="submit" size="md" fullWidth loading={entry.isPending || entry.isSuccess}>
        {text('identity.page.login.action')}
      </Button>
      {props.below}
    </form>
  )
}
