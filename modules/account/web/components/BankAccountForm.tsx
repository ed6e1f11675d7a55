import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ChangeEvent, ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { changeBankAccount } from '../../contract/endpoints.ts'
import { bankAccountBody, type CurrentUser } from '../../contract/profile.ts'
import {
  bankAccountTypes,
  bankFieldFault,
  bankFields,
  depositTypes,
  fieldsOfType,
  isOptional,
  type BankAccountType,
  type BankField,
} from '../../domain/bank-account.ts'
import { useFieldText } from '../field-text.ts'
import { currentUserQuery } from '../current-user.ts'
import { groupInFours } from '../group-in-fours.ts'
import { useUnsavedWarning } from '../use-unsaved-warning.ts'
import styles from '../account-pages.module.css'
import { TypedLine } from './TypedLine.tsx'

type Values = Record<BankField, string> & { type: BankAccountType }

const empty = {
  ...(Object.fromEntries(bankFields.map((field) => [field, ''])) as Record<BankField, string>),
  type: 'IBAN' as const,
}

const bodyOf = (values: Values) => ({
  type: values.type,
  ...Object.fromEntries(fieldsOfType[values.type].map((field) => [field, values[field]])),
})

/** E-14…E-19, V-16…V-22: checked as it is typed, by the rules that the server has. */
export function BankAccountForm(props: { user: CurrentUser; onSaved: () => void; onBack?: () => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const form = useZodForm<Values>(
    (values) => bankAccountBody.safeParse(bodyOf(values)),
    empty,
    (values) =>
      Object.fromEntries(
        fieldsOfType[values.type].flatMap((field) => {
          const fault = bankFieldFault(values.type, field, values[field])
          return fault === null ? [] : [[field, fault]]
        }),
      ),
  )
  const { errors, isDirty } = form.formState
  useUnsavedWarning(isDirty)
  const saving = useMutation({
    mutationFn: (values: Values) => call(changeBankAccount, { params: { id: props.user.id }, body: bodyOf(values) }),
    onSuccess: async () => {
      form.reset(empty)
      await client.invalidateQueries({ queryKey: currentUserQuery.queryKey })
      notify('success', text('account.page.bank.saved'), text('ui.notice.dismiss'))
      props.onSaved()
    },
    onError: (error) => showFieldErrors(form, error),
  })
  const type = form.watch('type')
  const iban = form.watch('iban')
  const country = new Intl.DisplayNames([locale], { type: 'region', fallback: 'code' })
  const ibanHint =
    bankFieldFault('IBAN', 'iban', iban) === null
      ? text('account.page.bank.iban.valid', { country: country.of(iban.trim().slice(0, 2).toUpperCase()) })
      : text('account.page.bank.iban.hint')
  const group = (event: ChangeEvent<HTMLInputElement>) => {
    const { value, selectionEnd } = event.target
    // Only at the end: in the midst the caret must stay where it is.
    if (selectionEnd === value.length && value !== groupInFours(value)) form.setValue('iban', groupInFours(value))
  }
  const shown = saving.error === null || Object.keys(errors).length > 0 ? null : saving.error
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => void form.handleSubmit(() => saving.mutate(form.getValues()))(event)}
    >
      <div className={styles['fields']}>
        <TypedLine
          registered={form.register('type', { onChange: () => form.clearErrors() })}
          label={text('account.page.bank.type')}
          error={undefined}
          options={bankAccountTypes.map((each) => [each, text(`account.page.bank.type.${each}`)])}
        />
        {fieldsOfType[type].map((field) => (
          <TypedLine
            key={`${type} ${field}`}
            registered={form.register(field, field === 'iban' ? { onChange: group } : {})}
            label={
              isOptional(type, field)
                ? text('account.page.optional', { label: text(`account.page.bank.${field}`) })
                : text(`account.page.bank.${field}`)
            }
            error={fieldText(errors[field])}
            hint={field === 'iban' ? ibanHint : undefined}
            autoComplete={field === 'owner_name' ? 'name' : 'off'}
            spellCheck={false}
            {...(field === 'deposit_type'
              ? {
                  options: [
                    ['', text('account.page.choice.none')],
                    ...depositTypes.map((each) => [each, text(`account.page.choice.${each}`)] as const),
                  ],
                }
              : {})}
          />
        ))}
      </div>
      <p className={styles['fault']} role="alert">
        {shown === null ? null : errorText(shown)}
      </p>
      <div className={styles['actions']}>
        <Button type="submit" size="md" loading={saving.isPending}>
          {text('account.page.bank.save')}
        </Button>
        {props.onBack === undefined ? null : (
          <Button variant="default" size="md" onClick={props.onBack}>
            {text('account.page.cancel')}
          </Button>
        )}
      </div>
    </form>
  )
}
