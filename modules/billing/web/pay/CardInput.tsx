import { useId, useState, type ReactNode } from 'react'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useFieldText } from '../../../../ui/forms/use-field-text.ts'
import type { useLightForm } from '../../../../ui/forms/use-light-form.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { grouped, kindOf, type CardFields } from './card-rule.ts'
import styles from '../components/billing.module.css'

/** V-29…V-34. Its fields have no names that a form would send: they go to the provider alone. */
export function CardInput(props: { form: ReturnType<typeof useLightForm<CardFields>> }): ReactNode {
  const text = useText()
  const note = useId()
  const [kind, setKind] = useState<string | null>(null)
  const { faults, register } = props.form
  const fieldText = useFieldText((code) => [`billing.card.${code}`], 'billing.card.number_wrong')
  const wrong = (name: keyof CardFields) => fieldText(faults[name] === undefined ? undefined : { message: faults[name] })
  const number = register('number')
  return (
    <div className={styles['cardFields']} role="group" aria-describedby={note}>
      <Field
        field={{
          ...number,
          onChange: async (event: { target: HTMLInputElement }) => {
            const { target } = event
            // The caret stays where it is unless one types at the end.
            if (target.selectionStart === target.value.length) target.value = grouped(target.value)
            setKind(kindOf(target.value))
            await number.onChange(event)
          },
        }}
        label={text('billing.card.number')}
        autoComplete="cc-number"
        inputMode="numeric"
        maxLength={23}
        spellCheck={false}
        error={wrong('number')}
        end={kind === null ? undefined : <span className={styles['kind']}>{kind}</span>}
      />
      <Field
        field={register('expiry')}
        label={text('billing.card.expiry')}
        autoComplete="cc-exp"
        inputMode="numeric"
        maxLength={7}
        error={wrong('expiry')}
      />
      <Field
        field={register('cvc')}
        label={text('billing.card.cvc')}
        autoComplete="cc-csc"
        inputMode="numeric"
        maxLength={4}
        error={wrong('cvc')}
      />
      <p id={note} className={styles['soft']}>
        {text('billing.card.where')}
      </p>
    </div>
  )
}
