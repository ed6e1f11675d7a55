import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { delegationScopes, type DelegationScope } from '../../../../kernel/actor.ts'
import { call } from '../../../../ui/api/call.ts'
import { serverNow } from '../../../../ui/api/server-clock.ts'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { createDelegation } from '../../contract/endpoints.ts'
import { delegationBody } from '../../contract/sharing.ts'
import { expiryFault } from '../../domain/delegation.ts'
import { useFieldText } from '../field-text.ts'
import { CardForm } from './CardForm.tsx'
import { EmailLine, TypedLine } from './TypedLine.tsx'
import styles from '../account-pages.module.css'

/** `expires_at` as a day of the visitor's calendar: the access lasts to its end. */
type Values = { email: string; scope: DelegationScope; expires_at: string }

const empty: Values = { email: '', scope: 'read', expires_at: '' }

const endOf = (day: string): number => {
  const [year, month, date] = day.split('-').map(Number)
  return year === undefined || month === undefined || date === undefined
    ? Number.NaN
    : new Date(year, month - 1, date, 23, 59, 59).getTime()
}

const bodyOf = (values: Values) => {
  const end = endOf(values.expires_at)
  return { ...values, expires_at: Number.isNaN(end) ? '' : new Date(end).toISOString() }
}

/** C-12. */
export function GrantAccess(): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const form = useZodForm<Values>(
    (values) => delegationBody.safeParse(bodyOf(values)),
    empty,
    (values) => {
      const fault = expiryFault(endOf(values.expires_at), serverNow())
      return fault === null ? {} : { expires_at: fault }
    },
  )
  const granting = useMutation({
    mutationFn: (values: Values) => call(createDelegation, { body: bodyOf(values) }),
    //
    onSuccess: ({ email }) => {
      form.reset(empty)
      notify('success', text('account.page.delegations.opened', { email: visible(email) }), text('ui.notice.dismiss'))
      void client.invalidateQueries({ queryKey: ['delegations'] })
    },
    onError: (error) => showFieldErrors(form, error),
  })
  const { errors } = form.formState
  const shown = granting.error === null || Object.keys(errors).length > 0 ? null : granting.error
  return (
    <CardForm
      aria-labelledby="grant-access"
      fault={shown === null ? null : errorText(shown)}
      submit={text('account.page.delegations.open')}
      busy={granting.isPending}
      onSubmit={(event) => void form.handleSubmit(() => granting.mutate(form.getValues()))(event)}
    >
      <h3 id="grant-access">{text('account.page.delegations.grant')}</h3>
      <div className={styles['fields']}>
        <EmailLine
          registered={form.register('email')}
          label={text('account.page.delegations.email')}
          error={fieldText(errors.email)}
        />
        <TypedLine
          registered={form.register('expires_at')}
          label={text('account.page.delegations.expires_at')}
          type="date"
          error={fieldText(errors.expires_at)}
        />
        <div className={styles['wide']}>
          <TypedLine
            registered={form.register('scope')}
            label={text('account.page.delegations.scope')}
            error={fieldText(errors.scope)}
            options={delegationScopes.map((scope) => [scope, text(`account.page.scope.${scope}`)])}
          />
        </div>
      </div>
    </CardForm>
  )
}
