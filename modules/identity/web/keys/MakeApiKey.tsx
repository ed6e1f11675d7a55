import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { apiScopes, type ApiScope } from '../../../../kernel/actor.ts'
import { call } from '../../../../ui/api/call.ts'
import { Field, SelectField } from '../../../../ui/forms/Field.tsx'
import fields from '../../../../ui/forms/field.module.css'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { createApiKey, createApiKeyBody, type ApiKeyEntry } from '../../contract/api-keys.ts'
import { usualKeyDays, usualPerMinute } from '../../domain/api-key.ts'
import account from '../account.module.css'
import { useFieldText } from '../field-text.ts'
import styles from '../identity.module.css'
import own from './api-keys.module.css'

/** Of the form that makes one. */
export const newKeyId = 'new-key'

/** As they are typed. */
type Values = { name: string; scopes: ApiScope[]; days: string; per_minute: string }

const empty: Values = {
  name: '',
  scopes: ['documents:create', 'documents:read'],
  days: String(usualKeyDays),
  per_minute: String(usualPerMinute),
}
const dayChoices = [30, 90, 365, 730] as const

const numberOf = (typed: string) => (/^\d{1,6}$/.test(typed.trim()) ? Number(typed) : Number.NaN)
const bodyOf = (values: Values) => ({ ...values, days: numberOf(values.days), per_minute: numberOf(values.per_minute) })

export function MakeApiKey(props: { onMade: (made: { key: string; entry: ApiKeyEntry }) => void }): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const id = useId()
  const form = useZodForm<Values>((values) => createApiKeyBody.safeParse(bodyOf(values)), empty)
  const making = useMutation({
    mutationFn: (values: Values) => call(createApiKey, { body: bodyOf(values) }),
    onSuccess: (made) => {
      form.reset(empty)
      props.onMade(made)
    },
    onError: (error) => showFieldErrors(form, error),
  })
  const { errors } = form.formState
  const shown = making.error === null || Object.keys(errors).length > 0 ? null : making.error
  const scopeFault = fieldText(errors.scopes)
  return (
    <section className={account['section']}>
      <h2 id={id}>{text('identity.keys.make')}</h2>
      <form
        className={styles['form']}
        id={newKeyId}
        noValidate
        aria-labelledby={id}
        onSubmit={(event) => void form.handleSubmit(() => making.mutate(form.getValues()))(event)}
      >
        <Field
          field={form.register('name')}
          label={text('identity.keys.name')}
          hint={text('identity.keys.name.hint')}
          autoComplete="off"
          maxLength={100}
          error={fieldText(errors.name)}
        />
        <fieldset className={own['scopes']} aria-describedby={`${id}-scopes`}>
          <legend>{text('identity.keys.scopes')}</legend>
          {apiScopes.map((scope) => (
            <div key={scope} className={fields['check']}>
              <input {...form.register('scopes')} id={`${id}-${scope}`} type="checkbox" value={scope} />
              <label htmlFor={`${id}-${scope}`}>{text(`identity.keys.scope.${scope}`)}</label>
            </div>
          ))}
          <p id={`${id}-scopes`} className={fields['error']} role="alert">
            {scopeFault}
          </p>
        </fieldset>
        <div className={own['pair']}>
          <SelectField
            field={form.register('days')}
            label={text('identity.keys.days')}
            options={dayChoices.map((days) => [String(days), text('identity.keys.days.option', { days })])}
          />
          <Field
            field={form.register('per_minute')}
            label={text('identity.keys.per_minute')}
            inputMode="numeric"
            autoComplete="off"
            error={fieldText(errors.per_minute)}
          />
        </div>
        <p className={styles['fault']} role="alert">
          {shown === null ? null : errorText(shown)}
        </p>
        <div className={styles['actions']}>
          <Button type="submit" size="md" loading={making.isPending}>
            {text('identity.keys.action')}
          </Button>
        </div>
      </form>
    </section>
  )
}
