import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { z } from 'zod'
import { call, request as fetchAnswer } from '../../../../ui/api/call.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { Loaded } from '../../../../ui/controls/ReferencePage.tsx'
import { TextArea } from '../../../../ui/forms/TextArea.tsx'
import { showFieldErrors, useZodForm } from '../../../../ui/forms/use-zod-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { NotFoundPage } from '../../../../ui/shell/ErrorPages.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import { closeSupportRequest, readSupportAttachment, replyToSupport } from '../../contract/endpoints.ts'
import { textField, type SupportRequest } from '../../contract/support.ts'
import { AttachmentPicker, faultOfFiles } from '../components/AttachmentPicker.tsx'
import { Conversation } from '../components/Conversation.tsx'
import { SendingFile } from '../components/SendingFile.tsx'
import { StatusBadge } from '../components/StatusBadge.tsx'
import { useFieldText } from '../field-text.ts'
import { keepReply, readReply } from '../kept-draft.ts'
import { isNotFound, requestQuery } from '../queries.ts'
import { announced } from '../announced.ts'
import { sendAttachments, type Sending } from '../send-attachments.ts'
import styles from '../support.module.css'

/** L-19: one request, what was answered, and what is said to that. */
export function RequestPage({ id }: { id: string }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const query = useQuery(requestQuery(id))
  if (isNotFound(query.error)) return <NotFoundPage />
  return (
    <div className={styles['page']}>
      <Link to="/$locale/support/$/" params={{ locale, _splat: '' }} className={styles['back']}>
        {text('support.page.back')}
      </Link>
      <Loaded query={query} loading={text('ui.loading')} failed={text('support.page.request_failed')}>
        {(request) => <Shown request={request} />}
      </Loaded>
    </div>
  )
}

function Shown({ request }: { request: SupportRequest }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const keep = (changed: SupportRequest) => {
    keepAnswer(client, requestQuery(request.id).queryKey, changed)
    void client.invalidateQueries({ queryKey: ['support-requests'] })
  }
  const closing = useMutation({
    mutationFn: () => call(closeSupportRequest, { params: { id: request.id } }),
    onSuccess: keep,
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  const fetchFile = async (attachment: string) =>
    await (
      await fetchAnswer(readSupportAttachment, { params: { id: request.id, attachment } }, 'application/octet-stream')
    ).blob()
  return (
    <>
      <header className={styles['head']}>
        <div>
          <h1>{visible(request.title)}</h1>
          <p className={styles['soft']}>{text('support.page.reference', { reference: request.reference })}</p>
        </div>
        <StatusBadge status={request.status} />
      </header>
      <Conversation
        messages={request.messages}
        who={({ author }) => text(author === 'staff' ? 'support.page.support' : 'support.page.you')}
        fetchFile={fetchFile}
      />
      {request.status === 'closed' ? <p role="status">{text('support.page.settled')}</p> : null}
      <Reply request={request} onReplied={keep} />
      {request.status === 'closed' ? null : (
        <Button
          variant="default"
          size="md"
          loading={closing.isPending}
          className={styles['send']}
          onClick={() => closing.mutate()}
        >
          {text('support.page.settle')}
        </Button>
      )}
    </>
  )
}

const rule = z.object({ description: textField })

function Reply(props: { request: SupportRequest; onReplied: (request: SupportRequest) => void }): ReactNode {
  const text = useText()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const [files, setFiles] = useState<readonly File[]>([])
  const [sending, setSending] = useState<Sending | null>(null)
  const { id } = props.request
  const form = useZodForm<{ description: string }>((values) => rule.safeParse(values), { description: readReply(id) })
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => keepReply(id, values.description) }),
    [form, id],
  )
  const replying = useMutation({
    mutationFn: async ({ description }: { description: string }) => {
      const body = { description, attachments: announced(files) }
      const { request, attachments } = await call(replyToSupport, { params: { id }, body })
      return { request, lost: await sendAttachments(files, attachments, setSending) }
    },
    onSuccess: ({ request, lost }) => {
      form.reset({ description: '' })
      setFiles([])
      props.onReplied(request)
      void client.invalidateQueries({ queryKey: requestQuery(id).queryKey })
      notify('success', text('support.page.replied'), text('ui.notice.dismiss'), 'support-sent')
      if (lost.length > 0)
        notify(
          'error-force',
          text('support.page.files_failed', { count: lost.length, names: lost.join(', ') }),
          text('ui.notice.dismiss'),
        )
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
      onSubmit={(event) =>
        void form.handleSubmit(() => {
          if (faultOfFiles(files) === null) replying.mutate(form.getValues())
        })(event)
      }
    >
      <TextArea field={form.register('description')} label={text('support.page.reply')} rows={5} error={fieldText(fault)} sends />
      <AttachmentPicker files={files} onFiles={setFiles} />
      <p className={styles['fault']} role="alert">
        {replying.error === null || fault !== undefined ? null : errorText(replying.error)}
      </p>
      <SendingFile sending={sending} />
      <Button type="submit" size="md" loading={replying.isPending} className={styles['send']}>
        {text('support.page.send_reply')}
      </Button>
    </form>
  )
}
