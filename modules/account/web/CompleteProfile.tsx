import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useMemo, useState, type HTMLAttributes, type ReactNode, type SyntheticEvent } from 'react'
import { locales } from '../../../kernel/locale.ts'
import { ApiError } from '../../../ui/api/api-error.ts'
import { call } from '../../../ui/api/call.ts'
import { serverNow } from '../../../ui/api/server-clock.ts'
import { keepAnswer } from '../../../ui/api/keep-answer.ts'
import { Loaded } from '../../../ui/controls/ReferencePage.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useLightForm } from '../../../ui/forms/use-light-form.ts'
import { useErrorText } from '../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../ui/intl/text.tsx'
import { changeProfile as saveChange } from '../contract/endpoints.ts'
import type { CurrentUser } from '../contract/profile.ts'
import {
  changeProfile,
  profileFieldNames,
  requiredFields,
  userTypes,
  type ProfileField,
  type ProfileValues,
} from '../domain/profile.ts'
import { countryNames } from './country-names.ts'
import { currentUserQuery } from './current-user.ts'
import { useFieldText } from './field-text.ts'
import styles from './account-pages.module.css'

/**
 * V-45, H-33: what an invoice needs and the profile lacks, typed where something is paid for; what it has is not asked again.
 * @param props.onSaved once nothing is missing
 */
export function CompleteProfile(props: { onSaved: () => void }): ReactNode {
  const text = useText()
  const user = useQuery(currentUserQuery)
  return (
    <Loaded query={user} loading={text('ui.loading')} failed={text('account.page.profile.failed')}>
      {(read) => (read.completeness.payment.complete ? null : <Missing user={read} onSaved={props.onSaved} />)}
    </Loaded>
  )
}

type Typed = Readonly<Record<ProfileField, string>>
type UserType = (typeof userTypes)[number]

/** How browsers know what they keep for such fields, and which keys a phone shows. */
const hints: Readonly<
  Partial<
    Record<ProfileField, { autoComplete?: string; type?: 'email'; inputMode?: HTMLAttributes<HTMLInputElement>['inputMode'] }>
  >
> = {
  first_name: { autoComplete: 'given-name' },
  last_name: { autoComplete: 'family-name' },
  address: { autoComplete: 'street-address' },
  zip: { autoComplete: 'postal-code' },
  city: { autoComplete: 'address-level2' },
  country: { autoComplete: 'country-name' },
  company_name: { autoComplete: 'organization' },
  company_email: { type: 'email', inputMode: 'email' },
}

/** Not a form of its own: it may stand in another, which its keys must not send. */
function Missing(props: { user: CurrentUser; onSaved: () => void }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const fieldText = useFieldText()
  const client = useQueryClient()
  const id = useId()
  const { user } = props
  const names = useMemo(() => countryNames(locale, locales), [locale])
  const [type, setType] = useState<UserType | null>(user.user_type)
  const [unchosen, setUnchosen] = useState(false)
  const fields = requiredFields(type, 'payment').filter((field) => field !== 'user_type' && user[field] === null)
  const changeOf = (values: Typed) =>
    Object.fromEntries(fields.map((field) => [field, field === 'country' ? names.codeOf(values[field]) : values[field]]))
  const form = useLightForm<Typed>(
    (values) => {
      const change = { ...changeOf(values), ...(type === null ? {} : { user_type: type }) }
      const held = Object.fromEntries(profileFieldNames.map((field) => [field, user[field]])) as ProfileValues
      const { faults } = changeProfile(held, change, new Date(serverNow()).toISOString().slice(0, 10))
      return Object.fromEntries(fields.flatMap((field) => (faults[field]?.[0] === undefined ? [] : [[field, faults[field][0]]])))
    },
    Object.fromEntries(profileFieldNames.map((field) => [field, field === 'company_email' ? user.email : ''])) as Typed,
    () => undefined,
  )
  const saving = useMutation({
    mutationFn: () =>
      call(saveChange, {
        params: { id: user.id },
        body: { ...changeOf(form.values()), ...(user.user_type === null && type !== null ? { user_type: type } : {}) },
      }),
    onSuccess: (profile) => {
      keepAnswer<CurrentUser>(client, currentUserQuery.queryKey, (old) => (old === undefined ? old : { ...old, ...profile }))
      props.onSaved()
    },
    onError: (error) => form.showFieldErrors(error),
  })
  const send = form.submit(() => {
    if (type !== null) saving.mutate()
  })
  const save = (event: SyntheticEvent) => {
    setUnchosen(true)
    send(event)
  }
  const asked = unchosen && type === null
  const other = saving.error instanceof ApiError && Object.keys(saving.error.fields).length > 0 ? null : saving.error
  return (
    <div role="group" aria-label={text('account.page.profile')} className={styles['form']}>
      {user.user_type !== null ? null : (
        <fieldset className={styles['choices']} aria-describedby={`${id}-type`}>
          <legend>{text('account.page.field.user_type')}</legend>
          {userTypes.map((each) => (
            <label key={each}>
              <input type="radio" name={`${id}-type`} checked={type === each} onChange={() => setType(each)} />
              {text(`account.page.choice.${each}`)}
            </label>
          ))}
          <p id={`${id}-type`} className={styles['soft']}>
            {text('account.page.user_type.warning')}
          </p>
          <p className={styles['fault']} role="alert">
            {asked ? text('account.page.user_type.required') : null}
          </p>
        </fieldset>
      )}
      <div className={styles['fields']}>
        {fields.map((field) => (
          <Field
            key={field}
            field={form.register(field)}
            label={text(`account.page.field.${field}`)}
            error={fieldText(form.faults[field] === undefined ? undefined : { message: form.faults[field] })}
            {...(hints[field] ?? { autoComplete: 'off' })}
            onKeyDown={(event) => {
              if (event.key === 'Enter') save(event)
            }}
            {...(field === 'country' ? { list: `${id}-countries` } : {})}
          />
        ))}
      </div>
      <datalist id={`${id}-countries`}>
        {names.all.map(({ code, name }) => (
          <option key={code} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      <div role="alert">{other === null ? null : <p className={styles['fault']}>{errorText(other)}</p>}</div>
      <div className={styles['actions']}>
        <Button type="button" size="md" loading={saving.isPending} onClick={save}>
          {text('account.page.profile.complete_here')}
        </Button>
      </div>
    </div>
  )
}
