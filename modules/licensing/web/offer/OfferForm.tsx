import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { CheckField, Field } from '../../../../ui/forms/Field.tsx'
import { TextArea } from '../../../../ui/forms/TextArea.tsx'
import { useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { readCents } from '../../../billing/web/index.ts'
import { descriptionField, mostField, priceField } from '../../contract/offers.ts'
import { leastPrice } from '../../domain/price.ts'
import { useFieldText } from '../components/field-text.ts'
import { OfferFigures } from './OfferFigures.tsx'
import styles from '../components/licensing.module.css'

type Values = { price_cents: string; description: string; most: string; personal_data_reviewed: boolean }
export type Said = { price_cents: number; description: string; most: number | null; personal_data_reviewed: boolean }

const rule = z.object({
  price_cents: priceField,
  description: descriptionField,
  most: mostField,
  personal_data_reviewed: z.boolean(),
})

const readCount = (typed: string): number | null => {
  const text = typed.replaceAll(/\s/g, '')
  return text === '' ? null : /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
}
const saidOf = (values: Values) => ({
  ...values,
  price_cents: readCents(values.price_cents) ?? undefined,
  most: readCount(values.most),
})

/** Price, words and number of an offer; and that its seller has looked for personal data of others. */
export function OfferForm(props: {
  start: Said | null
  action: string
  busy: boolean
  onSent: (said: Said) => void
  /** Of the platform and of VAT, in basis points; null: they are not known yet. */
  shares: { readonly fee: number; readonly vat: number } | null
}): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const locale = useLocale()
  const { start } = props
  const form = useZodForm<Values>((values) => rule.safeParse(saidOf(values)), {
    price_cents: start === null ? '' : (start.price_cents / 100).toFixed(2).replace('.', locale === 'fr' ? ',' : '.'),
    description: start?.description ?? '',
    most: start?.most == null ? '' : String(start.most),
    personal_data_reviewed: start?.personal_data_reviewed ?? false,
  })
  const { errors } = form.formState
  const price = readCents(form.watch('price_cents'))
  return (
    <form
      className={styles['section']}
      noValidate
      onSubmit={(event) => void form.handleSubmit(() => props.onSent(rule.parse(saidOf(form.getValues()))))(event)}
    >
      <Field
        field={form.register('price_cents')}
        label={text('licensing.offer.price')}
        hint={text('licensing.offer.price.hint')}
        inputMode="decimal"
        autoComplete="off"
        error={fieldText(errors.price_cents)}
      />
      {price === null || price < leastPrice || props.shares === null ? null : <OfferFigures price={price} {...props.shares} />}
      <TextArea
        field={form.register('description')}
        label={text('licensing.offer.description')}
        hint={text('licensing.offer.description.hint')}
        rows={5}
        error={fieldText(errors.description)}
      />
      <Field
        field={form.register('most')}
        label={text('licensing.offer.most')}
        hint={text('licensing.offer.most.hint')}
        inputMode="numeric"
        autoComplete="off"
        error={fieldText(errors.most)}
      />
      <div className={styles['notice']} data-tone="caution">
        <strong>{text('licensing.offer.personal')}</strong>
        <p>{text('licensing.offer.personal.text')}</p>
        <CheckField field={form.register('personal_data_reviewed')} label={text('licensing.offer.personal.reviewed')} />
      </div>
      <div>
        <Button type="submit" variant={props.start === null ? 'filled' : 'default'} size="md" loading={props.busy}>
          {props.action}
        </Button>
      </div>
    </form>
  )
}
