import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { z } from 'zod'
import type { WorkOrScore } from '../../../../kernel/work-done.ts'
import { call } from '../../../../ui/api/call.ts'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText, type MessageId } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { useWork, wasCancelled } from '../../../../ui/work/use-work.tsx'
import { confirmNewsletter, leaveNewsletter, signUpToNewsletter } from '../../contract/newsletter.ts'
import { emailField } from '../../contract/support.ts'
import { useFieldText } from '../field-text.ts'
import { newsletterQuery } from '../newsletter-query.ts'
import styles from '../support.module.css'

/** P-05, C-71, C-72: signing up; and where the links of its mails lead, which do nothing by being opened. */
export function NewsletterPage(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { searchStr } = useLocation()
  const given = new URLSearchParams(searchStr)
  const [confirm, leave] = [given.get('confirm'), given.get('leave')]
  const query = useQuery({ ...newsletterQuery(locale), enabled: confirm === null && leave === null })
  const signingUp = (
    <Loaded query={query} loading={text('ui.loading')} failed={text('support.page.newsletter.failed')}>
      {({ mode, form }) =>
        mode === 'off' ? (
          <p>{text('support.page.newsletter.off')}</p>
        ) : (
          <>
            <p className={styles['lead']}>{text('support.page.newsletter.lead')}</p>
            {form === null ? <OwnForm /> : <ProviderForm {...form} />}
          </>
        )
      }
    </Loaded>
  )
  return (
    <div className={styles['page']}>
      <h1>{text('support.page.newsletter.heading')}</h1>
      {confirm !== null ? (
        <Press endpoint={confirmNewsletter} value={confirm} name="confirm" done="support.page.newsletter.confirmed" />
      ) : leave !== null ? (
        <Press endpoint={leaveNewsletter} value={leave} name="leave" done="support.page.newsletter.left" />
      ) : (
        signingUp
      )}
    </div>
  )
}

/** Programs that open links in mails press nothing. */
function Press(props: {
  endpoint: typeof confirmNewsletter
  value: string
  name: 'confirm' | 'leave'
  done: MessageId
}): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const pressing = useMutation({ mutationFn: () => call(props.endpoint, { body: { key: props.value }, anonymous: true }) })
  if (pressing.isSuccess) return <p role="status">{text(props.done)}</p>
  return (
    <div className={styles['form']}>
      <p>{text(`support.page.newsletter.${props.name}_lead`)}</p>
      <p className={styles['fault']} role="alert">
        {pressing.error === null ? null : errorText(pressing.error)}
      </p>
      <Button size="md" className={styles['send']} loading={pressing.isPending} onClick={() => pressing.mutate()}>
        {text(`support.page.newsletter.${props.name}`)}
      </Button>
    </div>
  )
}

const rule = z.object({ email: emailField })

function OwnForm(): ReactNode {
  const text = useText()
  const locale = useLocale()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const { send, dialog } = useWork('support.page.work')
  const form = useZodForm<{ email: string }>((values) => rule.safeParse(values), { email: '' })
  const signing = useMutation({
    mutationFn: async ({ email }: { email: string }) => {
      const post = async (work?: WorkOrScore) =>
        await call(signUpToNewsletter, { body: { email, locale, ...(work === undefined ? {} : { work }) }, anonymous: true })
      return await send(post, (score) => post({ score }))
    },
    onError: (error) => showFieldErrors(form, error),
  })
  const fault = form.formState.errors.email
  if (signing.isSuccess)
    return <p role="status">{text('support.page.newsletter.sent', { email: visible(signing.variables.email.trim()) })}</p>
  const shown = signing.error === null || wasCancelled(signing.error) || fault !== undefined ? null : signing.error
  return (
    <>
      <form
        className={styles['form']}
        noValidate
        onSubmit={(event) => void form.handleSubmit(() => signing.mutate(form.getValues()))(event)}
      >
        <Field
          field={form.register('email')}
          label={text('support.page.email')}
          type="email"
          autoComplete="email"
          error={fieldText(fault)}
        />
        <p>{text('support.newsletter.consent')}</p>
        <p className={styles['fault']} role="alert">
          {shown === null ? null : errorText(shown)}
        </p>
        <Button type="submit" size="md" loading={signing.isPending} className={styles['send']}>
          {text('support.page.newsletter.sign_up')}
        </Button>
      </form>
      {dialog}
    </>
  )
}

/** C-71: a form as the provider takes it, posted by the browser to him and nobody else. */
function ProviderForm({ action, field }: { action: string; field: string }): ReactNode {
  const text = useText()
  return (
    <form className={styles['form']} method="post" action={action} target="_blank" rel="noopener">
      <p>{text('support.page.newsletter.provider', { origin: new URL(action).host })}</p>
      <label htmlFor="newsletter-address">{text('support.page.email')}</label>
      <input id="newsletter-address" className={styles['address']} type="email" name={field} required autoComplete="email" />
      <Button type="submit" size="md" className={styles['send']}>
        {text('support.page.newsletter.sign_up')}
        <span className="visually-hidden"> {text('ui.new_tab')}</span>
      </Button>
    </form>
  )
}
