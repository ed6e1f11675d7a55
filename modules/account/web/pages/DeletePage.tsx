import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState, type ReactNode } from 'react'
import { z } from 'zod'
import { call, request } from '../../../../ui/api/call.ts'
import { saveBlob } from '../../../../ui/api/save-file.ts'
import { serverNow } from '../../../../ui/api/server-clock.ts'
import { currentSession, endSession } from '../../../../ui/api/session.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { closeAccount, exportAccount } from '../../contract/endpoints.ts'
import { reasonField } from '../../contract/profile.ts'
import { noteClosed } from '../closed-account.ts'
import { useFieldText } from '../field-text.ts'
import field from '../../../../ui/forms/field.module.css'
import styles from '../account-pages.module.css'

const happens = [
  'account.page.delete.happens.sessions',
  'account.page.delete.happens.undo',
  'account.page.delete.happens.erased',
  'account.page.delete.happens.stays',
] as const

/**
 * D-08, H-38: what follows, said plainly, then a copy, then the reason.
 * @param props.money what becomes of what was paid; absent: nothing is paid for
 */
export function DeletePage(props: { money?: ReactNode }): ReactNode {
  const text = useText()
  return (
    <>
      <section className={styles['section']}>
        <h2>{text('account.page.delete.title')}</h2>
        <ul>
          {happens.map((each) => (
            <li key={each}>{text(each)}</li>
          ))}
        </ul>
      </section>
      {props.money}
      <Export />
      <Closing />
    </>
  )
}

function Export(): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const exporting = useMutation({
    mutationFn: async () => {
      const answer = await request(exportAccount, {}, 'application/json')
      const day = new Date(serverNow()).toISOString().slice(0, 10)
      saveBlob(await answer.blob(), `probant-account-${day}.json`)
    },
  })
  return (
    <section className={styles['section']}>
      <h2>{text('account.page.delete.export')}</h2>
      <p className={styles['soft']}>{text('account.page.delete.export.lead')}</p>
      <p className={styles['fault']} role="alert">
        {exporting.isError ? errorText(exporting.error) : null}
      </p>
      <div className={styles['actions']}>
        <Button size="md" variant="default" loading={exporting.isPending} onClick={() => exporting.mutate()}>
          {text('account.page.delete.export.action')}
        </Button>
      </div>
    </section>
  )
}

const given = z.object({ reason: reasonField })

function Closing(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const id = useId()
  const [asking, setAsking] = useState(false)
  const form = useZodForm<{ reason: string }>((values) => given.safeParse(values), { reason: '' })
  const closing = useMutation({
    mutationFn: () => call(closeAccount, { body: { reason: form.getValues('reason').trim() } }),
    onSuccess: ({ erase_after: eraseAfter }) => {
      noteClosed(eraseAfter)
      // The server has ended it already.
      endSession(currentSession()?.token ?? '')
      void navigate({ to: '/$locale/by-mail/$/', params: { locale, _splat: 'account-closed' } })
    },
    onError: (error) => showFieldErrors(form, error),
    onSettled: () => setAsking(false),
  })
  const error = fieldText(form.formState.errors.reason)
  return (
    <section className={styles['section']}>
      <h2>{text('account.page.delete.close')}</h2>
      <form className={styles['form']} noValidate onSubmit={(event) => void form.handleSubmit(() => setAsking(true))(event)}>
        <div className={field['field']}>
          <label htmlFor={id}>{text('account.page.delete.reason')}</label>
          <textarea
            {...form.register('reason')}
            id={id}
            className={styles['area']}
            aria-invalid={error !== undefined}
            aria-describedby={`${id}-error`}
          />
          <p id={`${id}-error`} className={field['error']} role="alert">
            {error}
          </p>
        </div>
        <p className={styles['fault']} role="alert">
          {closing.isError && error === undefined ? errorText(closing.error) : null}
        </p>
        <div className={styles['actions']}>
          <Button type="submit" size="md" color="bad">
            {text('account.page.delete.action')}
          </Button>
        </div>
      </form>
      <ConfirmDialog
        open={asking}
        title={text('account.page.delete.confirm')}
        text={text('account.page.delete.confirm.text')}
        confirm={text('account.page.delete.action')}
        cancel={text('account.page.cancel')}
        destructive
        busy={closing.isPending}
        onConfirm={() => closing.mutate()}
        onClose={() => setAsking(false)}
      />
    </section>
  )
}
