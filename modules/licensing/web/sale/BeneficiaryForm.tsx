import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { beneficiary, licenseRequest, type Beneficiary } from '../../../../kernel/license-request.ts'
import { CheckField, Field } from '../../../../ui/forms/Field.tsx'
import { useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { useFieldText } from '../components/field-text.ts'
import styles from '../components/licensing.module.css'

const { terms_accepted, withdrawal_waived } = licenseRequest
const rule = z.object({ ...beneficiary.shape, terms_accepted, withdrawal_waived })
type Values = z.infer<typeof rule>

/** E-45: in whose name the licence is; and what must be accepted before anything is asked for. */
export function BeneficiaryForm(props: {
  start?: Beneficiary
  action: string
  busy: boolean
  onSent: (beneficiary: Beneficiary) => void
}): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const empty = { email: '', first_name: '', last_name: '', company: '' }
  const form = useZodForm<Values>((values) => rule.safeParse(values), {
    ...empty,
    ...props.start,
    terms_accepted: false,
    withdrawal_waived: false,
  })
  const { errors } = form.formState
  const send = () => props.onSent(beneficiary.parse(form.getValues()))
  return (
    <form className={styles['section']} noValidate onSubmit={(event) => void form.handleSubmit(send)(event)}>
      <p className={styles['soft']}>{text('licensing.buy.lead')}</p>
      <div className={styles['pair']}>
        <Field
          field={form.register('first_name')}
          label={text('licensing.buy.first_name')}
          autoComplete="given-name"
          error={fieldText(errors.first_name)}
        />
        <Field
          field={form.register('last_name')}
          label={text('licensing.buy.last_name')}
          autoComplete="family-name"
          error={fieldText(errors.last_name)}
        />
      </div>
      <Field
        field={form.register('email')}
        label={text('licensing.buy.email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        spellCheck={false}
        autoCapitalize="none"
        error={fieldText(errors.email)}
      />
      <Field
        field={form.register('company')}
        label={text('licensing.buy.company')}
        hint={text('licensing.buy.optional')}
        autoComplete="organization"
        maxLength={200}
        error={fieldText(errors.company)}
      />
      <CheckField
        field={form.register('terms_accepted')}
        label={text('licensing.buy.accept')}
        error={fieldText(errors.terms_accepted)}
      />
      <CheckField
        field={form.register('withdrawal_waived')}
        label={text('licensing.buy.waive')}
        error={fieldText(errors.withdrawal_waived)}
      />
      <Button type="submit" size="md" loading={props.busy}>
        {props.action}
      </Button>
    </form>
  )
}
