import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { call } from '../../../../ui/api/call.ts'
import { PasswordField } from '../../../../ui/forms/Field.tsx'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { changePassword } from '../../contract/endpoints.ts'
import {
  confirmationDiffers,
  differsFromOld,
  newPasswordField,
  passwordField,
  sameAsConfirmed,
  unchangedPassword,
} from '../../contract/identity.ts'
import { useFieldText } from '../field-text.ts'
import { currentUserQuery } from '../../../account/web/index.ts'
import { sessionsQuery } from '../queries.ts'
import account from '../account.module.css'
import styles from '../identity.module.css'
import { NewPassword } from '../sign-in/NewPassword.tsx'

type Values = { old_password: string; password: string; password_confirmation: string }
const empty: Values = { old_password: '', password: '', password_confirmation: '' }
const given = z.object({ old_password: passwordField, password: newPasswordField })

/** C-07. */
export function ChangePassword(): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { data: user } = useQuery(currentUserQuery)
  const form = useZodForm<Values>(
    (values) => given.safeParse(values),
    empty,
    (values) => ({
      ...(values.password === '' || differsFromOld(values) ? {} : { password: unchangedPassword.error }),
      ...(sameAsConfirmed(values) ? {} : { password_confirmation: confirmationDiffers.error }),
    }),
  )
  const { errors } = form.formState
  const changing = useMutation({
    mutationFn: (body: Values) => call(changePassword, { body }),
    onSuccess: () => {
      form.reset(empty)
      notify('success', text('identity.page.password.changed'), text('ui.notice.dismiss'))
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'identity.password_wrong')
        form.setError('old_password', { type: 'server', message: 'password_wrong' }, { shouldFocus: true })
      else showFieldErrors(form, error)
    },
  })
  const shown = changing.error === null || Object.keys(errors).length > 0 ? null : changing.error
  return (
    <section className={`${account['section']} ${account['narrow']}`}>
      <h2>{text('identity.page.password.title')}</h2>
      <p className={styles['soft']}>{text('identity.page.password.effect')}</p>
      <form
        className={styles['form']}
        noValidate
        onSubmit={(event) => void form.handleSubmit(() => changing.mutate(form.getValues()))(event)}
      >
        {/* Tells password managers whose password changes. */}
        <input type="text" autoComplete="username" value={user?.acting === null ? user.email : ''} readOnly hidden />
        <PasswordField
          field={form.register('old_password')}
          label={text('identity.page.password.old')}
          autoComplete="current-password"
          error={fieldText(errors.old_password)}
        />
        <NewPassword form={form} label={text('identity.page.password.new')} />
        <p className={styles['fault']} role="alert">
          {shown === null ? null : errorText(shown)}
        </p>
        <div className={styles['actions']}>
          <Button type="submit" size="md" loading={changing.isPending}>
            {text('identity.page.password.change')}
          </Button>
        </div>
      </form>
    </section>
  )
}
