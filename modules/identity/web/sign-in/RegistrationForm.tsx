import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Locale } from '../../../../kernel/locale.ts'
import { call } from '../../../../ui/api/call.ts'
import { CheckField, Field, SelectField } from '../../../../ui/forms/Field.tsx'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useOptionalText, useText } from '../../../../ui/intl/text.tsx'
import { brandOf } from '../../../../ui/shell/brand.ts'
import { registerWithEvidence } from '../../contract/draft-registration.ts'
import { readRegistrations, register } from '../../contract/endpoints.ts'
import { formulas, registrationBody, sameAsConfirmed, type RegistrationAnswer } from '../../contract/identity.ts'
import { useFieldText } from '../field-text.ts'
import { signIn, type Brand } from '../sign-in.ts'
import styles from '../identity.module.css'
import { ConfirmByCode } from './ConfirmByCode.tsx'
import { EmailField } from './EmailField.tsx'
import { NewPassword } from './NewPassword.tsx'
import { ReadTerms } from './ReadTerms.tsx'

type Values = {
  email: string
  password: string
  password_confirmation: string
  first_name: string
  last_name: string
  terms: boolean
  referral_code: string
  formula: string
}

export type Registration = ReturnType<typeof registrationOf>

/** What the form sends: a field that was left empty is not sent at all. */
function registrationOf(values: Values, invitation: string | undefined, locale: Locale, brand: string | undefined) {
  const { referral_code, formula, ...rest } = values
  const chosen = formulas.find((each) => each === formula)
  return {
    ...rest,
    locale,
    ...(referral_code.trim() === '' ? {} : { referral_code: referral_code.trim() }),
    ...(chosen === undefined ? {} : { formula: chosen }),
    ...(invitation === undefined ? {} : { invitation }),
    ...(brand === undefined ? {} : { brand }),
  }
}

/** C-03: then the code that was mailed, and the new user is signed in. The same whether or not the address has an account. */
export function RegistrationForm(props: {
  brand: Brand
  referral?: string | undefined
  invitation?: string | undefined
  /** Token of an evidence that goes to the account with its confirmation (C-32), wherever that is confirmed. */
  draft?: string | null
  /** How the account is asked for where something else is asked for with it (C-49). */
  ask?: (registration: Registration) => Promise<RegistrationAnswer>
  /** What is known of him already. */
  start?: Partial<Pick<Values, 'email' | 'first_name' | 'last_name'>>
  onSignedIn: (name: string) => void
  below?: ReactNode
}): ReactNode {
  const text = useText()
  const optionalText = useOptionalText()
  const errorText = useErrorText()
  const rules = useQuery({
    queryKey: ['registrations'],
    queryFn: ({ signal }) => call(readRegistrations, { signal, anonymous: true }),
  })
  const [sent, setSent] = useState<(Values & { readonly claim: string }) | null>(null)
  const [unknownCode, setUnknownCode] = useState(false)
  if (sent !== null)
    return (
      <>
        {unknownCode ? <p role="status">{text('identity.page.registration.referral_unknown')}</p> : null}
        <ConfirmByCode
          email={sent.email.trim()}
          claim={sent.claim}
          onConfirmed={async () => {
            const user = await signIn({ email: sent.email, password: sent.password, remember: false }, props.brand)
            props.onSignedIn(`${user.first_name} ${user.last_name}`)
          }}
        />
        {props.below}
      </>
    )
  if (rules.isPending) return <p role="status">{text('ui.loading')}</p>
  if (rules.isError)
    return (
      <div role="alert" className={styles['form']}>
        <p>{errorText(rules.error)}</p>
        <Button variant="default" onClick={() => void rules.refetch()}>
          {text('ui.retry')}
        </Button>
      </div>
    )
  const { registrations } = rules.data
  const closed = registrations === 'closed' || (registrations === 'invite' && props.invitation === undefined)
  if (closed)
    return (
      <div className={styles['form']}>
        <p role="status">
          <strong>{optionalText('identity.registrations_disabled') ?? text('identity.page.registration.closed')}</strong>
        </p>
        {registrations === 'invite' ? <p>{text('identity.page.registration.invite')}</p> : null}
        {props.below}
      </div>
    )
  return (
    <Fields
      {...props}
      onSent={(values, { referral_code_known: referralKnown, claim }) => {
        setSent({ ...values, claim })
        setUnknownCode(referralKnown === false)
      }}
    />
  )
}

function Fields(props: {
  referral?: string | undefined
  invitation?: string | undefined
  draft?: string | null
  ask?: (registration: Registration) => Promise<RegistrationAnswer>
  start?: Partial<Pick<Values, 'email' | 'first_name' | 'last_name'>>
  below?: ReactNode
  onSent: (values: Values, answer: RegistrationAnswer) => void
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const brand = brandOf(location.pathname)?.id
  const form = useZodForm<Values>(
    (values) => registrationBody.safeParse(registrationOf(values, props.invitation, locale, brand)),
    {
      email: '',
      password: '',
      password_confirmation: '',
      first_name: '',
      last_name: '',
      terms: false,
      referral_code: props.referral ?? '',
      formula: '',
      ...props.start,
    },
    (values) => (sameAsConfirmed(values) ? {} : { password_confirmation: 'password_differs' }),
  )
  const { errors } = form.formState
  const registering = useMutation({
    mutationFn: (values: Values) => {
      const body = registrationOf(values, props.invitation, locale, brand)
      if (props.ask !== undefined) return props.ask(body)
      const input = { body, anonymous: true } as const
      return typeof props.draft === 'string'
        ? call(registerWithEvidence, { ...input, params: { evidence_token: props.draft } })
        : call(register, input)
    },
    onSuccess: (answer, values) => props.onSent(values, answer),
    onError: (error) => showFieldErrors(form, error),
  })
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => void form.handleSubmit(() => registering.mutate(form.getValues()))(event)}
    >
      <div className={styles['pair']}>
        <Field
          field={form.register('first_name')}
          label={text('identity.page.first_name')}
          autoComplete="given-name"
          error={fieldText(errors.first_name)}
        />
        <Field
          field={form.register('last_name')}
          label={text('identity.page.last_name')}
          autoComplete="family-name"
          error={fieldText(errors.last_name)}
        />
      </div>
      <EmailField field={form.register('email')} error={fieldText(errors.email)} />
      <NewPassword form={form} label={text('identity.page.password')} />
      <Field
        field={form.register('referral_code')}
        label={text('identity.page.referral_code')}
        hint={text('identity.page.optional')}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        maxLength={60}
        error={fieldText(errors.referral_code)}
      />
      <SelectField
        field={form.register('formula')}
        label={text('identity.page.formula')}
        hint={text('identity.page.formula.hint')}
        options={[
          ['', text('identity.page.formula.none')] as const,
          ...formulas.map((each) => [each, text(`identity.page.formula.${each}`)] as const),
        ]}
      />
      <CheckField field={form.register('terms')} label={text('identity.page.terms')} error={fieldText(errors.terms)} />
      <ReadTerms />
      <p className={styles['fault']} role="alert">
        {registering.error === null || Object.keys(errors).length > 0 ? null : errorText(registering.error)}
      </p>
      <Button type="submit" size="md" fullWidth loading={registering.isPending || registering.isSuccess}>
        {text('identity.page.registration.action')}
      </Button>
      {props.below}
    </form>
  )
}
