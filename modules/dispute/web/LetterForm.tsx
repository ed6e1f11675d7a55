import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { z } from 'zod'
import type { BodyInputOf } from '../../../kernel/endpoint.ts'
import { ApiError } from '../../../ui/api/api-error.ts'
import { call, request } from '../../../ui/api/call.ts'
import { saveBlob } from '../../../ui/api/save-file.ts'
import { keepAnswer } from '../../../ui/api/keep-answer.ts'
import { Field } from '../../../ui/forms/Field.tsx'
import { TextArea } from '../../../ui/forms/TextArea.tsx'
import { useFieldText } from '../../../ui/forms/use-field-text.ts'
import { useZodForm } from '../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../ui/intl/text.tsx'
import { notify } from '../../../ui/shell/notify.ts'
import { readCents } from '../../billing/web/index.ts'
import {
  amountField,
  changeDisputePack,
  claimField,
  delayField,
  letterField,
  printDisputePack,
  recipientField,
  type DisputePack,
} from '../contract/packs.ts'
import { LetterPreview } from './LetterPreview.tsx'
import { Lines } from './Lines.tsx'
import { packQuery } from './queries.ts'
import styles from './dispute.module.css'

type Values = { recipient: string; claim: string; delay_days: string; amount_cents: string; letter: string }

const rule = z.object({
  recipient: recipientField,
  claim: claimField,
  delay_days: delayField,
  amount_cents: amountField,
  letter: letterField,
})

const readDays = (typed: string): number | null => {
  const text = typed.trim()
  return text === '' ? null : /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
}
const saidOf = (values: Values) => ({
  ...values,
  delay_days: readDays(values.delay_days),
  amount_cents: values.amount_cents.trim() === '' ? null : (readCents(values.amount_cents) ?? Number.NaN),
})

/** What its sender gives, and the text, which he may write anew. Whatever is printed was saved before. */
export function LetterForm({ pack }: { pack: DisputePack }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const client = useQueryClient()
  const fieldText = useFieldText((code) => [`dispute.field.${code}`], 'dispute.field.invalid')
  const { id, language } = pack
  const startOf = (of: DisputePack): Values => ({
    recipient: of.recipient,
    claim: of.claim,
    delay_days: of.delay_days === null ? '' : String(of.delay_days),
    amount_cents: of.amount_cents === null ? '' : (of.amount_cents / 100).toFixed(2).replace('.', locale === 'fr' ? ',' : '.'),
    letter: of.letter.text,
  })
  const form = useZodForm<Values>((values) => rule.safeParse(saidOf(values)), startOf(pack))
  const { errors } = form.formState
  const onError = (error: unknown) => notify('error', errorText(error), text('ui.notice.dismiss'))
  const keep = useMutation({
    mutationFn: async (body: BodyInputOf<typeof changeDisputePack>) =>
      await call(changeDisputePack, { params: { id }, query: { language }, body }),
    onSuccess: (kept) => {
      keepAnswer(client, packQuery(id, language).queryKey, kept)
      form.reset(startOf(kept))
    },
    onError,
  })
  const print = useMutation({
    mutationFn: async () => {
      const answer = await request(printDisputePack, { params: { id }, query: { language } }, 'application/pdf')
      saveBlob(await answer.blob(), `notice-${id}.${language}.pdf`)
    },
    // It is printed elsewhere, within seconds.
    retry: (count, error) => error instanceof ApiError && error.code === 'dispute.being_printed' && count < 90,
    retryDelay: 1000,
    onError,
  })
  const said = () => {
    const { letter, ...rest } = rule.parse(saidOf(form.getValues()))
    // Untouched, it goes on being the template, which follows what is given.
    const templates = letter === '' || (!pack.letter.own && letter === pack.letter.text)
    return { ...rest, letter: templates ? null : letter }
  }
  const saveThen = (after: (kept: DisputePack) => void) => form.handleSubmit(() => keep.mutate(said(), { onSuccess: after }))()
  return (
    <form
      className={styles['wide']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void saveThen(() => notify('success', text('dispute.page.saved'), text('ui.notice.dismiss'), 'dispute'))
      }}
    >
      <div className={styles['section']}>
        <TextArea
          field={form.register('recipient')}
          label={text('dispute.page.recipient')}
          hint={text('dispute.page.recipient.hint')}
          rows={4}
          error={fieldText(errors.recipient)}
        />
        <TextArea
          field={form.register('claim')}
          label={text('dispute.page.claim')}
          hint={text('dispute.page.claim.hint')}
          rows={5}
          error={fieldText(errors.claim)}
        />
        <Field
          field={form.register('delay_days')}
          label={text('dispute.page.delay')}
          hint={text('dispute.page.delay.hint')}
          inputMode="numeric"
          autoComplete="off"
          error={fieldText(errors.delay_days)}
        />
        <Field
          field={form.register('amount_cents')}
          label={text('dispute.page.amount')}
          hint={text('dispute.page.amount.hint')}
          inputMode="decimal"
          autoComplete="off"
          error={fieldText(errors.amount_cents)}
        />
        <TextArea
          field={form.register('letter')}
          label={text('dispute.page.letter')}
          hint={
            <>
              {text('dispute.page.letter.hint')}
              <ul className={styles['words']}>
                {pack.placeholders.map(({ id: each, name, value }) => (
                  <li key={each}>
                    <code>{`{${name}}`}</code> <Lines text={value ?? text('dispute.page.letter.empty')} />
                  </li>
                ))}
              </ul>
            </>
          }
          rows={18}
          error={fieldText(errors.letter)}
        />
        <p className={styles['soft']}>{text(pack.letter.own ? 'dispute.page.letter.own' : 'dispute.page.letter.template')}</p>
        <div className={styles['actions']}>
          <Button type="submit" variant="default" size="md" loading={keep.isPending}>
            {text('dispute.page.save')}
          </Button>
          <Button
            size="md"
            loading={keep.isPending || print.isPending}
            onClick={() =>
              void saveThen((kept) => {
                if (kept.lacking.length === 0) print.mutate()
                else notify('error', text('dispute.not_ready'), text('ui.notice.dismiss'))
              })
            }
          >
            {text('dispute.page.print')}
          </Button>
          {pack.letter.own ? (
            <Button variant="default" size="md" disabled={keep.isPending} onClick={() => keep.mutate({ letter: null })}>
              {text('dispute.page.reset')}
            </Button>
          ) : null}
        </div>
      </div>
      <LetterPreview pack={pack} letter={form.watch('letter')} />
    </form>
  )
}
