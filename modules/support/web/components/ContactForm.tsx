import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Field } from '../../../../ui/forms/Field.tsx'
import { TextArea } from '../../../../ui/forms/TextArea.tsx'
import { useLightForm } from '../../../../ui/forms/use-light-form.ts'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { visible } from '../../../../ui/intl/visible.ts'
import { loadChunk } from '../../../../ui/shell/chunk-failure.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import { useWork, wasCancelled } from '../../../../ui/work/use-work.tsx'
import { faultsOfDraft, type Draft } from '../../domain/draft-faults.ts'
import { useFieldText } from '../field-text.ts'
import { keepDraft, readDraft } from '../kept-draft.ts'
import type { Sent } from '../post-contact.ts'
import type { Sending } from '../send-attachments.ts'
import styles from '../support.module.css'
import { AttachmentPicker, faultOfFiles } from './AttachmentPicker.tsx'
import { SendingFile } from './SendingFile.tsx'

/** C-65, V-40…V-43, X-30. @param props.start what is known of whoever writes */
export function ContactForm(props: { start: Partial<Draft> }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const fieldText = useFieldText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { send, dialog } = useWork('support.page.work')
  const [start] = useState<Draft>(() => ({ name: '', email: '', title: '', description: '', ...props.start, ...readDraft() }))
  const [files, setFiles] = useState<readonly File[]>([])
  const [sending, setSending] = useState<Sending | null>(null)
  const form = useLightForm<Draft>(faultsOfDraft, start, keepDraft)
  const posting = useMutation({
    mutationFn: async (values: Draft): Promise<Sent> => {
      const { postContact } = await loadChunk(() => import('../post-contact.ts'))
      return await postContact(values, { locale, files, send, onSending: setSending })
    },
    onSuccess: () => {
      keepDraft(null)
      notify('success', text('support.page.sent'), text('ui.notice.dismiss'), 'support-sent')
      void client.invalidateQueries({ queryKey: ['support-requests'] })
    },
    onError: (error) => {
      if (wasCancelled(error)) return
      form.showFieldErrors(error)
      notify('error', text('support.page.failed'), text('ui.notice.dismiss'), 'support-sent')
    },
  })
  const again = () => {
    form.clear({ ...start, title: '', description: '' })
    setFiles([])
    posting.reset()
  }
  if (posting.data !== undefined) return <SentNote sent={posting.data} onAgain={again} />
  const { faults } = form
  const faultOf = (name: keyof Draft) => fieldText(faults[name] === undefined ? undefined : { message: faults[name] })
  const shown = posting.error === null || wasCancelled(posting.error) || Object.keys(faults).length > 0 ? null : posting.error
  return (
    <>
      <form
        className={styles['form']}
        noValidate
        onSubmit={form.submit(() => {
          if (faultOfFiles(files) === null) posting.mutate(form.values())
        })}
      >
        <Field field={form.register('name')} label={text('support.page.name')} autoComplete="name" error={faultOf('name')} />
        <Field
          field={form.register('email')}
          label={text('support.page.email')}
          type="email"
          autoComplete="email"
          spellCheck={false}
          error={faultOf('email')}
        />
        <Field field={form.register('title')} label={text('support.page.request_title')} error={faultOf('title')} />
        <TextArea
          field={form.register('description')}
          label={text('support.page.description')}
          hint={text('support.page.description_hint')}
          error={faultOf('description')}
        />
        <AttachmentPicker files={files} onFiles={setFiles} />
        <p className={styles['fault']} role="alert">
          {shown === null ? null : `${text('support.page.failed')}. ${errorText(shown)} ${text('support.page.kept')}`}
        </p>
        <SendingFile sending={sending} />
        <Button type="submit" size="md" loading={posting.isPending} className={styles['send']}>
          {text('support.page.send')}
        </Button>
      </form>
      {dialog}
    </>
  )
}

function SentNote({ sent, onAgain }: { sent: Sent; onAgain: () => void }): ReactNode {
  const text = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={styles['sent']}>
      <h3 ref={heading} tabIndex={-1}>
        {text('support.page.sent')}
      </h3>
      <p>{text('support.page.sent_more', { reference: sent.reference, email: visible(sent.email) })}</p>
      {sent.lost.length === 0 ? null : (
        <p className={styles['fault']}>
          {text('support.page.files_failed', { count: sent.lost.length, names: sent.lost.join(', ') })}
        </p>
      )}
      <Button variant="default" size="md" onClick={onAgain}>
        {text('support.page.another')}
      </Button>
    </div>
  )
}
