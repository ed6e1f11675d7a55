import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { z } from 'zod'
import { call, request as fetchAnswer } from '../../../../ui/api/call.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { CheckField } from '../../../../ui/forms/Field.tsx'
import { TextArea } from '../../../../ui/forms/TextArea.tsx'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { NotFoundPage } from '../../../../ui/shell/ErrorPages.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { answerSupportRequest, changeSupportRequest, readQueuedAttachment } from '../../contract/endpoints.ts'
import { textField, type StaffRequest } from '../../contract/support.ts'
import { Conversation } from '../components/Conversation.tsx'
import { StatusBadge } from '../components/StatusBadge.tsx'
import { useFieldText } from '../field-text.ts'
import { keepReply, readReply } from '../kept-draft.ts'
import { isNotFound, queuedQuery, queueQuery } from '../queries.ts'
import styles from '../support.module.css'

/** H-20, L-19: one request, as the staff answers it. */
export function QueuedRequestPage({ id }: { id: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const query = useQuery(queuedQuery(id))
  if (isNotFound(query.error)) return <NotFoundPage />
  return (
    <div className={styles['page']}>
      <nav className={styles['head']} aria-label={text('support.page.queue.heading')}>
        <Link to="/$locale/admin/$/" params={{ locale, _splat: 'support' }} preload={false} className={styles['back']}>
          {text('support.page.queue.heading')}
        </Link>
        <NextWaiting id={id} />
      </nav>
      <Loaded query={query} loading={text('ui.loading')} failed={text('support.page.request_failed')}>
        {(request) => <Shown key={request.id} request={request} />}
      </Loaded>
    </div>
  )
}

/** Whoever answers goes on with who has waited longest, without the list in between. */
function NextWaiting({ id }: { id: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const { data } = useQuery(queueQuery({ status: 'open', page: 1 }))
  const next = data?.results.find((each) => each.id !== id)
  if (next === undefined) return null
  return (
    <Link
      to="/$locale/admin/$/"
      params={{ locale, _splat: `support/${next.id}` }}
      preload={false}
      className={`${styles['back']} ${styles['next']}`}
    >
      {text('support.page.queue.next', { title: visible(next.title) })}
    </Link>
  )
}

function Shown({ request }: { request: StaffRequest }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const keep = (changed: StaffRequest) => {
    keepAnswer(client, queuedQuery(request.id).queryKey, changed)
    void client.invalidateQueries({ queryKey: ['support-queue'] })
  }
  const deciding = useMutation({
    mutationFn: (status: 'open' | 'closed') => call(changeSupportRequest, { params: { id: request.id }, body: { status } }),
    onSuccess: keep,
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  const fetchFile = async (attachment: string) =>
    await (await fetchAnswer(readQueuedAttachment, { params: { id: request.id, attachment } }, 'application/octet-stream')).blob()
  const closed = request.status === 'closed'
  return (
    <>
      <header className={styles['head']}>
        <div>
          <h1>{visible(request.title)}</h1>
          <p>{text('support.page.queue.by', { name: visible(request.name), email: visible(request.email) })}</p>
          <p className={styles['soft']}>
            {text('support.page.reference', { reference: request.reference })} ·{' '}
            {text(request.user_id === null ? 'support.page.queue.stranger' : 'support.page.queue.account')} ·{' '}
            {text(`support.page.queue.locale.${request.locale}`)}
          </p>
        </div>
        <StatusBadge status={request.status} />
      </header>
      {request.messages.some(({ attachments }) => attachments.length > 0) ? (
        <p className={styles['soft']}>{text('support.page.queue.unseen')}</p>
      ) : null}
      <Conversation
        messages={request.messages}
        who={({ author, by }) =>
          author === 'staff' ? text('support.page.queue.staff', { name: visible(by ?? '') }) : visible(request.name)
        }
        fetchFile={fetchFile}
      />
      <Answer request={request} onAnswered={keep} />
      <Button
        variant="default"
        size="md"
        className={styles['send']}
        loading={deciding.isPending}
        onClick={() => deciding.mutate(closed ? 'open' : 'closed')}
      >
        {text(closed ? 'support.page.queue.reopen' : 'support.page.queue.close')}
      </Button>
    </>
  )
}

type Values = { description: string; close: boolean }
const rule = z.object({ description: textField, close: z.boolean() })

function Answer(props: { request: StaffRequest; onAnswered: (request: StaffRequest) => void }): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const { id, email } = props.request
  const form = useZodForm<Values>((values) => rule.safeParse(values), { description: readReply(id), close: false })
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => keepReply(id, values.description) }),
    [form, id],
  )
  const answering = useMutation({
    mutationFn: (body: Values) => call(answerSupportRequest, { params: { id }, body }),
    onSuccess: (request) => {
      form.reset({ description: '', close: false })
      props.onAnswered(request)
      notify('success', text('support.page.queue.sent'), text('ui.notice.dismiss'), 'support-sent')
    },
    onError: (error) => {
      showFieldErrors(form, error)
      notify('error', text('support.page.failed'), text('ui.notice.dismiss'), 'support-sent')
    },
  })
  const fault = form.formState.errors.description
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => void form.handleSubmit(() => answering.mutate(form.getValues()))(event)}
    >
      <TextArea
        field={form.register('description')}
        label={text('support.page.queue.answer')}
        hint={text('support.page.queue.answer_hint', { email: visible(email) })}
        error={fieldText(fault)}
        sends
      />
      <CheckField field={form.register('close')} label={text('support.page.queue.send_close')} />
      <p className={styles['fault']} role="alert">
        {answering.error === null || fault !== undefined ? null : errorText(answering.error)}
      </p>
      <Button type="submit" size="md" loading={answering.isPending} className={styles['send']}>
        {text('support.page.queue.send')}
      </Button>
    </form>
  )
}
