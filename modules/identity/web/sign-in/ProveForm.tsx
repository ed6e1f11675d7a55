import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { z } from 'zod'
import { ApiError } from '../../../../ui/api/api-error.ts'
import { Field, PasswordField } from '../../../../ui/forms/Field.tsx'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { passwordField } from '../../contract/identity.ts'
import { useFieldText } from '../field-text.ts'
import styles from '../identity.module.css'

type Values = { password: string; code: string }

const code = z.string().trim().min(1, { error: 'code_required' }).max(40, { error: 'code_invalid' })

/** Asks again for what proves who he is before what protects him is changed: a session left open must not suffice. */
export function ProveForm(props: {
  withCode: boolean
  action: string
  prove: (given: Values) => Promise<void>
  onBack: () => void
}): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const form = useZodForm<Values>(
    (values) => z.object({ password: passwordField, code: props.withCode ? code : z.string() }).safeParse(values),
    { password: '', code: '' },
  )
  const { setFocus } = form
  useEffect(() => setFocus('password'), [setFocus])
  const { errors } = form.formState
  const proving = useMutation({
    mutationFn: ({ password, code: typed }: Values) => props.prove({ password, code: typed.trim() }),
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'identity.password_wrong')
        form.setError('password', { type: 'server', message: 'password_wrong' }, { shouldFocus: true })
      else showFieldErrors(form, error)
    },
  })
  const shown = proving.error === null || Object.keys(errors).length > 0 ? null : proving.error
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => void form.handleSubmit(() => proving.mutate(form.getValues()))(event)}
    >
      <PasswordField
        field={form.register('password')}
        label={text('identity.page.password')}
        autoComplete="current-password"
        error={fieldText(errors.password)}
      />
      {props.withCode ? (
        <Field
          field={form.register('code')}
          label={text('identity.page.code.second_factor')}
          hint={text('identity.page.code.second_factor.hint')}
          autoComplete="one-time-code"
          spellCheck={false}
          autoCapitalize="none"
          error={fieldText(errors.code)}
        />
      ) : null}
      <p className={styles['fault']} role="alert">
        {shown === null ? null : errorText(shown)}
      </p>
      <div className={styles['actions']}>
        <Button type="submit" size="md" loading={proving.isPending}>
          {props.action}
        </Button>
        <Button variant="default" size="md" onClick={props.onBack}>
          {text('identity.page.cancel')}
        </Button>
      </div>
    </form>
  )
}
