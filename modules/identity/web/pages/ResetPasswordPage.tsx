import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { call } from '../../../../ui/api/call.ts'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { resetPassword } from '../../contract/endpoints.ts'
import { newPasswordField, sameAsConfirmed } from '../../contract/identity.ts'
import { OtherPage, type Entry } from '../frame/OtherPage.tsx'
import { Panel } from '../frame/Panel.tsx'
import { NewPassword } from '../sign-in/NewPassword.tsx'
import styles from '../identity.module.css'

type Values = { password: string; password_confirmation: string }
const given = z.object({ password: newPasswordField })
const linkOf = z.object({ uid: z.uuid(), token: z.string().min(1).max(200) })

/** R-11, C-06. */
export function ResetPasswordPage(props: { entry: Entry; uid: string | undefined; token: string | undefined }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const link = linkOf.safeParse({ uid: props.uid, token: props.token })
  const form = useZodForm<Values>(
    (values) => given.safeParse(values),
    { password: '', password_confirmation: '' },
    (values) => (sameAsConfirmed(values) ? {} : { password_confirmation: 'password_differs' }),
  )
  const { errors } = form.formState
  const resetting = useMutation({
    mutationFn: async (values: Values) => {
      if (link.success) await call(resetPassword, { body: { ...link.data, ...values }, anonymous: true })
    },
    onError: (error) => showFieldErrors(form, error),
  })
  const dead = !link.success || (resetting.error instanceof ApiError && resetting.error.code === 'identity.reset_link_invalid')
  return (
    <Panel title={text('identity.page.reset.title')} brand={props.entry.brand}>
      {resetting.isSuccess ? (
        <p role="status">{text('identity.page.reset.done')}</p>
      ) : dead ? (
        <p role="alert">{text('identity.page.reset.dead')}</p>
      ) : (
        <form
          className={styles['form']}
          noValidate
          onSubmit={(event) => void form.handleSubmit(() => resetting.mutate(form.getValues()))(event)}
        >
          <NewPassword form={form} label={text('identity.page.password.new')} />
          <p className={styles['soft']}>{text('identity.page.reset.effect')}</p>
          <p className={styles['fault']} role="alert">
            {resetting.error === null || Object.keys(errors).length > 0 ? null : errorText(resetting.error)}
          </p>
          <Button type="submit" size="md" fullWidth loading={resetting.isPending}>
            {text('identity.page.reset.action')}
          </Button>
        </form>
      )}
      <nav className={styles['links']} aria-label={text('identity.page.other')}>
        <OtherPage entry={props.entry} page="login" label="identity.page.to_login" />
        {dead ? <OtherPage entry={props.entry} page="forgot-password" label="identity.page.reset.again" /> : null}
      </nav>
    </Panel>
  )
}
