import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { z } from 'zod'
import { call } from '../../../../ui/api/call.ts'
import { useSession } from '../../../../ui/api/session.ts'
import { useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { formatInstant } from '../../../../ui/intl/format.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { Message, useLocale, useText } from '../../../../ui/intl/text.tsx'
import { disownAddress, readConfirmation, resendConfirmation, verifyEmail } from '../../contract/endpoints.ts'
import { emailField } from '../../contract/identity.ts'
import { ConfirmByCode } from '../sign-in/ConfirmByCode.tsx'
import { tellConfirmed } from '../sign-in/confirmed-elsewhere.ts'
import { EmailField } from '../sign-in/EmailField.tsx'
import { LoginForm } from '../sign-in/LoginForm.tsx'
import { useSignedIn } from '../use-signed-in.ts'
import { OtherPage, type Entry } from '../frame/OtherPage.tsx'
import { Panel } from '../frame/Panel.tsx'
import { useFieldText } from '../field-text.ts'
import styles from '../identity.module.css'

/** R-10, S-43…S-45. */
export function ConfirmEmailPage(props: { entry: Entry; linkKey: string | undefined }): ReactNode {
  const text = useText()
  return (
    <Panel title={text('identity.page.confirm.title')} brand={props.entry.brand}>
      {props.linkKey === undefined ? (
        <ByAddress brand={props.entry.brand} />
      ) : (
        <ByLink linkKey={props.linkKey} brand={props.entry.brand} />
      )}
      <nav className={styles['links']} aria-label={text('identity.page.other')}>
        <OtherPage entry={props.entry} page="login" label="identity.page.to_login" />
      </nav>
    </Panel>
  )
}

/**
 * What the link confirms is shown first and confirmed at a press of the button, so that programs that open links ahead of their
 * reader confirm nothing; so that the owner of an address that somebody else typed can say so.
 */
function ByLink(props: { linkKey: string; brand: Entry['brand'] }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const { linkKey } = props
  const state = useQuery({
    queryKey: ['confirmation', linkKey],
    queryFn: ({ signal }) => call(readConfirmation, { body: { key: linkKey }, signal, anonymous: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const confirming = useMutation({
    mutationFn: () => call(verifyEmail, { body: { key: linkKey }, anonymous: true }),
    onSuccess: ({ email }) => tellConfirmed(email),
  })
  const disowning = useMutation({ mutationFn: () => call(disownAddress, { body: { key: linkKey }, anonymous: true }) })
  if (disowning.isSuccess) return <p role="status">{text('identity.page.confirm.disowned')}</p>
  if (confirming.isSuccess || state.data?.state === 'confirmed') {
    return <Done brand={props.brand} email={confirming.data?.email ?? ''} />
  }
  const failure = confirming.error ?? disowning.error ?? state.error
  if (state.data?.state === 'taken') {
    return (
      <p role="alert" data-confirmation="taken">
        {text('identity.page.confirm.taken')}
      </p>
    )
  }
  if (state.data?.state === 'failed') {
    return (
      <div className={styles['form']} data-confirmation="failed">
        <p role="alert">{text('identity.page.confirm.failed')}</p>
        <ByAddress brand={props.brand} />
      </div>
    )
  }
  if (state.data === undefined && failure === null) return <p role="status">{text('ui.loading')}</p>
  const { data } = state
  return (
    <div className={styles['form']} data-confirmation="pending">
      {data === undefined || data.email === null || data.created_at === null ? null : (
        <p>
          <Message
            id={data.purpose === 'address' ? 'identity.page.confirm.address' : 'identity.page.confirm.account'}
            values={{ email: data.email, date: formatInstant(data.created_at, locale) }}
          />
        </p>
      )}
      <p className={styles['fault']} role="alert">
        {failure === null ? null : errorText(failure)}
      </p>
      {data === undefined ? (
        <Button variant="default" size="md" onClick={() => void state.refetch()}>
          {text('ui.retry')}
        </Button>
      ) : (
        <div className={styles['actions']}>
          <Button size="md" loading={confirming.isPending} onClick={() => confirming.mutate()}>
            {text('identity.page.confirm.action')}
          </Button>
          <Button variant="default" size="md" loading={disowning.isPending} onClick={() => disowning.mutate()}>
            {text('identity.page.confirm.disown')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** What is left to be done is done here: nobody looks for a page of signing in. */
function Done(props: { brand: Entry['brand']; email: string }): ReactNode {
  const text = useText()
  const signedIn = useSession() !== null
  const onSignedIn = useSignedIn()
  return (
    <div className={styles['form']} data-confirmation="confirmed">
      <p role="status">{text('identity.page.confirm.done')}</p>
      {signedIn ? null : <LoginForm brand={props.brand} email={props.email} atPassword onSignedIn={onSignedIn} />}
    </div>
  )
}

const given = z.object({ email: emailField })

/** Without a link, or with one that is dead: the address, then the code that was mailed to it. */
function ByAddress(props: { brand: Entry['brand'] }): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const [done, setDone] = useState(false)
  const form = useZodForm<{ email: string }>((values) => given.safeParse(values), { email: '' })
  const sending = useMutation({
    mutationFn: (email: string) => call(resendConfirmation, { body: { email }, anonymous: true }),
  })
  if (done) return <Done brand={props.brand} email={sending.variables ?? ''} />
  if (sending.isSuccess) return <ConfirmByCode email={sending.variables} onConfirmed={() => setDone(true)} />
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => void form.handleSubmit(() => sending.mutate(form.getValues('email').trim()))(event)}
    >
      <p>{text('identity.page.confirm.lead')}</p>
      <EmailField field={form.register('email')} error={fieldText(form.formState.errors.email)} />
      <p className={styles['fault']} role="alert">
        {sending.error === null ? null : errorText(sending.error)}
      </p>
      <Button type="submit" size="md" fullWidth loading={sending.isPending}>
        {text('identity.page.confirm.send')}
      </Button>
    </form>
  )
}
