import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../../../ui/api/call.ts'
import { keepAnswer } from '../../../../ui/api/keep-answer.ts'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { QrCode } from '../../../../ui/controls/QrCode.tsx'
import { useErrorText } from '../../../../ui/intl/error-text.ts'
import { useText } from '../../../../ui/intl/text.tsx'
import { notify } from '../../../../ui/shell/notify.ts'
import type { Document } from '../../contract/document.ts'
import { shareDocument, unshareDocument } from '../../contract/endpoints.ts'
import styles from './deposit.module.css'

/** A read-only page for whoever has its address. */
export function Share(props: { document: Document }): ReactNode {
  const text = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { id, share_url: url } = props.document
  const sharing = useMutation({
    mutationFn: (on: boolean) => call(on ? shareDocument : unshareDocument, { params: { id } }),
    onSuccess: async (changed) => {
      keepAnswer(client, ['document', id], changed)
      await client.invalidateQueries({ queryKey: ['documents'] })
    },
    onError: (error) => notify('error', errorText(error), text('ui.notice.dismiss')),
  })
  // Of no language: whoever visits it is shown his own.
  const address = url === null ? null : new URL(url, location.origin).href
  return (
    <section className={styles['section']} aria-labelledby="share-heading">
      <h2 id="share-heading">{text('document.share')}</h2>
      <p className={styles['soft']}>{text('document.share.text')}</p>
      {address === null ? (
        <p>
          <Button variant="default" size="md" loading={sharing.isPending} onClick={() => sharing.mutate(true)}>
            {text('document.share.do')}
          </Button>
        </p>
      ) : (
        <div className={styles['shared']}>
          <QrCode link={address} label={text('document.share.qr')} />
          <div className={styles['section']}>
            <p>
              <code>{address}</code>
            </p>
            <div className={styles['buttons']}>
              <CopyButton value={address} what={text('document.share.address')} />
              <Button variant="default" mih={44} loading={sharing.isPending} onClick={() => sharing.mutate(false)}>
                {text('document.share.end')}
              </Button>
            </div>
          </div>
        </div>
      )}
    </section>
  )
}
