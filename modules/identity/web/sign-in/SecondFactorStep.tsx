import { Button } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'
import { z } from 'zod'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { useFieldText } from '../field-text.ts'
import styles from '../identity.module.css'

const given = z.object({ code: z.string().trim().min(1, { error: 'code_required' }).max(40, { error: 'code_invalid' }) })

/** Of the authenticator, or one of the recovery codes. */
export function SecondFactorStep(props: {
  busy: boolean
  error: string | undefined
  onCode: (code: string) => void
  onBack: () => void
}): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const form = useZodForm<{ code: string }>((values) => given.safeParse(values), { code: '' })
  const { setFocus } = form
  useEffect(() => setFocus('code'), [setFocus])
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => void form.handleSubmit(() => props.onCode(form.getValues('code').trim()))(event)}
    >
      <Field
        field={form.register('code')}
        label={text('identity.page.code.second_factor')}
        hint={text('identity.page.code.second_factor.hint')}
        autoComplete="one-time-code"
        spellCheck={false}
        autoCapitalize="none"
        error={fieldText(form.formState.errors.code) ?? props.error}
      />
      <div className={styles['actions']}>
        <Button type="submit" size="md" loading={props.busy}>
          {text('identity.page.login.action')}
        </Button>
        <Button variant="default" size="md" onClick={props.onBack}>
          {text('identity.page.back')}
        </Button>
      </div>
    </form>
  )
}
