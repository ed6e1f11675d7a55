import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { z } from 'zod'
import { call } from '../../../../ui/api/call.ts'
import { Field } from '../../../../ui/forms/Field.tsx'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { Message, useText } from '../../../../ui/intl/text.tsx'
import { resendConfirmation, verifyEmail } from '../../contract/endpoints.ts'
import { useFieldText } from '../field-text.ts'
import styles from '../identity.module.css'
import { onConfirmedElsewhere } from './confirmed-elsewhere.ts'

const given = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, { error: 'code_invalid' }),
})

/**
 * C-04: the code that was mailed, typed where the password still is, so that confirming and signing in are one step. Confirming by
 * itself signs nobody in.
 * @param props.claim which registration, or entry of the list of addresses, the code is of; without it, it counts only while a single one waits
 * @param props.resend how it is sent again; by the address alone unless told
 */
export function ConfirmByCode(props: {
  email: string
  claim?: string
  onConfirmed: () => void | Promise<void>
  resend?: () => Promise<unknown>
}): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const { email } = props
  const claimed = props.claim === undefined ? {} : { claim: props.claim }
  const form = useZodForm<{ code: string }>((values) => given.safeParse(values), { code: '' })
  const { setFocus } = form
  useEffect(() => setFocus('code'), [setFocus])
  const confirming = useMutation({
    mutationFn: async (code: string) => {
      await call(verifyEmail, { body: { email, code, ...claimed }, anonymous: true })
      await props.onConfirmed()
    },
    onError: (error) => showFieldErrors(form, error),
  })
  /** The link of the mail was followed in another tab: what comes after is done here all the same. */
  const goingOn = useMutation({ mutationFn: async () => await props.onConfirmed() })
  const goOn = useEffectEvent(() => {
    if (!confirming.isPending && !confirming.isSuccess && !goingOn.isPending && !goingOn.isSuccess) goingOn.mutate()
  })
  useEffect(() => onConfirmedElsewhere(email, () => goOn()), [email])
  const resending = useMutation({
    mutationFn: () =>
      props.resend === undefined ? call(resendConfirmation, { body: { email, ...claimed }, anonymous: true }) : props.resend(),
    onSuccess: () => {
      confirming.reset()
      form.reset()
      form.setFocus('code')
    },
  })
  const failure = confirming.error ?? goingOn.error ?? resending.error
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => void form.handleSubmit(() => confirming.mutate(form.getValues('code').trim()))(event)}
    >
      <p>
        <Message id="identity.page.confirm.sent" values={{ email }} />
      </p>
      <Field
        field={form.register('code')}
        label={text('identity.page.code.mailed')}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={20}
        error={fieldText(form.formState.errors.code)}
      />
      <p className={styles['fault']} role="alert">
        {failure === null || form.formState.errors.code !== undefined ? null : errorText(failure)}
      </p>
      <div className={styles['actions']}>
        <Button
          type="submit"
          size="md"
          loading={confirming.isPending || confirming.isSuccess || goingOn.isPending || goingOn.isSuccess}
        >
          {text('identity.page.confirm.action')}
        </Button>
        <Button variant="default" size="md" loading={resending.isPending} onClick={() => resending.mutate()}>
          {text('identity.page.confirm.resend')}
        </Button>
      </div>
      <p className={styles['soft']} role="status">
        {text(resending.isSuccess ? 'identity.page.confirm.resent' : 'identity.page.confirm.look')}
      </p>
    </form>
  )
}
