import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { z } from 'zod'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { useFieldText } from '../field-text.ts'
import styles from '../identity.module.css'

const given = z.object({ code: z.string().trim().min(1, { error: 'code_required' }).max(40, { error: 'code_invalid' }) })

/** As authenticators show it, some in two halves. */
const whole = /^\d{3}\s?\d{3}$/

type StepProps = {
  readonly busy: boolean
  readonly error: string | undefined
  readonly onCode: (code: string) => void
  readonly onBack: () => void
}

/** Of the authenticator, which is sent with its last digit, or one of the recovery codes. Either is taken in either field. */
export function SecondFactorStep(props: StepProps): ReactNode {
  const [recovery, setRecovery] = useState(false)
  // Each begins empty, with the cursor in it.
  return <CodeForm key={String(recovery)} {...props} recovery={recovery} onOther={() => setRecovery(!recovery)} />
}

function CodeForm(props: StepProps & { readonly recovery: boolean; readonly onOther: () => void }): ReactNode {
  const { busy, error, onCode, onBack, recovery, onOther } = props
  const text = useText()
  const fieldText = useFieldText()
  const form = useZodForm<{ code: string }>((values) => given.safeParse(values), { code: '' })
  const { setFocus } = form
  useEffect(() => setFocus('code'), [setFocus])
  /** Once: what was refused is not sent again by a hand that corrects it back. */
  const sent = useRef('')
  const field = form.register('code')
  const follow = async (event: { target: { value?: unknown } }): Promise<void> => {
    await field.onChange(event)
    const typed = String(event.target.value).trim()
    if (busy || !whole.test(typed) || typed === sent.current) return
    sent.current = typed
    onCode(typed.replace(/\s/, ''))
  }
  // What was refused is typed over.
  const typeOver = useEffectEvent(() => setFocus('code', { shouldSelect: true }))
  useEffect(() => {
    if (error !== undefined && !busy) typeOver()
  }, [error, busy])
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => void form.handleSubmit(() => onCode(form.getValues('code').trim()))(event)}
    >
      <Field
        field={{ ...field, onChange: follow }}
        label={text(recovery ? 'identity.page.code.recovery' : 'identity.page.code.second_factor')}
        hint={text(recovery ? 'identity.page.code.recovery.hint' : 'identity.page.code.authenticator.hint')}
        autoComplete={recovery ? 'off' : 'one-time-code'}
        inputMode={recovery ? 'text' : 'numeric'}
        spellCheck={false}
        autoCapitalize="none"
        error={fieldText(form.formState.errors.code) ?? error}
      />
      <div className={styles['actions']}>
        <Button type="submit" size="md" loading={busy}>
          {text('identity.page.login.action')}
        </Button>
        <Button variant="default" size="md" onClick={onBack}>
          {text('identity.page.back')}
        </Button>
      </div>
      <Button variant="subtle" mih={44} onClick={onOther}>
        {text(recovery ? 'identity.page.code.use_authenticator' : 'identity.page.code.use_recovery')}
      </Button>
    </form>
  )
}
