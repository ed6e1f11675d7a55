import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { saveBlob } from '../../../../ui/api/save-file.ts'
import { formatBytes, formatInstant } from '../../../../ui/intl/format.ts'
import { useLocale, useText } from '../../../../ui/intl/text.tsx'
import { showUnseen, visible } from '../../../../ui/intl/visible.ts'
import { notify } from '../../../../ui/shell/notify.ts'
import type { SupportMessage } from '../../contract/support.ts'
import styles from '../support.module.css'

type Attachment = SupportMessage['attachments'][number]

/** What was said, in its order. @param props.who who wrote it, in words */
export function Conversation<M extends SupportMessage>(props: {
  messages: readonly M[]
  who: (message: M) => string
  fetchFile: (attachmentId: string) => Promise<Blob>
}): ReactNode {
  const text = useText()
  const locale = useLocale()
  return (
    <ol className={styles['conversation']}>
      {props.messages.map((message) => (
        <li key={message.id} data-author={message.author}>
          <p className={styles['who']}>
            {text('support.page.wrote_at', { who: props.who(message), at: formatInstant(message.created_at, locale) })}
          </p>
          {/* As it was written, line by line, whichever way its letters run. */}
          <div className={styles['text']} dir="auto">
            {message.text}
          </div>
          {message.attachments.length === 0 ? null : (
            <ul className={styles['attached']}>
              {message.attachments.map((file) => (
                <li key={file.id}>
                  <AttachedFile file={file} fetchFile={props.fetchFile} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ol>
  )
}

function AttachedFile({ file, fetchFile }: { file: Attachment; fetchFile: (id: string) => Promise<Blob> }): ReactNode {
  const text = useText()
  const locale = useLocale()
  const saving = useMutation({
    mutationFn: async () => saveBlob(await fetchFile(file.id), file.name),
    onError: () => notify('error', text('support.page.save_failed'), text('ui.notice.dismiss')),
  })
  const name = showUnseen(file.name)
  if (!file.received) return <span className={styles['soft']}>{text('support.page.not_received', { name: visible(name) })}</span>
  return (
    <button type="button" className={styles['link']} disabled={saving.isPending} onClick={() => saving.mutate()}>
      {text('support.page.save_file', { name, size: formatBytes(file.bytes, locale) })}
    </button>
  )
}
