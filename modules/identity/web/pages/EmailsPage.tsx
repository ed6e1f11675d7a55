import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { z } from 'zod'
import { call } from '../../../../ui/api/call.ts'
import { ConfirmDialog } from '../../../../ui/controls/ConfirmDialog.tsx'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { addEmail, deleteEmail, resendEmailConfirmation, setPrimaryEmail } from '../../contract/endpoints.ts'
import { emailField, type EmailEntry } from '../../contract/identity.ts'
import { ConfirmByCode } from '../sign-in/ConfirmByCode.tsx'
import { EmailField } from '../sign-in/EmailField.tsx'
import { useFieldText } from '../field-text.ts'
import { currentUserQuery } from '../../../account/web/index.ts'
import { emailsQuery } from '../queries.ts'
import account from '../account.module.css'
import styles from '../identity.module.css'

/** C-19…C-23, E-49. */
export function EmailsPage(): ReactNode {
  const text = useText()
  const emails = useQuery(emailsQuery)
  const [confirming, setConfirming] = useState<string | null>(null)
  return (
    <section className={account['section']}>
      <p className={account['soft']}>{text('identity.page.emails.lead')}</p>
      <Loaded query={emails} loading={text('ui.loading')} failed={text('identity.page.emails.failed')}>
        {({ results }) => (
          <ul className={account['list']}>
            {results.map((entry) => (
              <Row
                key={entry.id}
                entry={entry}
                confirming={confirming === entry.id}
                setConfirming={(on) => setConfirming(on ? entry.id : null)}
              />
            ))}
          </ul>
        )}
      </Loaded>
      <AddForm onAdded={({ id }) => setConfirming(id)} />
    </section>
  )
}

function Row(props: { entry: EmailEntry; confirming: boolean; setConfirming: (on: boolean) => void }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const { entry } = props
  const params = { id: entry.id }
  const done = (words: 'primary' | 'deleted' | 'confirmed') => {
    notify('success', text(`identity.page.emails.notice.${words}`, { email: entry.email }), text('ui.notice.dismiss'))
    void client.invalidateQueries({ queryKey: emailsQuery.queryKey })
    void client.invalidateQueries({ queryKey: currentUserQuery.queryKey })
  }
  const onError = (error: Error) => notify('error', errorText(error), text('ui.notice.dismiss'))
  const primary = useMutation({ mutationFn: () => call(setPrimaryEmail, { params }), onSuccess: () => done('primary'), onError })
  const deletion = useMutation({
    mutationFn: () => call(deleteEmail, { params }),
    onSuccess: () => done('deleted'),
    onError,
    onSettled: () => setAsking(false),
  })
  return (
    <li className={account['row']}>
      <div className={account['what']}>
        <strong>{entry.email}</strong>
        {entry.primary ? (
          <span className={account['badge']} data-tone="good">
            {text('identity.page.emails.primary')}
          </span>
        ) : null}
        <span className={account['badge']} data-tone={entry.verified ? undefined : 'caution'}>
          {text(entry.verified ? 'identity.page.emails.verified' : 'identity.page.emails.unverified')}
        </span>
      </div>
      <div className={account['actions']}>
        {entry.verified ? null : (
          <Button
            variant="default"
            aria-expanded={props.confirming}
            aria-label={`${text('identity.page.emails.confirm')} – ${entry.email}`}
            onClick={() => props.setConfirming(!props.confirming)}
          >
            {text('identity.page.emails.confirm')}
          </Button>
        )}
        {entry.primary || !entry.verified ? null : (
          <Button
            variant="default"
            aria-label={`${text('identity.page.emails.make_primary')} – ${entry.email}`}
            loading={primary.isPending}
            onClick={() => primary.mutate()}
          >
            {text('identity.page.emails.make_primary')}
          </Button>
        )}
        {entry.primary ? null : (
          <Button
            variant="default"
            aria-label={`${text('identity.page.emails.delete')} – ${entry.email}`}
            onClick={() => setAsking(true)}
          >
            {text('identity.page.emails.delete')}
          </Button>
        )}
      </div>
      {props.confirming && !entry.verified ? (
        <ConfirmByCode
          email={entry.email}
          claim={entry.id}
          resend={() => call(resendEmailConfirmation, { params })}
          onConfirmed={() => {
            props.setConfirming(false)
            done('confirmed')
          }}
        />
      ) : null}
      <ConfirmDialog
        open={asking}
        title={text('identity.page.emails.delete.title')}
        text={text('identity.page.emails.delete.text', { email: entry.email })}
        confirm={text('identity.page.emails.delete')}
        cancel={text('identity.page.cancel')}
        destructive
        busy={deletion.isPending}
        onConfirm={() => deletion.mutate()}
        onClose={() => setAsking(false)}
      />
    </li>
  )
}

const given = z.object({ email: emailField })

function AddForm(props: { onAdded: (entry: EmailEntry) => void }): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const form = useZodForm<{ email: string }>((values) => given.safeParse(values), { email: '' })
  const adding = useMutation({
    mutationFn: (email: string) => call(addEmail, { body: { email } }),
    onSuccess: async (entry) => {
      form.reset()
      await client.invalidateQueries({ queryKey: emailsQuery.queryKey })
      props.onAdded(entry)
    },
    onError: (error) => showFieldErrors(form, error),
  })
  const shown = adding.error === null || form.formState.errors.email !== undefined ? null : adding.error
  return (
    <form
      className={`${styles['form']} ${account['narrow']}`}
      noValidate
      onSubmit={(event) => void form.handleSubmit(() => adding.mutate(form.getValues('email').trim()))(event)}
    >
      <h2>{text('identity.page.emails.add.title')}</h2>
      <EmailField field={form.register('email')} autoComplete="email" error={fieldText(form.formState.errors.email)} />
      <p className={styles['fault']} role="alert">
        {shown === null ? null : errorText(shown)}
      </p>
      <div className={styles['actions']}>
        <Button type="submit" size="md" loading={adding.isPending}>
          {text('identity.page.emails.add')}
        </Button>
      </div>
    </form>
  )
}
