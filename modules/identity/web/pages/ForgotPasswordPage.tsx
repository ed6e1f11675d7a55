import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { call } from '../../../../ui/api/call.ts'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { Message, useText } from '../../../../ui/intl/text.tsx'
import { askPasswordReset } from '../../contract/endpoints.ts'
import { emailField } from '../../contract/identity.ts'
import { EmailField } from '../sign-in/EmailField.tsx'
import { OtherPage, type Entry } from '../frame/OtherPage.tsx'
import { Panel } from '../frame/Panel.tsx'
import { useFieldText } from '../field-text.ts'
import styles from '../identity.module.css'

const given = z.object({ email: emailField })

/** C-05: the same words for every address. */
export function ForgotPasswordPage(props: { entry: Entry }): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const form = useZodForm<{ email: string }>((values) => given.safeParse(values), { email: '' })
  const asking = useMutation({
    mutationFn: ({ email }: { email: string }) => call(askPasswordReset, { body: { email }, anonymous: true }),
    onError: (error) => showFieldErrors(form, error),
  })
  return (
    <Panel title={text('identity.page.forgot.title')} brand={props.entry.brand}>
      {asking.isSuccess ? (
        <p role="status">
          <Message id="identity.page.forgot.sent" values={{ email: asking.variables.email.trim() }} />
        </p>
      ) : (
        <form
          className={styles['form']}
          noValidate
          onSubmit={(event) => void form.handleSubmit(() => asking.mutate(form.getValues()))(event)}
        >
          <p>{text('identity.page.forgot.lead')}</p>
          <EmailField field={form.register('email')} error={fieldText(form.formState.errors.email)} />
          <p className={styles['fault']} role="alert">
            {asking.error === null || form.formState.errors.email !== undefined ? null : errorText(asking.error)}
          </p>
          <Button type="submit" size="md" fullWidth loading={asking.isPending}>
            {text('identity.page.forgot.action')}
          </Button>
        </form>
      )}
      <nav className={styles['links']} aria-label={text('identity.page.other')}>
        <OtherPage entry={props.entry} page="login" label="identity.page.to_login" />
      </nav>
    </Panel>
  )
}
